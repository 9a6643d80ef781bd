namespace Dns.Features.Secondary;

/// <summary>Converts the settings of secondaries for their source.</summary>
public static class SecondaryZones
{
    public static SecondaryOptions OptionsOf(ServerOptions options) => new()
    {
        Keys = new TsigKeyRing(options.TsigKeys),
        Transfer = options.Of(TransferSettings.Section),
        ZoneLimits = options.ZoneLimits,
        AllowNotify = options.AllowNotify is null ? null : new PeerList(options.AllowNotify),
    };

    /// <summary>Each of them, including consumed catalogs.</summary>
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
