namespace Dns.Dnssec.Policies;

/// <content>The conditions of steps, and the reasons for waits.</content>
internal sealed partial class KeyRolloverStepper
{
    /// <summary>Whether a step can be taken now; if not, records when, or its condition.</summary>
    private bool IsPossible(Func<DateTimeOffset, bool> check, TimeSpan safety, KeyIds ids, KeyAction action)
    {
        if (check(_now)) return true;
        DateTimeOffset? due = Safety.Expiries(_now, safety).Cast<DateTimeOffset?>()
            .FirstOrDefault(at => check(at!.Value));
        _waits.Add(new KeyWait(ids, action, due, due is null ? ReasonFor(ids) : null));
        return false;
    }

    private KeyCondition ReasonFor(KeyIds ids)
    {
        bool isRequested = _keys.SeenDs is null || !_keys.SeenDs.Equals(_keys.WantedDs);
        if (isRequested && _keys.WantedDs.Count == 0 && _leaves) return KeyConditionKind.DsRemoved;
        if (isRequested && _keys.DsSets.Any(set => set.Keys.Any(ids.Contains)))
            // Imported keys request no DS record at first: the parent may have theirs.
            return _keys.WantedDs.Count == 0 ? KeyConditionKind.EarlierSteps
                : new KeyCondition(KeyConditionKind.DsAtParent, _keys.WantedDs);
        if (ids.Any(_keys.WantedDs.Contains) || ids.Any(_keys.ZoneSigners.Contains))
            return KeyConditionKind.EarlierSteps;
        if (_facts.Served.SignerSets.Any(set => set.Any(ids.Contains)))
            return new KeyCondition(KeyConditionKind.SignaturesRenewed, ids);
        return _facts.Served.SignerSets.Count > 1 ? KeyConditionKind.ZoneSigned : KeyConditionKind.EarlierSteps;
    }

    /// <summary>Adds the waits for key lifetimes and for an unseen DS record.</summary>
    private void AddRollovers()
    {
        if (_leaves) return;
        foreach (KeyRecord target in _targets)
        {
            if (_keys.Find(target.Id) is not { IsRetiring: false } key) continue;
            // The rollover before it has ended in this step; the next one begins it.
            bool isDue = IsDue(key), isWanted = IsWanted(key) && key.Activated is not null;
            if (isDue) _waits.Add(new KeyWait([key.Id], KeyAction.RollOver, _now, null));
            else if (isWanted)
                _waits.Add(new KeyWait([key.Id], KeyAction.RollOver, null, KeyConditionKind.EarlierRollover));
            if (key.Role.SignsKeys() && _keys.WantedDs.Contains(key.Id) && IsDsMissing(key))
                _waits.Add(new KeyWait([key.Id], KeyAction.SeeDs, null,
                    new KeyCondition(KeyConditionKind.DsAtParent, [key.Id])));
            else if (!isDue && !isWanted && RolloverOf(key) is { } at)
                _waits.Add(new KeyWait([key.Id], KeyAction.RollOver, at > _now ? at : null,
                    at > _now ? null : KeyConditionKind.EarlierRollover));
        }
    }

    private void AddPurges()
    {
        foreach (KeyRecord key in _keys.Keys)
            if (key.Removed is { } removed)
                _waits.Add(new KeyWait([key.Id], KeyAction.Purge, removed + KeyRollover.KeptWhenRemoved, null));
    }
}
