namespace Dns.Telemetry.Metrics;

/// <summary>The sums over all zones.</summary>
/// <param name="Loading">Zones whose data has not come yet.</param>
/// <param name="Failed">Zones that have no data because it is broken.</param>
/// <param name="Expired">Zones that are not answered any more because their data is too old.</param>
/// <param name="Stale">Zones of those served whose latest data is broken: older data is served.</param>
/// <param name="Signed">Zones of those served that have DNSSEC records.</param>
public readonly record struct ZoneTotals(
    int Serving, int Loading, int Failed, int Expired, int Stale, long Records, long MemoryBytes, int Signed)
{
    /// <summary>Signed zones of which validating resolvers reject every answer: signatures have expired.</summary>
    public int SignaturesExpired { get; init; }

    /// <summary>Signed zones of which they reject some answers, or will soon.</summary>
    public int SignaturesFaulty { get; init; }

    public int Count => Serving + Loading + Failed + Expired;

    /// <summary>Zones that clients get SERVFAIL of.</summary>
    public int Broken => Failed + Expired;

    /// <summary>The sums with one zone more.</summary>
    public ZoneTotals With(ZoneSlot zone, DateTimeOffset now)
    {
        Zone? data = zone.Zone;
        ZoneState state = zone.State;
        SignatureFault? fault = SignatureFault.Of(zone, now);
        return new(
            Serving + (data is null ? 0 : 1),
            Loading + (data is null && state == ZoneState.Loading ? 1 : 0),
            Failed + (data is null && state == ZoneState.Failed ? 1 : 0),
            Expired + (data is null && state == ZoneState.Expired ? 1 : 0),
            Stale + (data is not null && state == ZoneState.Stale ? 1 : 0),
            Records + (data?.RecordCount ?? 0),
            MemoryBytes + (data?.MemoryBytes ?? 0),
            Signed + (data is { IsSigned: true } ? 1 : 0))
        {
            SignaturesExpired = SignaturesExpired + (fault is { IsExpired: true } ? 1 : 0),
            SignaturesFaulty = SignaturesFaulty + (fault is { IsExpired: false } ? 1 : 0),
        };
    }
}
