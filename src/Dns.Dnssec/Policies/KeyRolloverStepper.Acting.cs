namespace Dns.Dnssec.Policies;

/// <content>The steps: each is taken when the caches' possible contents allow it.</content>
internal sealed partial class KeyRolloverStepper
{
    /// <summary>Takes one step; false if none is possible.</summary>
    private bool Act()
    {
        if (_needs.Count > 0) return false;
        _targets = [.. _targets.Select(target => _keys.Find(target.Id)!)];
        // All must be known to caches before the first old one is removed.
        return Publish() || BeginToSign() || Submit() || EndToSign() || Unpublish() || Remove();
    }

    /// <summary>Publishes the new keys, all at once, so that their algorithm is complete.</summary>
    private bool Publish()
    {
        KeyIds ids = KeyIds.Of(_targets.Where(target => !target.IsPublished).Select(target => target.Id));
        if (ids.Count == 0) return false;
        CachedSet next = new(_keys.Published.With(ids), TimeSpan.Zero)
        {
            Signers =
                _keys.KeySigners.With(_targets.Where(target => target.Role.SignsKeys()).Select(target => target.Id)),
        };
        if (!IsPossible(at => Safety.Allows(next, at, TimeSpan.Zero), TimeSpan.Zero, ids, KeyAction.Publish))
            return false;
        _keys = _keys.With(ids, key => key with
        {
            IsPublished = true, Published = _now, Activated = key.Role == KeyRole.Ksk ? _now : key.Activated,
        });
        Note(KeyEventKind.Published, ids);
        return true;
    }

    /// <summary>Activates the new key: it replaces signers of its algorithm and joins those of others.</summary>
    private bool BeginToSign()
    {
        if (Array.Find(_targets, target => target.Role.SignsZone() && !target.SignsZone) is not { } target)
            return false;
        KeyIds replaced = KeyIds.Of(_keys.ZoneSigners.Where(id => id.Algorithm == target.Id.Algorithm));
        KeyIds next = _keys.ZoneSigners.Without(replaced).With([target.Id]);
        if (!IsPossible(at => Safety.Allows(next, at, TimeSpan.Zero), TimeSpan.Zero, [target.Id], KeyAction.SignZone))
            return false;
        _keys = _keys.With(replaced, key => key with { SignsZone = false })
            .With([target.Id], key => key with { SignsZone = true, Activated = _now });
        _events.Add(new KeyEvent(KeyEventKind.SignsZone, [target.Id]) { Replaced = replaced });
        return true;
    }

    /// <summary>Requests the DS RRset of the new key from the parent.</summary>
    private bool Submit()
    {
        KeyIds next = KeyIds.Of(_targets.Where(target => target.Role.SignsKeys()).Select(target => target.Id));
        if (next.Count == 0 || next.Equals(_keys.WantedDs)) return false;
        if (!IsPossible(at => Safety.AllowsDs(next, at), TimeSpan.Zero, next, KeyAction.SubmitDs)) return false;
        Want(next);
        Note(KeyEventKind.DsRequested, next);
        return true;
    }

    private void Want(KeyIds next)
    {
        IEnumerable<CachedSet> sets = _keys.DsSets.Where(set => !set.Keys.Equals(next));
        _keys = _keys with { WantedDs = next, DsSets = [.. sets, new CachedSet(next, DsTtl)] };
    }

    /// <summary>Ends signatures of retiring keys, once no cached DNSKEY RRset has them or their algorithm.</summary>
    private bool EndToSign()
    {
        KeyIds ids =
            KeyIds.Of(_keys.Keys.Where(key => key is { IsRetiring: true, SignsZone: true }).Select(key => key.Id));
        if (ids.Count == 0 || !_targets.Any(target => target.SignsZone)) return false;
        KeyIds next = _keys.ZoneSigners.Without(ids);
        if (!IsPossible(at => Safety.Allows(next, at, _policy.RetireSafety), _policy.RetireSafety, ids,
            KeyAction.EndSigning)) return false;
        _keys = _keys.With(ids, key => key with { SignsZone = false });
        Note(KeyEventKind.SigningEnded, ids);
        return true;
    }

    /// <summary>Removes retiring keys from the DNSKEY RRset: all of an algorithm together, or one alone.</summary>
    private bool Unpublish()
    {
        KeyIds all =
            KeyIds.Of(_keys.Keys.Where(key => key is { IsRetiring: true, IsPublished: true }).Select(key => key.Id));
        foreach (DnssecAlgorithm algorithm in all.Algorithms)
        {
            KeyIds ids = KeyIds.Of(all.Where(id => id.Algorithm == algorithm));
            if (Unpublish(ids)) return true;
            if (ids.Count == 1) continue;
            foreach (KeyId id in ids)
                if (Unpublish([id])) return true;
        }
        return false;
    }

    private bool Unpublish(KeyIds ids)
    {
        CachedSet next = new(_keys.Published.Without(ids), TimeSpan.Zero) { Signers = _keys.KeySigners.Without(ids) };
        if (next.Keys.Count == 0) return false;
        if (!IsPossible(at => Safety.Allows(next, at, _policy.RetireSafety), _policy.RetireSafety, ids,
            KeyAction.Remove)) return false;
        _keys = _keys.With(ids, key => key with { IsPublished = false });
        Note(KeyEventKind.Unpublished, ids);
        return true;
    }

    /// <summary>Marks keys that no cached version refers to any more.</summary>
    private bool Remove()
    {
        KeyIds ids = KeyIds.Of(_keys.Keys
            .Where(key => key is { IsRetiring: true, IsRemoved: false, IsPublished: false, SignsZone: false })
            .Select(key => key.Id));
        foreach (KeyId id in ids)
        {
            TimeSpan safety = _policy.RetireSafety;
            if (!IsPossible(at => !Safety.Names(id, at, safety), safety, [id], KeyAction.Forget)) continue;
            _keys = _keys.With([id], key => key with { Removed = _now });
            Note(KeyEventKind.Unused, [id]);
            return true;
        }
        return false;
    }

    /// <summary>Makes a zone unsigned: first the DS RRset is removed, then everything else at once.</summary>
    private bool ActToLeave()
    {
        if (_keys.WantedDs.Count > 0)
        {
            Want(KeyIds.None);
            // An offline KSK signs no request.
            _asksByHand = _keys.Slot is not null;
            Note(_asksByHand ? KeyEventKind.DsRemovalByHand : KeyEventKind.DsRemovalRequested, KeyIds.None);
            return true;
        }
        KeyIds all = KeyIds.Of(_keys.Keys.Where(key => !key.IsRemoved).Select(key => key.Id));
        if (all.Count == 0) return false;
        if (_facts.AwaitsParent)
        {
            _waits.Add(new KeyWait(all, KeyAction.EndSigning, null, KeyConditionKind.ParentWithoutDs));
            return false;
        }
        TimeSpan safety = _policy.RetireSafety;
        if (!IsPossible(at => Safety.IsWithoutDs(at, safety), safety, all, KeyAction.EndSigning))
            return false;
        _keys = _keys.With(all, key => key with
        {
            IsPublished = false, SignsZone = false, IsRetiring = true, Retired = key.Retired ?? _now, Removed = _now,
        });
        _keys = _keys with { Slot = null };
        Note(KeyEventKind.ZoneUnsigned, KeyIds.None);
        return true;
    }
}
