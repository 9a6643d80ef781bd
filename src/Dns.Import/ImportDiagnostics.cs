namespace Dns.Import;

/// <summary>
/// What an import could not translate, each with its location: bounded, since a configuration can be wrong throughout.
/// </summary>
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

    /// <summary>Whether the configuration could not be understood at all.</summary>
    public bool IsBroken => _errors.Count > 0;

    /// <summary>Whether something blocks the move.</summary>
    public bool IsBlocked { get; private set; }

    /// <summary>Adds a diagnostic.</summary>
    public void Add(ImportDiagnostic diagnostic)
    {
        IsBlocked |= diagnostic.Severity == ImportSeverity.Blocks;
        if (_entries.Count >= MaxDiagnostics) Dropped++;
        else if (_seen.Add(diagnostic)) _entries.Add(diagnostic);
    }

    /// <summary>
    /// Adds what blocks the move since the server cannot do it, or, on request, since the importer cannot translate it.
    /// </summary>
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
