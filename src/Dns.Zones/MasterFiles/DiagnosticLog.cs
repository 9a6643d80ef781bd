namespace Dns.Zones;

/// <summary>Collects the findings of one load, a bounded number of each severity, in the order of the files.</summary>
internal sealed class DiagnosticLog
{
    /// <summary>How many errors, and how many warnings, are kept; the rest is only counted.</summary>
    public const int MaxKept = 1000;

    private readonly record struct Entry(int FileOrder, ZoneDiagnostic Diagnostic);

    private readonly List<Entry> _entries = [];
    private readonly Dictionary<string, int> _fileOrder = [];
    private int _warnings;

    /// <summary>How many errors were added, kept or not.</summary>
    public int ErrorCount { get; private set; }

    /// <summary>Whether a finding would still be kept: callers need not put a message together if not.</summary>
    public bool Keeps(Severity severity) => (severity == Severity.Error ? ErrorCount : _warnings) < MaxKept;

    /// <summary>Gives a file its place in the order, the first time it is opened.</summary>
    public void Open(string file) => _fileOrder.TryAdd(file, _fileOrder.Count);

    /// <summary>All files but the first that was opened, each once.</summary>
    public IReadOnlyList<string> Includes =>
        _fileOrder.Count < 2 ? [] : [.. _fileOrder.OrderBy(file => file.Value).Skip(1).Select(file => file.Key)];

    /// <summary>Adds an error.</summary>
    public void Error(FileLocation place, string message) => Error(place.File, place.Line, place.Column, message);

    /// <summary>Adds a warning.</summary>
    public void Warn(FileLocation place, string message) => Warn(place.File, place.Line, place.Column, message);

    /// <summary>Adds an error.</summary>
    public void Error(string file, int line, int column, string message) =>
        Add(new ZoneDiagnostic(Severity.Error, file, line, column, message));

    /// <summary>Adds a warning.</summary>
    public void Warn(string file, int line, int column, string message) =>
        Add(new ZoneDiagnostic(Severity.Warning, file, line, column, message));

    /// <summary>Adds a finding, or counts it where enough are kept.</summary>
    public void Add(ZoneDiagnostic diagnostic)
    {
        bool keep = Keeps(diagnostic.Severity);
        if (diagnostic.Severity == Severity.Error) ErrorCount++;
        else _warnings++;
        if (keep) _entries.Add(new Entry(_fileOrder.GetValueOrDefault(diagnostic.File), diagnostic));
    }

    /// <summary>Counts findings that were not put into words.</summary>
    public void CountMore(Severity severity, int count)
    {
        if (severity == Severity.Error) ErrorCount += count;
        else _warnings += count;
    }

    /// <summary>
    /// The findings by file, in the order in which files were opened, and line; behind them a line for each
    /// severity of which not all were kept.
    /// </summary>
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
