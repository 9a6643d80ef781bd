using Dns.Protocol;

namespace Dns.Forwarding;

/// <summary>
/// Which zone a question belongs to at this moment: the longest that holds its name, over those forwarded and those served; a
/// served zone wins a tie. Thread-safe; allocates nothing.
/// </summary>
internal sealed class ZoneRouting
{
    private volatile ForwardingPlan? _plan;
    private volatile IServedZones? _served;

    /// <summary>The forwarded zones.</summary>
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

    /// <summary>
    /// Changes with every change of the forwarded or served zones: what was found to belong to a zone belongs to it still if this
    /// was read before and has not changed since. Both parts only grow, so equal sums have equal parts.
    /// </summary>
    internal uint Generation => (uint)(_plan?.Number ?? 0) + (uint)(_served?.Snapshot ?? 0);

    /// <summary>The forwarded zone that a question belongs to; null if it belongs to a served one, or to none.</summary>
    /// <param name="name">QNAME.</param>
    /// <param name="type">QTYPE.</param>
    /// <param name="labels">Labels of the zone's name; -1 if there is none.</param>
    internal ZoneUpstreams? Find(scoped ref readonly LookupName name, RRType type, out int labels)
    {
        ZoneUpstreams? zone = Plan.Names.Find(in name, SkippedLabels(in name, type), out labels);
        return zone is not null && labels > ServedLabels(in name, type) ? zone : null;
    }

    /// <summary>Whether a question about a name below a forwarded zone belongs to that zone, and to no longer one.</summary>
    /// <param name="name">QNAME, at or below the zone.</param>
    /// <param name="type">QTYPE.</param>
    /// <param name="zoneLabels">Labels of the zone's name.</param>
    internal bool IsOf(scoped ref readonly LookupName name, RRType type, int zoneLabels)
    {
        Plan.Names.Find(in name, SkippedLabels(in name, type), out int labels);
        return labels == zoneLabels && zoneLabels > ServedLabels(in name, type);
    }

    /// <summary>DS stands above the zone whose name it has.</summary>
    internal static int SkippedLabels(scoped ref readonly LookupName name, RRType type) =>
        type == RRType.DS && name.LabelCount > 0 ? 1 : 0;

    private int ServedLabels(scoped ref readonly LookupName name, RRType type) => _served?.ZoneLabels(in name, type) ?? -1;
}
