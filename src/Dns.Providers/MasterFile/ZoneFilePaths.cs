using Dns.Protocol;

namespace Dns.Providers;

/// <summary>
/// Where zone files are, as one number for each zone. Files in one directory that are named alike, such as
/// <c>ZONE.zone</c> or <c>db.ZONE</c>, share a number: their names are made of the zones' names again.
/// </summary>
/// <remarks>Thread-safe. Grows only: what is forgotten are zones, and their numbers may be needed again.</remarks>
internal sealed class ZoneFilePaths
{
    // Beyond that, files of a directory are not named alike, and each gets a place of its own.
    private const int MaxPatternsOfDirectory = 16;

    /// <summary>A directory, and what stands before and behind the zone's name; or a whole name.</summary>
    private readonly record struct Place(string Directory, string Prefix, string Suffix, bool IsWhole);

    private readonly Lock _lock = new();
    private readonly List<Place> _places = [];
    private readonly Dictionary<Place, int> _numbers = [];
    private readonly Dictionary<string, List<int>> _patterns = [];

    /// <summary>All directories that have or had zone files.</summary>
    public IReadOnlyList<string> Directories
    {
        get
        {
            lock (_lock) return [.. _places.Select(place => place.Directory).Distinct()];
        }
    }

    /// <summary>The number of a file's place.</summary>
    public int NumberOf(in ZoneFile file)
    {
        Place place = Describe(in file);
        lock (_lock)
        {
            if (_numbers.TryGetValue(place, out int number)) return number;
            if (!place.IsWhole && PatternsOf(file.Directory).Count >= MaxPatternsOfDirectory)
            {
                place = new Place(file.Directory, file.FileName, "", IsWhole: true);
                if (_numbers.TryGetValue(place, out number)) return number;
            }
            number = _places.Count;
            _places.Add(place);
            _numbers.Add(place, number);
            if (!place.IsWhole) PatternsOf(file.Directory).Add(number);
            return number;
        }
    }

    /// <summary>The file of a zone. Allocates its name.</summary>
    public ZoneFile FileOf(DomainName zone, int number)
    {
        Place place;
        lock (_lock) place = _places[number];
        string name = place.IsWhole ? place.Prefix : place.Prefix + ZoneFileName.Encode(zone) + place.Suffix;
        return new ZoneFile(zone, place.Directory, name);
    }

    /// <summary>The zones that a file may be that of, by its name, each with the number of the place that it then has.</summary>
    public IReadOnlyList<(DomainName Zone, int Number)> FindByPattern(string directory, string fileName)
    {
        List<(DomainName, int)> found = [];
        lock (_lock)
        {
            foreach (int number in _patterns.GetValueOrDefault(directory) ?? [])
            {
                Place place = _places[number];
                if (fileName.Length < place.Prefix.Length + place.Suffix.Length
                    || !fileName.StartsWith(place.Prefix, StringComparison.Ordinal)
                    || !fileName.EndsWith(place.Suffix, StringComparison.Ordinal)) continue;
                string name = fileName[place.Prefix.Length..^place.Suffix.Length];
                if (ZoneFileName.TryDecode(name, out DomainName? zone, out _)) found.Add((zone, number));
            }
        }
        return found;
    }

    /// <summary>What stands for the zone's name in a file's name, by one of the ways in which files of its directory are named.</summary>
    /// <param name="directory">The directory.</param>
    /// <param name="fileName">The file's name.</param>
    /// <param name="index">Which way, from 0; moved on to the next.</param>
    /// <param name="zone">The part that is the zone's name; empty if the file is not named that way.</param>
    /// <param name="number">The number of the file's place.</param>
    /// <returns>False if there are no more ways.</returns>
    public bool TryStrip(
        string directory, ReadOnlySpan<char> fileName, ref int index, out ReadOnlySpan<char> zone, out int number)
    {
        zone = [];
        number = -1;
        lock (_lock)
        {
            if (!_patterns.TryGetValue(directory, out List<int>? numbers) || index >= numbers.Count) return false;
            number = numbers[index++];
            Place place = _places[number];
            if (fileName.Length > place.Prefix.Length + place.Suffix.Length
                && fileName.StartsWith(place.Prefix, StringComparison.Ordinal)
                && fileName.EndsWith(place.Suffix, StringComparison.Ordinal))
                zone = fileName[place.Prefix.Length..^place.Suffix.Length];
            return true;
        }
    }

    /// <summary>The number of the place that is just this file, for any number of zones; -1 if there is none.</summary>
    public int FindWhole(string directory, string fileName)
    {
        lock (_lock) return _numbers.GetValueOrDefault(new Place(directory, fileName, "", IsWhole: true), -1);
    }

    private List<int> PatternsOf(string directory)
    {
        if (!_patterns.TryGetValue(directory, out List<int>? patterns)) _patterns.Add(directory, patterns = []);
        return patterns;
    }

    private static Place Describe(in ZoneFile file)
    {
        string zone = ZoneFileName.Encode(file.Zone);
        int at = zone.Length == 0 ? -1 : file.FileName.IndexOf(zone, StringComparison.Ordinal);
        int end = at + zone.Length;
        bool isAlike = at >= 0 && (at == 0 || IsBorder(file.FileName[at - 1]))
            && (end == file.FileName.Length || IsBorder(file.FileName[end]));
        return isAlike
            ? new Place(file.Directory, file.FileName[..at], file.FileName[end..], IsWhole: false)
            : new Place(file.Directory, file.FileName, "", IsWhole: true);
    }

    private static bool IsBorder(char character) => character is '.' or '-' or '_';
}
