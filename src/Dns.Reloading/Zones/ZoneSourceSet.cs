namespace Dns.Reloading.Zones;

/// <summary>All zone sources. Two of them have files that are added at runtime.</summary>
/// <param name="OfSettings">The files of the settings and of their directories.</param>
/// <param name="OfCommands">The files added by command.</param>
public sealed record ZoneSourceSet(
    ZoneRegistry Registry, IZoneFiles OfSettings, IZoneFiles OfCommands, IReadOnlyList<IZoneSource> Others)
{
    public IEnumerable<IZoneSource> All => [OfSettings, OfCommands, .. Others];

    public IEnumerable<IZoneFiles> Files => [OfSettings, OfCommands];

    /// <summary>Number of zones from files.</summary>
    public int FileCount => OfSettings.ZoneCount + OfCommands.ZoneCount;

    public IEnumerable<string> Directories => OfSettings.Directories.Union(OfCommands.Directories);

    /// <summary>The file of a served zone; null if it has none.</summary>
    public ZoneFile? ServedFile(DomainName zone) =>
        Registry.Find(zone)?.Source is IZoneFiles files ? files.FileOf(zone) : null;

    /// <summary>As <see cref="IZoneFiles.FindUsers"/>, over all zones of files.</summary>
    public IReadOnlyList<DomainName> FindUsers(string file) =>
        [.. Files.SelectMany(files => files.FindUsers(file)).Distinct()];

    /// <summary>As <see cref="IZoneFiles.FindTouched"/>, over all zones of files.</summary>
    public bool FindTouched(string directory, string fileName, ICollection<DomainName> zones) =>
        OfSettings.FindTouched(directory, fileName, zones) | OfCommands.FindTouched(directory, fileName, zones);
}
