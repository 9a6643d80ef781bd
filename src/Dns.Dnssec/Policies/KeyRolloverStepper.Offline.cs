namespace Dns.Dnssec.Policies;

/// <content>
/// A zone with an offline KSK: the DNSKEY RRset is that of a slot. The next slot is used when it is due and breaks no
/// chain; otherwise the previous one is served as long as its signatures are valid.
/// </content>
internal sealed partial class KeyRolloverStepper
{
    /// <summary>Whether slots determine the published keys.</summary>
    private bool IsOffline => _policy.OfflineKsk && (!_leaves || _keys.Slot is not null);

    private SlotKeys? CurrentSlot => _facts.Slots.FirstOrDefault(slot => slot.Start == _keys.Slot);

    private bool ActOffline()
    {
        if (FollowSlot()) return true;
        if (_leaves) return ActToLeave();
        SlotKeys? slot = CurrentSlot;
        _targets = [.. _keys.Keys.Where(key => slot is null
            ? key is { IsPublished: true, IsRetiring: false } && (key.Role.SignsKeys() || key.SignsZone)
            : slot.Ksks.Contains(key.Id) || slot.Zsks.Count > 0 && slot.Zsks[^1] == key.Id)];
        return BeginToSign() || slot is not null && SubmitSlot(slot) || Remove();
    }

    /// <summary>Moves to the latest slot that breaks no chain.</summary>
    private bool FollowSlot()
    {
        SlotKeys? next = null;
        // The bundle of a backup, or one changed by hand, may lack the served slot: another one, also an earlier one.
        if (_keys.Slot is not null && CurrentSlot is null)
            next = _facts.Slots.LastOrDefault(slot => slot.Start <= _now && _now < slot.End && IsSafeSlot(slot));
        SlotKeys[] due =
            [.. _facts.Slots.Where(slot => slot.Start <= _now && (_keys.Slot is null || slot.Start > _keys.Slot))];
        if (due.Length == 0 && next is null) return false;
        next ??= Array.FindLast(due, slot => _now < slot.End && IsSafeSlot(slot));
        if (next is null)
        {
            if (_now >= due[^1].End) return false;
            bool isHeld =
                _keys.Published.Count > 0 && (_keys.Slot is null || CurrentSlot is { } current && _now < current.End);
            if (isHeld)
            {
                IsPossible(at => IsSafeSlot(due[^1], at), _policy.RetireSafety, due[^1].Keys, KeyAction.TakeKeySet);
                return false;
            }
            next = due[^1];
            if (_keys.Published.Count > 0)
                Note(KeyEventKind.KeySetExpired, KeyIds.None);
        }
        Take(next);
        return true;
    }

    private bool IsSafeSlot(SlotKeys slot) => IsSafeSlot(slot, _now);

    private bool IsSafeSlot(SlotKeys slot, DateTimeOffset at)
    {
        KeyIds keys = slot.Keys;
        TimeSpan safety = _keys.Published.All(keys.Contains) ? TimeSpan.Zero : _policy.RetireSafety;
        return _keys.Published.Count == 0 ||
            Safety.Allows(new CachedSet(keys, TimeSpan.Zero) { Signers = slot.Ksks }, at, safety);
    }

    private void Take(SlotKeys slot)
    {
        KeyIds keys = slot.Keys, before = _keys.Published;
        foreach (KeyId id in keys)
            if (_keys.Find(id) is null)
                _keys = _keys.With(new KeyRecord(id, slot.Ksks.Contains(id) ? KeyRole.Ksk : KeyRole.Zsk, _now));
        KeyIds come = keys.Without(before), go = before.Without(keys);
        _keys = _keys.With(come, key => key with
        {
            IsPublished = true, IsRetiring = false, Retired = null, Removed = null,
            Published = _now, Activated = key.Role == KeyRole.Ksk ? _now : key.Activated,
        });
        _keys = _keys.With(go,
            key => key with { IsPublished = false, SignsZone = false, IsRetiring = true, Retired = _now });
        // Of several new keys the last is the newest.
        if (!_keys.ZoneSigners.Any(keys.Contains))
            _keys = _keys.With([slot.Zsks[^1]], key => key with { SignsZone = true, Activated = _now });
        _keys = _keys with { Slot = slot.Start };
        if (come.Count > 0) Note(KeyEventKind.Published, come);
        if (go.Count > 0) Note(KeyEventKind.Unpublished, go);
    }

    private bool SubmitSlot(SlotKeys slot)
    {
        if (slot.Cds.Count == 0 || slot.Cds.Equals(_keys.WantedDs)) return false;
        if (!IsPossible(at => Safety.AllowsDs(slot.Cds, at), TimeSpan.Zero, slot.Cds, KeyAction.SubmitDs)) return false;
        Want(slot.Cds);
        Note(KeyEventKind.DsRequested, slot.Cds);
        return true;
    }

    private void AddSlots()
    {
        if (_facts.Slots.FirstOrDefault(slot => slot.Start > _now) is { } next)
            _waits.Add(new KeyWait(KeyIds.None, KeyAction.TakeKeySet, next.Start, null));
        // A step is then due, which reports the fault.
        if (CurrentSlot is { } current && current.End > _now)
            _waits.Add(new KeyWait(KeyIds.None, KeyAction.EndKeySet, current.End, null));
        // A new KSK is published before a later slot requests its DS record.
        foreach (KeyId id in CurrentSlot?.Ksks.Without(CurrentSlot.Cds).Without(_keys.WantedDs) ?? [])
            if (_facts.Slots.FirstOrDefault(slot => slot.Start > _now && slot.Cds.Contains(id)) is { } submits)
                _waits.Add(new KeyWait([id], KeyAction.SubmitDs, submits.Start, null));
        foreach (KeyRecord target in _targets)
            if (target.Role.SignsKeys() && _keys.WantedDs.Contains(target.Id) && IsDsMissing(target))
                _waits.Add(new KeyWait([target.Id], KeyAction.SeeDs, null,
                    new KeyCondition(KeyConditionKind.DsAtParent, [target.Id])));
    }

    /// <summary>What is missing in the signatures of an offline KSK; null if complete.</summary>
    private OfflineFault? FindOfflineFault()
    {
        if (!IsOffline || _keys.Published.Count == 0 && _leaves) return null;
        if (_facts.Slots.Count == 0) return new OfflineFault(OfflineFaultKind.NoBundle);
        if (CurrentSlot is { } current && _now < current.End) return null;
        if (_keys.Published.Count > 0 && _keys.Slot is null) return null;
        return _now < _facts.Slots[^1].End ? new OfflineFault(OfflineFaultKind.NoServedKeySet)
            : new OfflineFault(OfflineFaultKind.Expired, _facts.Slots[^1].End);
    }
}
