namespace Dns.Zones.MasterFiles;

/// <summary>
/// Collects the diagnostics of a load in the order of files, a bounded number of each severity. Messages in private
/// files, which were included or are symlinks and which not all users may read, are replaced: a zone file may include a
/// file with secrets, and the log and the status page have more readers than that.
/// </summary>
/// <param name="showsAll">Whether messages in private files are shown: the log is for a command on the file.</param>
internal sealed class DiagnosticLog(bool showsAll = false)
{
    /// <summary>The message in place of one that may repeat text of a private file.</summary>
    public const string NotShown = "not shown, since it may repeat text of a file that not all users may read: "
        + "\"dnsd zone check NAME FILE\" shows it";

    /// <summary>Maximum stored errors, and warnings; the rest is only counted.</summary>
    public const int MaxKept = 1000;

    private readonly List<ZoneDiagnostic> _kept = [];
    private readonly Dictionary<string, int> _fileOrder = [];
    // Private files, and where the diagnostics of each are shown; null = at their own lines.
    private readonly Dictionary<string, FileLocation?> _private = [];
    private int _warnings;

    /// <summary>Number of errors, stored or not.</summary>
    public int ErrorCount { get; private set; }

    /// <summary>Whether a warning would still be stored; otherwise it is counted and need not be formatted.</summary>
    public bool KeepsWarning()
    {
        if (_warnings < MaxKept) return true;
        _warnings++;
        return false;
    }

    /// <summary>Registers a file in the order, when it is first opened.</summary>
    public void Open(string file) => _fileOrder.TryAdd(file, _fileOrder.Count);

    /// <summary>Registers a file included at a line of another one.</summary>
    public void Include(string file, FileLocation at)
    {
        Open(file);
        // Its name, and what its records inherit, are text of the private file.
        if (_private.TryGetValue(at.File, out FileLocation? shown)) _private.TryAdd(file, shown ?? at);
    }

    /// <summary>Registers a file as private: its text is not repeated, also not by earlier diagnostics.</summary>
    public void Hide(string file)
    {
        if (!showsAll) _private.TryAdd(file, null);
    }

    /// <summary>Registers the private files of another reading of the same zone.</summary>
    public void HideFilesOf(DiagnosticLog other)
    {
        if (showsAll) return;
        foreach ((string file, FileLocation? shown) in other._private) _private.TryAdd(file, shown);
    }

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
        bool keep = (diagnostic.Severity == Severity.Error ? ErrorCount : _warnings) < MaxKept;
        if (diagnostic.Severity == Severity.Error) ErrorCount++;
        else _warnings++;
        if (keep) _kept.Add(diagnostic);
    }

    /// <summary>Adds a diagnostic whose words may be of any file of the zone, wherever its line is.</summary>
    public void AddOfAnyFile(ZoneDiagnostic diagnostic) =>
        Add(_private.Count > 0 ? diagnostic with { Message = NotShown } : diagnostic);

    /// <summary>Counts diagnostics that were not formatted.</summary>
    public void CountMore(Severity severity, int count)
    {
        if (severity == Severity.Error) ErrorCount += count;
        else _warnings += count;
    }

    /// <summary>Diagnostics by file, as opened, and line; then a line for each severity with unstored ones.</summary>
    public List<ZoneDiagnostic> ToList()
    {
        List<ZoneDiagnostic> sorted = _kept
            .Select(WithoutPrivateText)
            .OrderBy(diagnostic => _fileOrder.GetValueOrDefault(diagnostic.File))
            .ThenBy(diagnostic => diagnostic.Line)
            .ThenBy(diagnostic => diagnostic.Column)
            .ToList();
        AddRest(sorted, Severity.Error, ErrorCount, "errors");
        AddRest(sorted, Severity.Warning, _warnings, "warnings");
        return sorted;
    }

    private ZoneDiagnostic WithoutPrivateText(ZoneDiagnostic diagnostic)
    {
        if (!_private.TryGetValue(diagnostic.File, out FileLocation? shown)) return diagnostic;
        (string file, int line, int column) =
            shown ?? new FileLocation(diagnostic.File, diagnostic.Line, diagnostic.Column);
        return new ZoneDiagnostic(diagnostic.Severity, file, line, column, NotShown);
    }

    private static void AddRest(List<ZoneDiagnostic> sorted, Severity severity, int count, string noun)
    {
        int kept = sorted.Count(diagnostic => diagnostic.Severity == severity);
        if (count <= kept) return;
        ZoneDiagnostic last = sorted.Last(diagnostic => diagnostic.Severity == severity);
        sorted.Add(last with { Column = 0, Message = $"... and {count - kept} more {noun}" });
    }
}
