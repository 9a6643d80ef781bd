using Dns.Protocol;
using Dns.Providers;
using Dns.Zones;

namespace Dns.Server;

/// <summary>Everything that zones come from. Two of the sources have files that are added at runtime.</summary>
/// <param name="Registry">Where they claim names.</param>
/// <param name="OfSettings">The files that the settings name, and those of their directories.</param>
/// <param name="OfCommands">The files that commands have added.</param>
/// <param name="Others">The rest.</param>
internal sealed record ZoneSourceSet(
    ZoneRegistry Registry, IZoneFiles OfSettings, IZoneFiles OfCommands, IReadOnlyList<IZoneSource> Others)
{
    /// <summary>All of them.</summary>
    public IEnumerable<IZoneSource> All => [OfSettings, OfCommands, .. Others];

    /// <summary>Those of files.</summary>
    public IEnumerable<IZoneFiles> Files => [OfSettings, OfCommands];

    /// <summary>How many zones come from files.</summary>
    public int FileCount => OfSettings.ZoneCount + OfCommands.ZoneCount;

    /// <summary>Every directory whose files matter.</summary>
    public IEnumerable<string> Directories => OfSettings.Directories.Union(OfCommands.Directories);

    /// <summary>The file that a zone is served from; null if it comes from none.</summary>
    public ZoneFile? ServedFile(DomainName zone) =>
        Registry.Find(zone)?.Source is IZoneFiles files ? files.FileOf(zone) : null;

    /// <summary>As <see cref="IZoneFiles.FindTouched"/>, over all zones of files.</summary>
    public bool FindTouched(string directory, string fileName, ICollection<DomainName> zones) =>
        OfSettings.FindTouched(directory, fileName, zones) | OfCommands.FindTouched(directory, fileName, zones);
}
