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
                IsPossible(at => IsSafeSlot(due[^1], at), _policy.RetireSafety, due[^1].Keys, "take the next key set");
                return false;
            }
            next = due[^1];
            if (_keys.Published.Count > 0)
                _events.Add("the next key set is taken, since the signatures of the one before have ended");
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
            IsSafe(new CachedSet(keys, TimeSpan.Zero) { Signers = slot.Ksks }, at, safety);
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
        if (come.Count > 0) _events.Add($"{come.Are()} published");
        if (go.Count > 0) _events.Add($"{go.Are()} taken out of the zone");
    }

    private bool SubmitSlot(SlotKeys slot)
    {
        if (slot.Cds.Count == 0 || slot.Cds.Equals(_keys.WantedDs)) return false;
        if (!IsPossible(at => IsSafeDs(slot.Cds, at), TimeSpan.Zero, slot.Cds, KeyWait.SubmitDs)) return false;
        Want(slot.Cds);
        _events.Add($"CDS and CDNSKEY request the DS record of key {slot.Cds.Tags()}");
        return true;
    }

    private void AddSlots()
    {
        if (_facts.Slots.FirstOrDefault(slot => slot.Start > _now) is { } next)
            _waits.Add(new KeyWait(KeyIds.None, "take the next key set", next.Start, null));
        // A step is then due, which reports the fault.
        if (CurrentSlot is { } current && current.End > _now)
            _waits.Add(new KeyWait(KeyIds.None, "signatures of this key set end", current.End, null));
        // A new KSK is published before a later slot requests its DS record.
        foreach (KeyId id in CurrentSlot?.Ksks.Without(CurrentSlot.Cds).Without(_keys.WantedDs) ?? [])
            if (_facts.Slots.FirstOrDefault(slot => slot.Start > _now && slot.Cds.Contains(id)) is { } submits)
                _waits.Add(new KeyWait([id], KeyWait.SubmitDs, submits.Start, null));
        foreach (KeyRecord target in _targets)
            if (target.Role.SignsKeys() && _keys.WantedDs.Contains(target.Id) && IsDsMissing(target))
                _waits.Add(new KeyWait([target.Id], "see the DS record", null,
                    $"the DS record of key {target.Id.Tag} at the parent"));
    }

    /// <summary>What is missing in the signatures of an offline KSK; null if complete.</summary>
    private string? FindOfflineFault()
    {
        if (!IsOffline || _keys.Published.Count == 0 && _leaves) return null;
        if (_facts.Slots.Count == 0)
            return "its KSK is offline, and no bundle with its signatures is loaded: expected one "
                + "(\"dnsd keys request\", \"keys sign-request\" where the KSK is, \"keys load-bundle\")";
        if (CurrentSlot is { } current && _now < current.End) return null;
        if (_keys.Published.Count > 0 && _keys.Slot is null) return null;
        if (_now < _facts.Slots[^1].End)
            return "its bundle lacks the key set that is served, and caches do not allow another one of it yet: "
                + "expected a bundle of a request made now";
        return $"the signatures of its KSK ended at {_facts.Slots[^1].End:u}: expected the next bundle (\"dnsd keys " +
            $"load-bundle\")";
    }
}
