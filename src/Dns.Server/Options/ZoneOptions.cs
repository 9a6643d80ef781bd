using Dns.Protocol;
using Dns.Zones;

namespace Dns.Server;

/// <summary>One entry of <c>Dns:Zones</c>: a zone and its file, or a directory of zone files. Paths are absolute.</summary>
/// <param name="Place">Where the entry was written.</param>
/// <param name="Name">The zone; null for a directory.</param>
/// <param name="Path">The zone file or the directory.</param>
/// <param name="Pattern">Which files of a directory are zone files; <c>*</c> and <c>?</c> are wildcards.</param>
internal sealed record ZoneOptions(SettingPlace Place, DomainName? Name, string Path, string Pattern = ZoneOptions.AnyZone)
{
    /// <summary>The pattern of a directory that names none.</summary>
    public const string AnyZone = "*.zone";

    /// <summary>The path of its setting: <c>Dns:Zones:0</c>.</summary>
    public string Key { get; init; } = "Dns:Zones";

    /// <summary>The clients that the zone, or each zone of the directory, is answered to; null = everybody.</summary>
    public ClientNetworks? AllowQuery { get; init; }

    /// <summary>With whom the zone, or each zone of the directory, is exchanged; null = as for all zones.</summary>
    public ZonePolicy? Policy { get; init; }
}
