namespace Dns.Configuration.Options;

/// <summary>An entry of <c>Dns:Zones</c> with its template: a zone, or a directory of files. Absolute paths.</summary>
/// <param name="Location">Where it was written.</param>
/// <param name="Name">The zone; null for a directory.</param>
/// <param name="Path">The zone file or the directory; null for a secondary and for a catalog that is made here.</param>
/// <param name="Pattern">Which files of a directory are zone files; <c>*</c> and <c>?</c> are wildcards.</param>
public sealed record ZoneOptions(SettingLocation Location, DomainName? Name, string? Path,
    string Pattern = ZoneOptions.AnyZone)
{
    /// <summary>The pattern of a directory that names none.</summary>
    public const string AnyZone = "*.zone";

    /// <summary>The path of its setting: <c>Dns:Zones:0</c>.</summary>
    public string Key { get; init; } = "Dns:Zones";

    /// <summary>Where the data is maintained; of a directory always here.</summary>
    public ZoneRole Role { get; init; }

    /// <summary>The primaries of a secondary, in the order of queries; empty for a primary.</summary>
    public IReadOnlyList<PeerAddress> Primaries { get; init; } = [];

    /// <summary>The least time between two refreshes of a secondary; null = as for all zones.</summary>
    public TimeSpan? MinRefresh { get; init; }

    /// <summary>What it is as a catalog zone.</summary>
    public CatalogRole Catalog { get; init; }

    /// <summary>The template of the members of a catalog that is consumed; null = there is none.</summary>
    public ZoneTemplate? MemberTemplate { get; init; }

    /// <summary>The clients that may query the zone, or each zone of the directory; null = all.</summary>
    public ClientNetworks? AllowQuery { get; init; }

    /// <summary>With whom the zone, or each zone of the directory, is exchanged; null = as for all zones.</summary>
    public ZonePolicy? Policy { get; init; }
}
