namespace Dns.Zones.Lookup;

/// <summary>The lookup of RFC 1034 §4.3.2 step 3 within one zone.</summary>
/// <remarks>
/// The exact name is tried first: that settles positive answers, NODATA and most referrals with one probe, because a
/// node is marked as a cut or as occluded. Only a miss walks up, label by label, to the closest encloser, and only an
/// occluded node searches for its cut. An editor that adds a cut above many names does not visit them; until the zone
/// is loaded again, every lookup in such versions checks the ancestors. The owner of an NSEC3 record is not a name of
/// the zone (RFC 5155 §7.2.8): its node is marked as occluded, and skipped.
/// </remarks>
public static class ZoneLookup
{
    /// <summary>Looks a name up.</summary>
    /// <param name="name">A name at or below the zone's apex.</param>
    /// <param name="apexSkip">How many labels of the name precede the apex.</param>
    /// <param name="type">The queried type: the parent's side of a cut answers DS (RFC 4035 §3.1.4.1).</param>
    public static LookupResult Lookup(this Zone zone, scoped ref readonly LookupName name, int apexSkip, RRType type)
    {
        if (!zone.TryFind(in name, 0, out ZoneNode node)) return LookupMissing(zone, in name, apexSkip);
        if (node.IsOccluded || zone.HasUnmarkedCuts)
        {
            if (TryFindObscuring(zone, in name, apexSkip, out LookupResult obscuring)) return obscuring;
            if (node.IsOccluded && node.IsNsec3Owner) return LookupMissing(zone, in name, apexSkip);
        }
        if (node.IsCut && type != RRType.DS) return new LookupResult(LookupOutcome.Delegation, node, 0);
        return new LookupResult(LookupOutcome.Found, node, 0);
    }

    private static LookupResult LookupMissing(Zone zone, scoped ref readonly LookupName name, int apexSkip,
        int skip = 1)
    {
        // The apex exists, so the walk ends there at the latest; names have at most 127 labels.
        ZoneNode encloser;
        while (!zone.TryFind(in name, skip, out encloser)) skip++;
        if (encloser.IsOccluded || zone.HasUnmarkedCuts)
        {
            if (TryFindObscuring(zone, in name, apexSkip, out LookupResult obscuring)) return obscuring;
            if (encloser.IsOccluded && encloser.IsNsec3Owner) return LookupMissing(zone, in name, apexSkip, skip + 1);
        }
        if (encloser.IsCut) return new LookupResult(LookupOutcome.Delegation, encloser, skip);
        if (encloser.HasDname) return new LookupResult(LookupOutcome.Redirection, encloser, skip);
        if (encloser.HasWildcardChild && zone.TryFindWildcard(in name, skip, out ZoneNode wildcard))
            return new LookupResult(LookupOutcome.Wildcard, wildcard, skip);
        return new LookupResult(LookupOutcome.NameError, encloser, skip);
    }

    /// <summary>Finds the topmost cut or DNAME above a name that may have one.</summary>
    private static bool TryFindObscuring(Zone zone, scoped ref readonly LookupName name, int apexSkip,
        out LookupResult result)
    {
        result = default;
        for (int skip = apexSkip; skip > 0; skip--)
        {
            if (!zone.TryFind(in name, skip, out ZoneNode node)) continue;
            if (node.IsCut) result = new LookupResult(LookupOutcome.Delegation, node, skip);
            else if (node.HasDname) result = new LookupResult(LookupOutcome.Redirection, node, skip);
            else continue;
            return true;
        }
        return false;
    }
}
