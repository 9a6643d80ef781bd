using System.Buffers;
using Microsoft.Extensions.Logging;

namespace Dns.Reloading.Zones;

/// <summary>The zones of the settings after directories were read.</summary>
/// <param name="Files">Each zone and its file; names are unique.</param>
/// <param name="Problems">Errors that prevent a start: unreadable directories, duplicate zones.</param>
/// <param name="IsIncomplete">Whether a directory was unreadable, so that zones may be missing.</param>
/// <param name="Unnamed">A line for each file whose name is not a zone name; the others can be served.</param>
public sealed record ZoneExpansion(
    IReadOnlyList<ZoneFile> Files, IReadOnlyList<SettingDiagnostic> Problems, bool IsIncomplete,
    IReadOnlyList<string> Unnamed)
{
    /// <summary>The files of the settings and of their directories.</summary>
    public IReadOnlyList<ZoneFile> OfSettings { get; init; } = Files;

    /// <summary>The files added by command, also those of zones in the settings.</summary>
    public IReadOnlyList<ZoneFile> OfCommands { get; init; } = [];

    /// <summary>A line for each file that is not served because another one has its zone.</summary>
    public IReadOnlyList<string> Conflicts { get; init; } = [];

    /// <summary>A line for each added zone that has another file in the settings: logged as a conflict.</summary>
    public IReadOnlyList<string> Overruled { get; init; } = [];

    /// <summary>The result of a reload for the operator.</summary>
    public IReadOnlyList<string> Notes => [.. Empty, .. NameWarnings, .. Changed, .. Conflicts, .. Overruled];

    /// <summary>A line for each directory without a matching file: probably a misspelling.</summary>
    public IReadOnlyList<string> Empty { get; private init; } = [];

    /// <summary>A line for each file name with characters unusual in host names: probably a copy.</summary>
    public IReadOnlyList<string> NameWarnings { get; private init; } = [];

    /// <summary>A line for each zone added or removed by command against the settings.</summary>
    public IReadOnlyList<string> Changed { get; init; } = [];

    /// <summary>Reads the directories among the zones of the settings.</summary>
    /// <param name="isKnown">Excludes files of directories; null = none.</param>
    public static ZoneExpansion Of(IReadOnlyList<ZoneOptions> zones, KnownZoneFile? isKnown = null)
    {
        List<ZoneFile> found = new(zones.Count);
        Directories directories = new(isKnown);
        List<SettingDiagnostic> problems = directories.Problems;
        List<string> conflicts = [];
        Dictionary<DomainName, ZoneFile> byName = new(zones.Count);
        HashSet<DomainName> withoutFile = [.. zones.Where(zone => zone.Path is null).Select(zone => zone.Name!)];
        // A zone with its own entry takes precedence over the directory that also has its file.
        foreach (ZoneOptions zone in zones.Where(zone => zone.Path is not null).OrderBy(zone => zone.Name is null))
        {
            found.Clear();
            if (zone.Name is not null) found.Add(ZoneFile.At(zone.Name, zone.Path!) with { IsNamed = true });
            else directories.Read(zone, found);
            foreach (ZoneFile file in found)
            {
                if (withoutFile.Contains(file.Zone))
                {
                    conflicts.Add($"{file.Path} is not served: the settings have zone {file.Zone} by its name");
                    continue;
                }
                ZoneFile known = file with { AllowQuery = zone.AllowQuery, Policy = zone.Policy };
                if (byName.TryAdd(file.Zone, known) || byName[file.Zone].Path == file.Path) continue;
                // Of several directories the first file is served, in the order of the settings and then of file names.
                if (zone.Name is null)
                    conflicts.Add($"{file.Path} is not served: zone {file.Zone} is that of {byName[file.Zone].Path}");
                else
                    problems.Add(new SettingDiagnostic(zone.Location,
                        $"zone {file.Zone} is given twice, by {byName[file.Zone].Path} and {file.Path}"));
            }
        }
        return new ZoneExpansion([.. byName.Values], problems, directories.IsIncomplete, directories.Unnamed)
        {
            Empty = directories.Empty,
            NameWarnings = directories.NameWarnings,
            Conflicts = conflicts,
        };
    }

    /// <summary>Logs the warnings.</summary>
    public void WriteTo(ILogger logger)
    {
        foreach (string line in Unnamed) logger.ZoneDirectoryProblem(line);
        foreach (string line in Empty) logger.ZoneDirectoryEmpty(line);
        foreach (string line in NameWarnings) logger.ZoneNameUnusual(line);
        foreach (string line in Changed) logger.ZoneChangedByHand(line);
        foreach (string line in Conflicts) logger.ZoneDirectoryProblem(line);
    }

    /// <summary>Collects the files and problems of directories.</summary>
    private sealed class Directories(KnownZoneFile? isKnown)
    {
        // Usual characters of zone names, wildcards and RFC 2317 included; percent-encoding is intentional.
        private static readonly SearchValues<char> Usual =
            SearchValues.Create("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.*/%");

        private bool _hasKnown;

        public List<SettingDiagnostic> Problems { get; } = [];

        public List<string> Unnamed { get; } = [];

        public List<string> Empty { get; } = [];

        public List<string> NameWarnings { get; } = [];

        public bool IsIncomplete { get; private set; }

        public void Read(ZoneOptions zone, List<ZoneFile> found)
        {
            int unnamed = Unnamed.Count;
            _hasKnown = false;
            try
            {
                ZoneDirectory.Read(zone.Path!, zone.Pattern, found, Unnamed, isKnown is null ? null : IsKnown);
            }
            catch (Exception error) when (error is IOException or UnauthorizedAccessException)
            {
                string why = error is not DirectoryNotFoundException ? error.Message
                    : File.Exists(zone.Path) ? "it is a file" : "it does not exist";
                Problems.Add(new SettingDiagnostic(
                    zone.Location, $"cannot read the zone directory {zone.Path}: {why}"));
                IsIncomplete = true;
                return;
            }
            foreach (ZoneFile file in found)
                if (file.FileName.AsSpan().ContainsAnyExcept(Usual))
                    NameWarnings.Add(
                        $"{file.Path}: warning: this is served as zone {file.Zone}, after the file; is it a copy?");
            if (found.Count > 0 || Unnamed.Count > unnamed || _hasKnown) return;
            Empty.Add(
                $"{zone.Location}: warning: {zone.Key}: no file in the directory {zone.Path} matches the pattern " +
                    $"{zone.Pattern}");
        }

        private bool IsKnown(string directory, ReadOnlySpan<char> fileName)
        {
            bool known = isKnown!(directory, fileName);
            _hasKnown |= known;
            return known;
        }
    }
}
