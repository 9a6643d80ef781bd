using Dns.Protocol;
using Dns.Replication;

namespace Dns.Server;

/// <summary>What the settings say of secondaries, as their source takes it.</summary>
internal static class SecondaryZones
{
    /// <summary>What holds for all of them.</summary>
    public static SecondaryOptions OptionsOf(ServerOptions options) => new()
    {
        Keys = new TsigKeyRing(options.TsigKeys),
        Transfer = options.Transfer,
        ZoneLimits = options.ZoneLimits,
        AllowNotify = options.AllowNotify is null ? null : new PeerList(options.AllowNotify),
    };

    /// <summary>Each of them, catalogs that are consumed included.</summary>
    public static IReadOnlyList<SecondaryZoneOptions> Of(ServerOptions options) =>
    [
        .. options.Zones.Where(zone => zone.Role == ZoneRole.Secondary).Select(zone =>
            new SecondaryZoneOptions(zone.Name!, zone.Primaries)
            {
                MinRefresh = zone.MinRefresh ?? options.MinRefresh,
                AllowQuery = zone.AllowQuery,
                Policy = zone.Policy,
            }),
    ];
}
