using Dns.Providers;
using Dns.Zones;

namespace Dns.Reloading;

/// <summary>All zone sources. Two of them have files that are added at runtime.</summary>
/// <param name="Registry">The registry of their claims.</param>
/// <param name="OfSettings">The files of the settings and of their directories.</param>
/// <param name="OfCommands">The files added by command.</param>
/// <param name="Others">The rest.</param>
internal sealed record ZoneSourceSet(
    ZoneRegistry Registry, IZoneFiles OfSettings, IZoneFiles OfCommands, IReadOnlyList<IZoneSource> Others)
{
    /// <summary>All of them.</summary>
    public IEnumerable<IZoneSource> All => [OfSettings, OfCommands, .. Others];

    /// <summary>Those of files.</summary>
    public IEnumerable<IZoneFiles> Files => [OfSettings, OfCommands];

    /// <summary>Number of zones from files.</summary>
    public int FileCount => OfSettings.ZoneCount + OfCommands.ZoneCount;

    /// <summary>Every directory to watch.</summary>
    public IEnumerable<string> Directories => OfSettings.Directories.Union(OfCommands.Directories);

    /// <summary>The file of a served zone; null if it has none.</summary>
    public ZoneFile? ServedFile(DomainName zone) =>
        Registry.Find(zone)?.Source is IZoneFiles files ? files.FileOf(zone) : null;

    /// <summary>As <see cref="IZoneFiles.FindTouched"/>, over all zones of files.</summary>
    public bool FindTouched(string directory, string fileName, ICollection<DomainName> zones) =>
        OfSettings.FindTouched(directory, fileName, zones) | OfCommands.FindTouched(directory, fileName, zones);
}
