namespace Dns.Dnssec.Policies;

/// <content>Served and observed versions, and those that caches no longer hold.</content>
internal sealed partial class KeyRolloverStepper
{
    private void ObserveServed()
    {
        ServedKeys served = _facts.Served;
        if (_keys.KeySets.Count == 0)
            _keys = _keys with
            {
                KeySets = [new CachedSet(KeyIds.None, served.LongestTtl)],
                SignerSets = [new CachedSet(KeyIds.None, served.LongestTtl)],
            };
        if (_keys.DsSets.Count == 0) _keys = _keys with { DsSets = [new CachedSet(KeyIds.None, DsTtl)] };
        _keys = _keys with
        {
            KeySets = Observe(_keys.KeySets,
                [new CachedSet(served.Keys, served.KeysTtl) { Signers = served.KeySigners }]),
            SignerSets = Observe(_keys.SignerSets,
                [.. served.SignerSets.Select(signers => new CachedSet(signers, served.LongestTtl))]),
        };
    }

    private TimeSpan DsTtl => _keys.DsTtl ?? _policy.ParentDsTtl;

    private List<CachedSet> Observe(IReadOnlyList<CachedSet> known, CachedSet[] served)
    {
        List<CachedSet> sets = [];
        // A state may have a longer TTL, from before the bound.
        foreach (CachedSet set in known.Select(set => set.Bounded))
        {
            if (Array.Find(served, set.IsSame) is { } again)
                sets.Add(set with { Replaced = null, Ttl = set.Ttl > again.Ttl ? set.Ttl : again.Ttl });
            else sets.Add(set.Replaced is null ? Replace(set) : set);
        }
        foreach (CachedSet set in served)
            if (!sets.Exists(set.IsSame)) sets.Add(set);
        return sets;
    }

    /// <summary>
    /// A version that is no longer served. Without keys, caches held the zone's RRsets and their absence, with any TTL
    /// of the zone, which is known by now.
    /// </summary>
    private CachedSet Replace(CachedSet set)
    {
        bool isUnsigned = set.Keys.Count == 0 && set.Ttl < _facts.Served.LongestTtl;
        return set with { Replaced = _now, Ttl = isUnsigned ? _facts.Served.LongestTtl : set.Ttl };
    }

    private void Observe(ParentDs seen)
    {
        if (_keys.SeenDs is null || !_keys.SeenDs.Equals(seen.Keys))
            Note(KeyEventKind.DsSeen, seen.Keys);
        _keys = DsObservation.Apply(_keys, _policy, seen, _now);
    }

    private bool ObserveCds()
    {
        ServedKeys served = _facts.Served;
        bool isSame = _keys.ServedCds.Equals(served.Cds) && _keys.ServedCdsDelete == served.IsCdsDelete;
        _keys = _keys with { ServedCds = served.Cds, ServedCdsDelete = served.IsCdsDelete };
        return !isSame && (served.Cds.Count > 0 || served.IsCdsDelete);
    }

    /// <summary>Removes versions that no cache holds any more, and keys that are long out of use.</summary>
    private void Forget() => _keys = _keys with
    {
        KeySets =
            [.. _keys.KeySets.Where(set => set.IsPossible(_now, _policy.PropagationDelay + _policy.RetireSafety))],
        SignerSets =
            [.. _keys.SignerSets.Where(set => set.IsPossible(_now, _policy.PropagationDelay + _policy.RetireSafety))],
        DsSets = [.. _keys.DsSets.Where(set => set.IsPossible(_now, _policy.ParentDelay + _policy.RetireSafety))],
        Keys = [
            .. _keys.Keys.Where(key => key.Removed is not { } removed || _now < removed + KeyRollover.KeptWhenRemoved)],
    };
}
