using Dns.Protocol;
using Dns.Providers;

namespace Dns.Server;

/// <summary>The zones that the settings come to once directories have been read.</summary>
/// <param name="Files">Each zone and its file; no name is there twice.</param>
/// <param name="Problems">What prevents a start: directories that cannot be read, zones given twice.</param>
/// <param name="IsIncomplete">Whether a directory among the problems could not be read, so that zones may be missing.</param>
/// <param name="Unnamed">A line for each file that is not named after a zone; the others can be served.</param>
internal sealed record ZoneExpansion(
    IReadOnlyList<ZoneFile> Files, IReadOnlyList<SettingProblem> Problems, bool IsIncomplete, IReadOnlyList<string> Unnamed)
{
    /// <summary>Reads the directories among the zones of the settings.</summary>
    /// <param name="zones">The zones.</param>
    /// <param name="isKnown">Leaves out files of directories; null = none.</param>
    public static ZoneExpansion Of(IReadOnlyList<ZoneOptions> zones, KnownZoneFile? isKnown = null)
    {
        List<ZoneFile> found = new(zones.Count);
        List<SettingProblem> problems = [];
        List<string> unnamed = [];
        Dictionary<DomainName, ZoneFile> byName = new(zones.Count);
        bool isIncomplete = false;
        // A zone that is given by name goes before the directory that also holds its file.
        foreach (ZoneOptions zone in zones.OrderBy(zone => zone.Name is null))
        {
            found.Clear();
            if (zone.Name is not null) found.Add(ZoneFile.At(zone.Name, zone.Path) with { IsNamed = true });
            else isIncomplete |= !TryReadDirectory(zone, found, unnamed, problems, isKnown);
            foreach (ZoneFile file in found)
            {
                if (byName.TryAdd(file.Zone, file with { AllowQuery = zone.AllowQuery }) || byName[file.Zone].Path == file.Path) continue;
                problems.Add(new SettingProblem(zone.Place,
                    $"zone {file.Zone} is given twice, by {byName[file.Zone].Path} and {file.Path}"));
            }
        }
        return new ZoneExpansion([.. byName.Values], problems, isIncomplete, unnamed);
    }

    private static bool TryReadDirectory(
        ZoneOptions zone, List<ZoneFile> found, List<string> unnamed, List<SettingProblem> problems, KnownZoneFile? isKnown)
    {
        try
        {
            ZoneDirectory.Read(zone.Path, zone.Pattern, found, unnamed, isKnown);
            return true;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            string why = error is not DirectoryNotFoundException ? error.Message
                : File.Exists(zone.Path) ? "it is a file" : "it does not exist";
            problems.Add(new SettingProblem(zone.Place, $"cannot read the zone directory {zone.Path}: {why}"));
            return false;
        }
    }
}
