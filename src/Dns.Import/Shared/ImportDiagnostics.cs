namespace Dns.Import.Shared;

/// <summary>What an import could not translate, with locations: bounded, as a configuration can be all wrong.</summary>
internal sealed class ImportDiagnostics
{
    private const int MaxDiagnostics = 10_000;
    private readonly List<ImportDiagnostic> _entries = [];
    private readonly HashSet<ImportDiagnostic> _seen = [];
    private readonly List<string> _errors = [];

    /// <summary>The diagnostics, in the order in which they were found, each once.</summary>
    public IReadOnlyList<ImportDiagnostic> Entries => _entries;

    /// <summary>Errors of the configuration itself.</summary>
    public IReadOnlyList<string> Errors => _errors;

    /// <summary>Diagnostics that were not kept, since there were too many.</summary>
    public int Dropped { get; private set; }

    public bool IsBroken => _errors.Count > 0;

    public bool IsBlocked { get; private set; }

    public void Add(ImportDiagnostic diagnostic)
    {
        IsBlocked |= diagnostic.Severity == ImportSeverity.Blocks;
        if (_entries.Count >= MaxDiagnostics) Dropped++;
        else if (_seen.Add(diagnostic)) _entries.Add(diagnostic);
    }

    /// <summary>Adds what blocks the move because the server, or on request the importer, cannot do it.</summary>
    public void Block(ConfigStatement at, string subject, string text, ImportLimit limit = ImportLimit.OfServer) =>
        Add(new ImportDiagnostic(ImportSeverity.Blocks, limit, at.File, at.Line, subject, text));

    /// <summary>Adds what changes behaviour.</summary>
    public void Change(ConfigStatement at, string subject, string text, ImportLimit limit = ImportLimit.OfServer) =>
        Add(new ImportDiagnostic(ImportSeverity.Changes, limit, at.File, at.Line, subject, text));

    /// <summary>Adds what clients do not see.</summary>
    public void Remark(ConfigStatement at, string subject, string text, ImportLimit limit = ImportLimit.None) =>
        Add(new ImportDiagnostic(ImportSeverity.Cosmetic, limit, at.File, at.Line, subject, text));

    /// <summary>Adds that a part of the configuration could not be read: what it has is missing.</summary>
    public void Unread(string file, int line, string text) =>
        Add(new ImportDiagnostic(ImportSeverity.Blocks, ImportLimit.OfImporter, file, line, "", text));

    /// <summary>Adds an error of the configuration's own.</summary>
    public void Broken(string file, int line, string text)
    {
        if (_errors.Count < MaxDiagnostics) _errors.Add((line > 0 ? $"{file}:{line}" : file) + ": error: " + text);
    }
}
