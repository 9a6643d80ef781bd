namespace Dns.Dnssec.Validation;

/// <summary>The position of a name in its zone.</summary>
internal enum NodePosition : byte
{
    /// <summary>Data of the zone: all of it is signed.</summary>
    Authoritative,

    /// <summary>A delegation: DS and NSEC are signed.</summary>
    Cut,

    /// <summary>Below a delegation or a DNAME: glue, not signed.</summary>
    Hidden,

    /// <summary>The owner of NSEC3 records, and otherwise no name of the zone.</summary>
    Hashed,
}

/// <summary>Determines the position.</summary>
internal static class NodePositions
{
    internal static NodePosition Of(Zone zone, ZoneNode node)
    {
        if (node.IsNsec3Owner && IsHashedOwner(zone, node)) return NodePosition.Hashed;
        // In an edited version the flag of a node may be stale after a cut was added or removed.
        bool isHidden = (zone.HasUnmarkedCuts || node.IsOccluded) && IsBelowCut(zone, node);
        return isHidden ? NodePosition.Hidden : node.IsCut ? NodePosition.Cut : NodePosition.Authoritative;
    }

    /// <summary>Whether a name may have NSEC3 records, by its length.</summary>
    internal static bool IsHashedOwner(Zone zone, ZoneNode node) =>
        node.Name.Length == zone.Apex.Length + 1 + HashedOwner.LabelOctets;

    private static bool IsBelowCut(Zone zone, ZoneNode node)
    {
        LookupName name = default;
        name.Set(node.Name);
        int labels = name.LabelCount - WireName.CountLabels(zone.Apex);
        for (int skip = 1; skip <= labels; skip++)
            if (zone.TryFind(in name, skip, out ZoneNode above) && (above.IsCut || above.HasDname)) return true;
        return false;
    }
}
