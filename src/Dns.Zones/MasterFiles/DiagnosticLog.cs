namespace Dns.Zones.MasterFiles;

/// <summary>Collects the diagnostics of a load in the order of files, a bounded number of each severity.</summary>
internal sealed class DiagnosticLog
{
    /// <summary>Maximum stored errors, and warnings; the rest is only counted.</summary>
    public const int MaxKept = 1000;

    private readonly record struct Entry(int FileOrder, ZoneDiagnostic Diagnostic);

    private readonly List<Entry> _entries = [];
    private readonly Dictionary<string, int> _fileOrder = [];
    private int _warnings;

    /// <summary>Number of errors, stored or not.</summary>
    public int ErrorCount { get; private set; }

    /// <summary>Whether a diagnostic would still be stored: otherwise callers need not format a message.</summary>
    public bool Keeps(Severity severity) => (severity == Severity.Error ? ErrorCount : _warnings) < MaxKept;

    /// <summary>Registers a file in the order, when it is first opened.</summary>
    public void Open(string file) => _fileOrder.TryAdd(file, _fileOrder.Count);

    /// <summary>All files except the first opened one, each once.</summary>
    public IReadOnlyList<string> Includes =>
        _fileOrder.Count < 2 ? [] : [.. _fileOrder.OrderBy(file => file.Value).Skip(1).Select(file => file.Key)];

    public void Error(FileLocation location, string message) =>
        Error(location.File, location.Line, location.Column, message);

    public void Warn(FileLocation location, string message) =>
        Warn(location.File, location.Line, location.Column, message);

    public void Error(string file, int line, int column, string message) =>
        Add(new ZoneDiagnostic(Severity.Error, file, line, column, message));

    public void Warn(string file, int line, int column, string message) =>
        Add(new ZoneDiagnostic(Severity.Warning, file, line, column, message));

    /// <summary>Adds a diagnostic, or counts it if enough are stored.</summary>
    public void Add(ZoneDiagnostic diagnostic)
    {
        bool keep = Keeps(diagnostic.Severity);
        if (diagnostic.Severity == Severity.Error) ErrorCount++;
        else _warnings++;
        if (keep) _entries.Add(new Entry(_fileOrder.GetValueOrDefault(diagnostic.File), diagnostic));
    }

    /// <summary>Counts diagnostics that were not formatted.</summary>
    public void CountMore(Severity severity, int count)
    {
        if (severity == Severity.Error) ErrorCount += count;
        else _warnings += count;
    }

    /// <summary>Diagnostics by file, as opened, and line; then a line for each severity with unstored ones.</summary>
    public List<ZoneDiagnostic> ToList()
    {
        List<ZoneDiagnostic> sorted = _entries
            .OrderBy(entry => entry.FileOrder)
            .ThenBy(entry => entry.Diagnostic.Line)
            .ThenBy(entry => entry.Diagnostic.Column)
            .Select(entry => entry.Diagnostic)
            .ToList();
        AddRest(sorted, Severity.Error, ErrorCount, "errors");
        AddRest(sorted, Severity.Warning, _warnings, "warnings");
        return sorted;
    }

    private static void AddRest(List<ZoneDiagnostic> sorted, Severity severity, int count, string noun)
    {
        int kept = sorted.Count(diagnostic => diagnostic.Severity == severity);
        if (count <= kept) return;
        ZoneDiagnostic last = sorted.Last(diagnostic => diagnostic.Severity == severity);
        sorted.Add(last with { Column = 0, Message = $"... and {count - kept} more {noun}" });
    }
}
