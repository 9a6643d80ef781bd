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
        DsSets = [.. _keys.DsSets.Where(set => set.IsPossible(_now, ParentDelay + _policy.RetireSafety))],
        Keys = [
            .. _keys.Keys.Where(key => key.Removed is not { } removed || _now < removed + KeyRollover.KeptWhenRemoved)],
    };

    /// <summary>The versions that caches may hold at a moment, including the decided one.</summary>
    private IEnumerable<CachedSet> KeySetsAt(DateTimeOffset at, TimeSpan safety) =>
        _keys.KeySets.Where(set => set.IsPossible(at, _policy.PropagationDelay + safety)).Append(DecidedKeys);

    private IEnumerable<KeyIds> SignersAt(DateTimeOffset at, TimeSpan safety) =>
        _keys.SignerSets.Where(set => set.IsPossible(at, _policy.PropagationDelay + safety))
            .Select(set => set.Keys).Append(_keys.ZoneSigners);

    private IEnumerable<KeyIds> DsAt(DateTimeOffset at, TimeSpan safety) =>
        _keys.DsSets.Where(set => set.IsPossible(at, ParentDelay + safety)).Select(set => set.Keys)
            .Append(_keys.WantedDs);

    /// <summary>
    /// The possible trust anchors: the versions of the DS RRset, and the key that would be in the next one. A zone
    /// that never had a DS RRset thus rolls over like others: its key may be configured as an anchor.
    /// </summary>
    private IEnumerable<KeyIds> AnchorsAt(DateTimeOffset at, TimeSpan safety)
    {
        KeyIds next = KeyIds
            .Of(_targets.Where(target => target.Role.SignsKeys() && target.IsPublished).Select(target => target.Id));
        return DsAt(at, safety).Append(next.Count > 0 ? next : _keys.KeySigners);
    }

    private CachedSet DecidedKeys => new(_keys.Published, TimeSpan.Zero) { Signers = _keys.KeySigners };

    /// <summary>The moments at which caches expire versions, in order.</summary>
    private IEnumerable<DateTimeOffset> Expiries(TimeSpan safety)
    {
        IEnumerable<DateTimeOffset?> own = _keys.KeySets.Concat(_keys.SignerSets)
            .Select(set => set.Replaced + set.Ttl + _policy.PropagationDelay + safety);
        IEnumerable<DateTimeOffset?> parent = _keys.DsSets.Select(set => set.Replaced + set.Ttl + ParentDelay + safety);
        return own.Concat(parent).OfType<DateTimeOffset>().Where(at => at > _now).Distinct().Order();
    }
}
