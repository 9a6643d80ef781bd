using Dns.Protocol;
using Dns.Zones;

namespace Dns.Dnssec;

/// <summary>What the names of an unsigned source are to its signed version: own data, a cut, glue, or nothing at all.</summary>
internal static class SourceNames
{
    /// <summary>
    /// Whether records of a type are made by signing and so never taken from the source. Those of the zone's keys are a matter of the
    /// apex: <see cref="ApexRecords"/>.
    /// </summary>
    internal static bool IsMade(RRType type) => type is RRType.RRSIG or RRType.NSEC or RRType.NSEC3;

    /// <summary>Whether a node has records that the signed version has too.</summary>
    internal static bool HasOwnData(ZoneNode node)
    {
        foreach (RRset rrset in node)
            if (!IsMade(rrset.Type)) return true;
        return false;
    }

    /// <summary>Whether a node hides what is below it: a cut or a DNAME.</summary>
    internal static bool Hides(ZoneNode node) => node.IsCut || node.HasDname;

    /// <summary>Whether a cut is one to an unsigned zone.</summary>
    internal static bool IsInsecure(ZoneNode cut) => !cut.TryFind(RRType.DS, out _);

    /// <summary>
    /// Finds the highest cut or DNAME above a name: the name itself and, for a cut, the apex do not count.
    /// </summary>
    /// <param name="zone">The zone.</param>
    /// <param name="name">A name in the zone.</param>
    /// <param name="labels">How many labels of the name stand in front of what is found.</param>
    internal static bool TryFindTop(Zone zone, ReadOnlySpan<byte> name, out int labels)
    {
        LookupName lookup = default;
        lookup.Set(name);
        for (labels = lookup.LabelCount - WireName.CountLabels(zone.Apex); labels > 0; labels--)
            if (zone.TryFind(in lookup, labels, out ZoneNode above) && Hides(above)) return true;
        return false;
    }

    /// <summary>Finds the node of a name.</summary>
    internal static bool TryFind(Zone zone, ReadOnlySpan<byte> name, out ZoneNode node)
    {
        LookupName lookup = default;
        lookup.Set(name);
        return zone.TryFind(in lookup, 0, out node);
    }

    /// <summary>
    /// Whether a name without data is an empty non-terminal: some name below has some. Seldom more than a step: below a name without
    /// data the next one in order has data, unless it was made by an earlier signing.
    /// </summary>
    internal static bool HasDataBelow(Zone zone, ReadOnlySpan<byte> name)
    {
        foreach (ZoneNode node in zone.Order.Below(name))
            if (HasOwnData(node)) return true;
        return false;
    }

    /// <summary>Whether a name that nothing hides has a record in the chain of NSEC or NSEC3 records.</summary>
    internal static bool IsInChain(Zone zone, ZoneNode node, DenialPlan plan)
    {
        if (plan.IsCompact) return false;
        bool hasData = HasOwnData(node);
        if (!plan.IsHashed) return hasData;
        if (node.IsCut && plan.OptsOut && IsInsecure(node)) return false;
        return hasData || HasDataBelow(zone, node.Name);
    }
}
