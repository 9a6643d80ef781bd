namespace Dns.Providers.MasterFile;

/// <summary>
/// The paths of zone files, as one number for each zone. Files of one directory with a common pattern, such as
/// <c>ZONE.zone</c> or <c>db.ZONE</c>, share a number; their names are derived from the zones' names.
/// </summary>
/// <remarks>Thread-safe. Grows only: numbers of removed zones may be needed again.</remarks>
internal sealed class ZoneFilePaths
{
    // Beyond that, files of a directory have no common pattern, and each gets a number of its own.
    private const int MaxPatternsOfDirectory = 16;

    /// <summary>A directory with the parts around the zone's name in a file name; or a whole file name.</summary>
    private readonly record struct PathPattern(string Directory, string Prefix, string Suffix, bool IsWhole);

    private readonly Lock _lock = new();
    private readonly List<PathPattern> _patterns = [];
    private readonly Dictionary<PathPattern, int> _numbers = [];
    private readonly Dictionary<string, List<int>> _ofDirectory = [];

    /// <summary>All directories that have or had zone files.</summary>
    public IReadOnlyList<string> Directories
    {
        get
        {
            lock (_lock) return [.. _patterns.Select(pattern => pattern.Directory).Distinct()];
        }
    }

    public int NumberOf(in ZoneFile file)
    {
        PathPattern pattern = Describe(in file);
        lock (_lock)
        {
            if (_numbers.TryGetValue(pattern, out int number)) return number;
            if (!pattern.IsWhole && PatternsOf(file.Directory).Count >= MaxPatternsOfDirectory)
            {
                pattern = new PathPattern(file.Directory, file.FileName, "", IsWhole: true);
                if (_numbers.TryGetValue(pattern, out number)) return number;
            }
            number = _patterns.Count;
            _patterns.Add(pattern);
            _numbers.Add(pattern, number);
            if (!pattern.IsWhole) PatternsOf(file.Directory).Add(number);
            return number;
        }
    }

    /// <summary>The file of a zone. Allocates its name.</summary>
    public ZoneFile FileOf(DomainName zone, int number)
    {
        PathPattern pattern;
        lock (_lock) pattern = _patterns[number];
        string name = pattern.IsWhole ? pattern.Prefix : pattern.Prefix + ZoneFileName.Encode(zone) + pattern.Suffix;
        return new ZoneFile(zone, pattern.Directory, name);
    }

    /// <summary>The zones whose file this may be, by its name, each with the number of its path.</summary>
    public IReadOnlyList<(DomainName Zone, int Number)> FindByPattern(string directory, string fileName)
    {
        List<(DomainName, int)> found = [];
        lock (_lock)
        {
            foreach (int number in _ofDirectory.GetValueOrDefault(directory) ?? [])
            {
                PathPattern pattern = _patterns[number];
                if (fileName.Length < pattern.Prefix.Length + pattern.Suffix.Length
                    || !fileName.StartsWith(pattern.Prefix, StringComparison.Ordinal)
                    || !fileName.EndsWith(pattern.Suffix, StringComparison.Ordinal)) continue;
                string name = fileName[pattern.Prefix.Length..^pattern.Suffix.Length];
                if (ZoneFileName.TryDecode(name, out DomainName? zone)) found.Add((zone, number));
            }
        }
        return found;
    }

    /// <summary>Extracts the zone's name from a file name by one of the directory's patterns.</summary>
    /// <param name="index">The index of the pattern, from 0; on return, of the next.</param>
    /// <param name="zone">The zone's name; empty if the pattern does not match.</param>
    /// <returns>False if there are no more patterns.</returns>
    public bool TryStrip(
        string directory, ReadOnlySpan<char> fileName, ref int index, out ReadOnlySpan<char> zone, out int number)
    {
        zone = [];
        number = -1;
        lock (_lock)
        {
            if (!_ofDirectory.TryGetValue(directory, out List<int>? numbers) || index >= numbers.Count) return false;
            number = numbers[index++];
            PathPattern pattern = _patterns[number];
            if (fileName.Length > pattern.Prefix.Length + pattern.Suffix.Length
                && fileName.StartsWith(pattern.Prefix, StringComparison.Ordinal)
                && fileName.EndsWith(pattern.Suffix, StringComparison.Ordinal))
                zone = fileName[pattern.Prefix.Length..^pattern.Suffix.Length];
            return true;
        }
    }

    /// <summary>The number of exactly this path; -1 if there is none.</summary>
    public int FindWhole(string directory, string fileName)
    {
        lock (_lock) return _numbers.GetValueOrDefault(new PathPattern(directory, fileName, "", IsWhole: true), -1);
    }

    private List<int> PatternsOf(string directory)
    {
        if (!_ofDirectory.TryGetValue(directory, out List<int>? patterns)) _ofDirectory.Add(directory, patterns = []);
        return patterns;
    }

    private static PathPattern Describe(in ZoneFile file)
    {
        string zone = ZoneFileName.Encode(file.Zone);
        int at = zone.Length == 0 ? -1 : file.FileName.IndexOf(zone, StringComparison.Ordinal);
        int end = at + zone.Length;
        bool isAlike = at >= 0 && (at == 0 || IsBorder(file.FileName[at - 1]))
            && (end == file.FileName.Length || IsBorder(file.FileName[end]));
        return isAlike
            ? new PathPattern(file.Directory, file.FileName[..at], file.FileName[end..], IsWhole: false)
            : new PathPattern(file.Directory, file.FileName, "", IsWhole: true);
    }

    private static bool IsBorder(char character) => character is '.' or '-' or '_';
}
