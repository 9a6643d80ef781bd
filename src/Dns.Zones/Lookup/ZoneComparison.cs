using Dns.Protocol;

namespace Dns.Zones;

/// <summary>Whether two versions of a zone are one.</summary>
public static class ZoneComparison
{
    /// <summary>
    /// Whether two zones have the same records in the same spelling and order: what the same file gives when it is read
    /// twice. Zones that differ mostly do so in their counts or first names, and cost nothing.
    /// </summary>
    public static bool IsSameAs(this Zone zone, Zone other)
    {
        if (zone.Serial != other.Serial || zone.RecordCount != other.RecordCount || zone.NameCount != other.NameCount)
            return false;
        Zone.NodeEnumerator others = other.GetEnumerator();
        foreach (ZoneNode node in zone)
            if (!others.MoveNext() || !AreSame(node, others.Current)) return false;
        return !others.MoveNext();
    }

    private static bool AreSame(ZoneNode node, ZoneNode other)
    {
        Span<byte> owner = stackalloc byte[WireName.MaxOctets], otherOwner = stackalloc byte[WireName.MaxOctets];
        if (node.RRsetCount != other.RRsetCount || !node.Name.SequenceEqual(other.Name)) return false;
        if (!owner[..node.CopyOwner(owner)].SequenceEqual(otherOwner[..other.CopyOwner(otherOwner)])) return false;
        ZoneNode.RRsetEnumerator others = other.GetEnumerator();
        foreach (RRset rrset in node)
        {
            if (!others.MoveNext()) return false;
            RRset otherRRset = others.Current;
            if (rrset.Type != otherRRset.Type || rrset.Ttl != otherRRset.Ttl || rrset.Count != otherRRset.Count
                || !rrset.Records.SequenceEqual(otherRRset.Records)) return false;
        }
        return true;
    }
}
