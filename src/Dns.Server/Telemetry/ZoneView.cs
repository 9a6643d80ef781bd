using Dns.Zones;

namespace Dns.Server;

/// <summary>How one zone is doing.</summary>
/// <param name="Name">The zone in presentation form.</param>
/// <param name="State">Whether it is served.</param>
/// <param name="Data">What is served; null = nothing.</param>
/// <param name="Failure">Why its latest data cannot be used; null = it can.</param>
/// <param name="LoadedAt">When what is served was loaded; null = nothing is.</param>
internal readonly record struct ZoneView(string Name, ZoneState State, Zone? Data, string? Failure, DateTimeOffset? LoadedAt);

/// <summary>The sums over all zones.</summary>
/// <param name="Serving">Zones that are answered.</param>
/// <param name="Loading">Zones whose data has not come yet.</param>
/// <param name="Failed">Zones that have no data because it is broken.</param>
/// <param name="Stale">Zones of those served whose latest data is broken: older data is served.</param>
/// <param name="Records">Records served.</param>
/// <param name="MemoryBytes">Memory that they take.</param>
/// <param name="Signed">Zones of those served that have DNSSEC records.</param>
internal readonly record struct ZoneTotals(
    int Serving, int Loading, int Failed, int Stale, long Records, long MemoryBytes, int Signed)
{
    /// <summary>All zones.</summary>
    public int Count => Serving + Loading + Failed;

    /// <summary>The sums with one zone more.</summary>
    public ZoneTotals With(in ZoneView zone) => new(
        Serving + (zone.Data is null ? 0 : 1),
        Loading + (zone.State == ZoneState.Loading ? 1 : 0),
        Failed + (zone.State is ZoneState.Failed or ZoneState.Expired ? 1 : 0),
        Stale + (zone.State == ZoneState.Stale ? 1 : 0),
        Records + (zone.Data?.RecordCount ?? 0),
        MemoryBytes + (zone.Data?.MemoryBytes ?? 0),
        Signed + (zone.Data is { IsSigned: true } ? 1 : 0));
}
