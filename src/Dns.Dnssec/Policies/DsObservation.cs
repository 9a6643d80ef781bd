namespace Dns.Dnssec.Policies;

/// <summary>Applies an observation of the DS RRset at the parent.</summary>
internal static class DsObservation
{
    internal static ZoneKeys Apply(ZoneKeys keys, DnssecPolicy policy, ParentDs seen, DateTimeOffset now)
    {
        // A state may have a longer one, from before the bound.
        TimeSpan? known = keys.DsTtl is { } stored ? Min(stored, CachedSet.MostTtl) : null;
        TimeSpan? shown = seen.Ttl is { } received ? Min(received, CachedSet.MostTtl) : null;
        TimeSpan ttl = known is null && shown is null
            ? policy.ParentDsTtl : Max(known ?? TimeSpan.Zero, shown ?? TimeSpan.Zero);
        CachedSet current = new(seen.Keys, ttl);
        List<CachedSet> sets = [];
        foreach (CachedSet set in keys.DsSets)
        {
            // An observation replaces what was assumed before the first one.
            CachedSet kept = set with { Ttl = known is null ? ttl : Max(set.Bounded.Ttl, ttl) };
            if (set.Keys.Equals(seen.Keys)) kept = kept with { Replaced = null };
            else if (MayStillCome(keys, set, seen) || MayComeBack(keys, set, seen))
                kept = kept with { Replaced = null };
            else kept = kept with { Replaced = set.Replaced ?? now };
            sets.Add(kept);
        }
        if (!sets.Exists(set => set.Keys.Equals(seen.Keys))) sets.Add(current);
        return keys with { DsSets = sets, SeenDs = seen.Keys, DsTtl = shown is null ? known : ttl };
    }

    /// <summary>Whether the parent may still publish an earlier requested version before the latest one.</summary>
    private static bool MayStillCome(ZoneKeys keys, CachedSet set, ParentDs seen) =>
        !seen.Keys.Equals(keys.WantedDs) && set.Replaced is null && !set.Keys.Equals(keys.SeenDs ?? KeyIds.None);

    /// <summary>
    /// Whether a version that was there may be put back: the parent has none, which was not requested.
    /// </summary>
    private static bool MayComeBack(ZoneKeys keys, CachedSet set, ParentDs seen) =>
        seen.Keys.Count == 0 && keys.WantedDs.Count > 0 && set.Replaced is null && set.Keys.Count > 0;

    private static TimeSpan Min(TimeSpan left, TimeSpan right) => left < right ? left : right;

    private static TimeSpan Max(TimeSpan left, TimeSpan right) => left > right ? left : right;
}
