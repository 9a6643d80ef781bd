namespace Dns.Dnssec.Policies;

/// <summary>
/// Whether a step breaks a chain: validators hold any combination of the versions of DS, DNSKEY and signatures that
/// caches may have, by what was seen to be served and by what is decided.
/// </summary>
/// <param name="targets">The keys that stay.</param>
internal sealed class RolloverSafety(ZoneKeys keys, DnssecPolicy policy, KeyRecord[] targets)
{
    private CachedSet Decided => new(keys.Published, TimeSpan.Zero) { Signers = keys.KeySigners };

    /// <summary>Whether a DNSKEY RRset breaks no chain that the decided one has.</summary>
    internal bool Allows(CachedSet next, DateTimeOffset at, TimeSpan safety)
    {
        CachedSet decided = Decided;
        KeyIds[] all = [.. SignersAt(at, safety)];
        foreach (KeyIds ds in AnchorsAt(at, safety))
            foreach (KeyIds signers in all)
                if (!Holds(ds, next, signers) && Holds(ds, decided, signers)) return false;
        return true;
    }

    /// <summary>Whether signatures break no chain that the decided ones have.</summary>
    internal bool Allows(KeyIds next, DateTimeOffset at, TimeSpan safety)
    {
        CachedSet[] all = [.. KeySetsAt(at, safety)];
        foreach (KeyIds ds in AnchorsAt(at, safety))
            foreach (CachedSet set in all)
                if (!Holds(ds, set, next) && Holds(ds, set, keys.ZoneSigners)) return false;
        return true;
    }

    /// <summary>Whether a DS RRset breaks no chain; here the previous one is no excuse.</summary>
    internal bool AllowsDs(KeyIds next, DateTimeOffset at)
    {
        KeyIds[] all = [.. SignersAt(at, TimeSpan.Zero)];
        foreach (CachedSet set in KeySetsAt(at, TimeSpan.Zero))
            foreach (KeyIds signers in all)
                if (!Holds(next, set, signers)) return false;
        return true;
    }

    /// <summary>Whether no cache has a DS record.</summary>
    internal bool IsWithoutDs(DateTimeOffset at, TimeSpan safety) => DsAt(at, safety).All(set => set.Count == 0);

    /// <summary>Whether a version that caches may hold refers to a key.</summary>
    internal bool Names(KeyId id, DateTimeOffset at, TimeSpan safety) =>
        KeySetsAt(at, safety).Any(set => set.Keys.Contains(id))
        || SignersAt(at, safety).Any(set => set.Contains(id)) || DsAt(at, safety).Any(set => set.Contains(id));

    /// <summary>The moments after <paramref name="now"/> at which caches expire versions, in order.</summary>
    internal IEnumerable<DateTimeOffset> Expiries(DateTimeOffset now, TimeSpan safety)
    {
        IEnumerable<DateTimeOffset?> own = keys.KeySets.Concat(keys.SignerSets)
            .Select(set => set.Replaced + set.Ttl + policy.PropagationDelay + safety);
        IEnumerable<DateTimeOffset?> parent =
            keys.DsSets.Select(set => set.Replaced + set.Ttl + policy.ParentDelay + safety);
        return own.Concat(parent).OfType<DateTimeOffset>().Where(at => at > now).Distinct().Order();
    }

    /// <summary>The versions that caches may hold at a moment, including the decided one.</summary>
    private IEnumerable<CachedSet> KeySetsAt(DateTimeOffset at, TimeSpan safety) =>
        keys.KeySets.Where(set => set.IsPossible(at, policy.PropagationDelay + safety)).Append(Decided);

    private IEnumerable<KeyIds> SignersAt(DateTimeOffset at, TimeSpan safety) =>
        keys.SignerSets.Where(set => set.IsPossible(at, policy.PropagationDelay + safety))
            .Select(set => set.Keys).Append(keys.ZoneSigners);

    private IEnumerable<KeyIds> DsAt(DateTimeOffset at, TimeSpan safety) =>
        keys.DsSets.Where(set => set.IsPossible(at, policy.ParentDelay + safety)).Select(set => set.Keys)
            .Append(keys.WantedDs);

    /// <summary>
    /// The possible trust anchors: the versions of the DS RRset, and the key that would be in the next one. A zone
    /// that never had a DS RRset thus rolls over like others: its key may be configured as an anchor.
    /// </summary>
    private IEnumerable<KeyIds> AnchorsAt(DateTimeOffset at, TimeSpan safety)
    {
        KeyIds next = KeyIds
            .Of(targets.Where(target => target.Role.SignsKeys() && target.IsPublished).Select(target => target.Id));
        return DsAt(at, safety).Append(next.Count > 0 ? next : keys.KeySigners);
    }

    /// <summary>
    /// Whether every validator finds the zone secure, even one that requires a chain for each algorithm of the DS
    /// RRset, and signatures of each algorithm of the DNSKEY RRset (RFC 4035 §2.2; RFC 6840 §5.11 allows any one).
    /// </summary>
    /// <param name="ds">The keys of the DS RRset. Without any the zone is insecure, which is acceptable.</param>
    /// <param name="signers">The keys that sign another RRset.</param>
    private static bool Holds(KeyIds ds, CachedSet set, KeyIds signers)
    {
        if (ds.Count == 0) return true;
        foreach (DnssecAlgorithm algorithm in ds.Algorithms)
            if (!Any(ds, set.Keys, set.Signers, algorithm) || !Any(signers, set.Keys, set.Keys, algorithm))
                return false;
        foreach (DnssecAlgorithm algorithm in set.Keys.Algorithms)
            if (!set.Signers.Has(algorithm) || !signers.Has(algorithm)) return false;
        return true;
    }

    /// <summary>Whether three sets have a key of an algorithm in common.</summary>
    private static bool Any(KeyIds first, KeyIds second, KeyIds third, DnssecAlgorithm algorithm)
    {
        foreach (KeyId id in first)
            if (id.Algorithm == algorithm && second.Contains(id) && third.Contains(id)) return true;
        return false;
    }
}
