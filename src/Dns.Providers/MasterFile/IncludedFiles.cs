namespace Dns.Providers.MasterFile;

/// <summary>The included files of zones, as a number for each zone: equal lists share one. Thread-safe.</summary>
internal sealed class IncludedFiles
{
    private readonly Lock _lock = new();
    private readonly List<string[]> _lists = [[]];
    private readonly Dictionary<string, ushort> _numbers = new(StringComparer.Ordinal) { [""] = 0 };

    public IReadOnlyList<string> Directories
    {
        get
        {
            lock (_lock)
                return [.. _lists.SelectMany(list => list).Select(path => Path.GetDirectoryName(path) ?? "")
                    .Distinct()];
        }
    }

    /// <summary>The number of a list; 0 = none, or beyond 65,535 lists, whose changes are not detected.</summary>
    public ushort NumberOf(IReadOnlyList<string> paths)
    {
        if (paths.Count == 0) return 0;
        string[] full = [.. paths.Select(Path.GetFullPath).Distinct()];
        string key = string.Join('\0', full);
        lock (_lock)
        {
            if (_numbers.TryGetValue(key, out ushort number)) return number;
            if (_lists.Count > ushort.MaxValue) return 0;
            number = (ushort)_lists.Count;
            _lists.Add(full);
            _numbers.Add(key, number);
            return number;
        }
    }

    public IReadOnlyList<string> PathsOf(ushort number)
    {
        lock (_lock) return _lists[number];
    }

    /// <summary>The numbers of all lists that contain a path.</summary>
    public IReadOnlyList<ushort> FindLists(string path)
    {
        List<ushort> found = [];
        lock (_lock)
        {
            for (int i = 1; i < _lists.Count; i++)
                if (_lists[i].Contains(path)) found.Add((ushort)i);
        }
        return found;
    }
}
