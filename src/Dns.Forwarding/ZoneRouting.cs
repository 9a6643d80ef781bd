namespace Dns.Forwarding;

/// <summary>
/// The zone of a question: the longest forwarded or served zone that holds its name; a served zone wins a tie.
/// Thread-safe; allocates nothing.
/// </summary>
internal sealed class ZoneRouting
{
    private volatile ForwardingPlan? _plan;
    private volatile IServedZones? _served;

    internal ForwardingPlan Plan
    {
        get => _plan!;
        set => _plan = value;
    }

    /// <summary>The served zones; null = none.</summary>
    internal IServedZones? Served
    {
        get => _served;
        set => _served = value;
    }

    // Changes with every change of the forwarded or served zones: a routing result stays valid as long as this is
    // unchanged. Both parts only grow, so equal sums have equal parts.
    internal uint Generation => (uint)(_plan?.Number ?? 0) + (uint)(_served?.Snapshot ?? 0);

    /// <summary>The forwarded zone of a question; null if a served zone or none holds it.</summary>
    /// <param name="labels">Label count of the zone's name; -1 if there is none.</param>
    internal ZoneUpstreams? Find(scoped ref readonly LookupName name, RRType type, out int labels)
    {
        ZoneUpstreams? zone = Plan.Names.Find(in name, SkippedLabels(in name, type), out labels);
        return zone is not null && labels > ServedLabels(in name, type) ? zone : null;
    }

    /// <summary>Whether a question below a forwarded zone belongs to that zone and to no longer one.</summary>
    /// <param name="name">QNAME, at or below the zone.</param>
    internal bool IsOf(scoped ref readonly LookupName name, RRType type, int zoneLabels)
    {
        Plan.Names.Find(in name, SkippedLabels(in name, type), out int labels);
        return labels == zoneLabels && zoneLabels > ServedLabels(in name, type);
    }

    /// <summary>Whether a name is that of a served zone.</summary>
    internal bool IsServed(scoped ref readonly LookupName name) =>
        ServedLabels(in name, RRType.DNAME) == name.LabelCount;

    /// <summary>1 for DS, which belongs to the parent zone.</summary>
    internal static int SkippedLabels(scoped ref readonly LookupName name, RRType type) =>
        type == RRType.DS && name.LabelCount > 0 ? 1 : 0;

    private int ServedLabels(scoped ref readonly LookupName name, RRType type) =>
        _served?.ZoneLabels(in name, type) ?? -1;
}
