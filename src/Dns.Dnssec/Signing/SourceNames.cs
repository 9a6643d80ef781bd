namespace Dns.Dnssec.Signing;

/// <summary>Classifies names of an unsigned source for its signed version: own data, a cut, glue, or nothing.</summary>
internal static class SourceNames
{
    /// <summary>Whether signing makes all records of a type. For key records see <see cref="ApexRecords"/>.</summary>
    internal static bool IsMade(RRType type) => type is RRType.RRSIG or RRType.NSEC or RRType.NSEC3;

    /// <summary>Whether a node has records that are copied to the signed version.</summary>
    internal static bool HasOwnData(ZoneNode node)
    {
        foreach (RRset rrset in node)
            if (!IsMade(rrset.Type)) return true;
        return false;
    }

    /// <summary>Whether a node hides the names below it: a cut or a DNAME.</summary>
    internal static bool Hides(ZoneNode node) => node.IsCut || node.HasDname;

    /// <summary>Whether a cut is an unsigned delegation.</summary>
    internal static bool IsInsecure(ZoneNode cut) => !cut.TryFind(RRType.DS, out _);

    /// <summary>Finds the highest cut or DNAME strictly above a name; the apex counts only for its DNAME.</summary>
    /// <param name="labels">How many labels of the name precede the result.</param>
    internal static bool TryFindTop(Zone zone, ReadOnlySpan<byte> name, out int labels)
    {
        LookupName lookup = default;
        lookup.Set(name);
        for (labels = lookup.LabelCount - WireName.CountLabels(zone.Apex); labels > 0; labels--)
            if (zone.TryFind(in lookup, labels, out ZoneNode above) && Hides(above)) return true;
        return false;
    }

    internal static bool TryFind(Zone zone, ReadOnlySpan<byte> name, out ZoneNode node)
    {
        LookupName lookup = default;
        lookup.Set(name);
        return zone.TryFind(in lookup, 0, out node);
    }

    /// <summary>
    /// Whether a name without data is an empty non-terminal: a name below has data. Rarely more than a step: the next
    /// name in order has data, unless an earlier signing made it.
    /// </summary>
    internal static bool HasDataBelow(Zone zone, ReadOnlySpan<byte> name)
    {
        foreach (ZoneNode node in zone.Order.Below(name))
            if (HasOwnData(node)) return true;
        return false;
    }

    /// <summary>Whether a name that is not hidden has a record in the chain of NSEC or NSEC3 records.</summary>
    internal static bool IsInChain(Zone zone, ZoneNode node, DenialPlan plan)
    {
        if (plan.IsCompact) return false;
        bool hasData = HasOwnData(node);
        if (!plan.IsHashed) return hasData;
        if (node.IsCut && plan.OptsOut && IsInsecure(node)) return false;
        return hasData || HasDataBelow(zone, node.Name);
    }
}
