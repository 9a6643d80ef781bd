namespace Dns.Dnssec.Service;

/// <content>The keys of the zone, and its signing plan.</content>
internal sealed partial class SignedZone
{
    private const int MostKeysMade = 8;
    /// <summary>Smaller steps are normal clock adjustments.</summary>
    internal static readonly TimeSpan LeastJump = TimeSpan.FromSeconds(10);
    private const DsDigest Digest = DsDigest.Sha256;

    private readonly Dictionary<KeyId, SigningKey> _open = [];
    private ZoneKeys _keys = ZoneKeys.Empty;
    private ServedKeys _served = ServedKeys.Unsigned;
    private TimeSpan _longestTtl;
    private KeyStep? _step;
    private KeyPlan? _keyPlan;
    private SigningPlan? _plan;
    private uint _dnskeyTtl;
    private (DateTimeOffset Wall, long Stamp)? _lastStep;

    private void LoadKeys()
    {
        _keys = _owner.Keys.Load(_slot.Name);
        LoadBundle();
        if (_keys.IsElsewhere && _wantedPolicy is null && _owner.Handover.MayWrite)
            _owner.Observer.OnSignedHereAgain(_slot.Name);
        foreach (string what in _owner.Keys.FindOpen(_slot.Name, _keys)) _owner.Observer.OnKeysOpen(_slot.Name, what);
    }

    /// <summary>
    /// Fails if a saved version has keys of this server that the store lacks: with others the zone would be bogus where
    /// the parent has DS records of the lost ones, while the saved version validates.
    /// </summary>
    private void ThrowIfKeysLost(Zone source)
    {
        if (_keys.Keys.Count == 0 && _signed is null && _copyProblem is not null)
            throw new SigningFailedException($"its keys are lost, and its signed copy cannot be read: {_copyProblem}");
        if (_signed is not { } kept) return;
        ServedKeys served = ServedKeysReader.Read(kept, default);
        KeyIds foreign = ServedKeysReader.Read(source, default).Keys;
        bool isOlder = _keys.Keys.Count > 0;
        // A key that only signs data is replaced within a TTL; what signs the keys is known to the parent.
        KeyIds lost = (isOlder ? served.KeySigners : served.Keys).Without(foreign);
        if (isOlder) lost = IsNewerThan(kept) ? KeyIds.None : lost.Without(lost.Where(IsKnown).ToArray());
        if (lost.Count == 0) return;
        throw new SigningFailedException(isOlder ? DescribeOlder(kept, lost)
            : $"its keys are lost: its signed copy has {string.Join(", ", lost)}, the key folder has none of the "
                + "zone: expected the key files and their state back from a backup; to sign with new keys, remove the "
                + $"DS records at the parent, give the source a serial above {kept.Serial}, and start again without "
                + "the files of the zone in the folders of keys and signed copies");
    }

    private string DescribeOlder(Zone kept, KeyIds lost)
    {
        string what = $"its keys are older than its signed copy, which is signed with {string.Join(", ", lost)}: ";
        if (lost.All(HasFile))
            return what + $"the files of these keys are in the key folder, but its {ZoneFileNames.Of(_slot.Name)}"
                + $"{KeyStore.StateExtension} does not name them: expected that of the newest backup, or a start "
                + "without that file, which uses all keys of the zone in the folder";
        string only = _keys.Published.Count > 0 ? $"only {string.Join(", ", _keys.Published)}" : "none that is in use";
        return what + $"the key folder has {only}: expected the newest backup of keys and state; if the DS records at "
            + $"the parent are of a key that the folder has, give the source a serial above {kept.Serial}, and start "
            + "again without the files of the zone in the folder of signed copies";
    }

    private bool HasFile(KeyId id)
    {
        try
        {
            _owner.Keys.Open(_slot.Name, id).Dispose();
            return true;
        }
        catch (IOException)
        {
            return false;
        }
    }

    private bool IsKnown(KeyId id) => _keys.Find(id) is not null || _bundle?.Find(id) is not null;

    /// <summary>
    /// Whether the keys have changed since a version was signed, which may then have some that are long forgotten, or
    /// it has expired.
    /// </summary>
    private bool IsNewerThan(Zone kept)
    {
        // The signatures of an offline KSK are of the bundle, or without one of the copy itself.
        if (_keys.Slot is not null && _bundle is null) return true;
        if (_keys.HighestSerial is { } highest
            && SerialNumber.IsGreater(highest, unchecked(kept.Serial + MostLostVersions))) return true;
        (DateTimeOffset signed, DateTimeOffset ends) = ServedKeysReader.TimesOfKeys(kept, _owner.Now);
        // A version that has expired validates no more.
        return ends <= _owner.Now
            || _keys.Keys.Any(key => key.Published > signed || key.Retired > signed || key.Removed > signed);
    }

    /// <summary>
    /// Takes the possible steps of the keys; returns whether the plan changes. If the disk is full, the zone continues
    /// with its previous plan, after a start with that of the saved state, so that signatures do not expire.
    /// </summary>
    /// <param name="fault">The reason why the keys cannot be saved, if any.</param>
    private bool TryStepKeys(Zone source, ref string? fault)
    {
        if (fault is not null) return false;
        if (_isHeld)
            return TryUse(_wantedPolicy ?? _keys.Policy ?? DnssecPolicy.Default, KeyRollover.PlanOf(_keys), source);
        try
        {
            return StepKeys(source);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException && _signed is not null &&
            (_keyPlan is not null || KeyRollover.PlanOf(_keys).IsSigned))
        {
            fault = error.Message;
            return _keyPlan is null && TryUse(
                _wantedPolicy ?? _keys.Policy ?? DnssecPolicy.Default, KeyRollover.PlanOf(_keys), source);
        }
    }

    /// <summary>Takes the possible steps of the keys; returns whether the plan changes.</summary>
    private bool StepKeys(Zone source)
    {
        DnssecPolicy? wanted = _wantedPolicy;
        ParentDs? parent = _parent.Take(wanted is null, _keys, _policy, PublicOf);
        bool awaitsParent = _parent.IsAwaited(wanted is null, _keys, _policy, parent);
        ZoneFacts facts = new(OwnServed(source))
        {
            Parent = parent, Slots = Slots, AwaitsParent = awaitsParent,
        };
        (DateTimeOffset Wall, long Stamp) now = (_owner.Now, _owner.Time.GetTimestamp());
        KeyStep step = KeyRollover.Step(wanted, _keys, facts, now.Wall, JumpUntil(now));
        DnssecPolicy policy = wanted ?? step.Keys.Policy ?? DnssecPolicy.Default;
        for (int made = 0; step.Needs.Count > 0 && made < MostKeysMade; made++)
        {
            ZoneKeys keys = step.Keys;
            foreach (KeyNeed need in step.Needs)
            {
                KeyRecord key = _owner.Keys.Generate(_slot.Name, need, policy.RsaBits, keys, now.Wall);
                keys = keys.With(key);
                _owner.Observer.OnKeys(_slot.Name, new KeyEvent(KeyEventKind.Made, [key.Id]) { Role = key.Role });
            }
            step = KeyRollover.Step(wanted, keys, facts, now.Wall);
        }
        // Must precede serving anything of the plan.
        _owner.Keys.Save(_slot.Name, step.Keys);
        if (_keys.Keys.Count == 0 && step.Keys.Keys.Count > 0)
            _owner.Observer.OnFirstKeys(_slot.Name, _owner.Keys.Folder);
        _lastStep = now;
        bool isOtherRequest = !step.Keys.WantedDs.Equals(_keys.WantedDs);
        (_keys, _step) = (step.Keys, step);
        if (parent is not null) _parent.Schedule(wanted is null, _keys, _policy);
        // The last observation of the parent does not apply to the new request.
        if (isOtherRequest) _parent.QuerySoon();
        NoteFault(step);
        // The status must show it before the log does.
        UpdateStatus(_status.Error);
        foreach (KeyEvent what in step.Events) _owner.Observer.OnKeys(_slot.Name, what);
        if (step.NotifiesParent) _owner.Observer.OnParentWanted(_slot.Name, step.Keys.IsLeaving);
        if (step.Fault is not null && !step.Plan.IsSigned && _signed is null)
            throw new SigningFailedException(_offlineFault!);
        return TryUse(policy, step.Plan, source);
    }

    private bool TryUse(DnssecPolicy policy, KeyPlan plan, Zone source)
    {
        uint ttl = DnskeyTtlOf(source, policy);
        if (policy == _policy && plan == _keyPlan && ttl == _dnskeyTtl) return false;
        _policy = policy;
        (_plan, _keyPlan, _dnskeyTtl) = (plan.IsSigned ? PlanOf(plan, ttl) : null, plan, ttl);
        return true;
    }

    /// <summary>By how much the wall clock was set since the last step of the keys.</summary>
    private TimeSpan JumpUntil((DateTimeOffset Wall, long Stamp) now)
    {
        TimeSpan jump = _lastStep is { } last
            ? now.Wall - last.Wall - _owner.Time.GetElapsedTime(last.Stamp, now.Stamp) : TimeSpan.Zero;
        return jump.Duration() < LeastJump ? TimeSpan.Zero : jump;
    }

    private static uint DnskeyTtlOf(Zone source, DnssecPolicy policy)
    {
        if (policy.DnskeyTtl is { } ttl) return (uint)ttl.TotalSeconds;
        return source.ApexNode.TryFind(RRType.SOA, out RRset soa) ? soa.Ttl : source.NegativeTtl;
    }

    private SigningPlan PlanOf(KeyPlan plan, uint ttl)
    {
        if (plan.Slot is { } start) return PlanOf(plan, SlotOf(start, plan));
        List<byte[]> cds = [], cdnskey = [];
        foreach (KeyId id in plan.Cds)
        {
            Dnskey key = Open(id).Public;
            if (key.TryMakeDs(_slot.Name.Octets, Digest, out byte[] rdata)) cds.Add(rdata);
            cdnskey.Add(key.Rdata.ToArray());
        }
        if (plan.IsCdsDelete)
            (cds, cdnskey) = ([SigningPlan.DeleteCds.ToArray()], [SigningPlan.DeleteCdnskey.ToArray()]);
        return With(plan, new SigningPlan
        {
            ZoneSigners = [],
            Published = [.. plan.Published.Select(id => Open(id).Public)],
            KeySigners = [.. plan.KeySigners.Select(Open)],
            DnskeyTtl = ttl,
            Cds = cds,
            Cdnskey = cdnskey,
        });
    }

    private SigningPlan With(KeyPlan plan, SigningPlan keys) => keys with
    {
        ZoneSigners = [.. plan.ZoneSigners.Select(Open)],
        Denial = DenialOf(_policy),
        SignatureLifetime = _policy.SignatureLifetime,
        RefreshBefore = _policy.Refresh,
        Jitter = JitterOf(_policy),
        Serial = _policy.Serial,
        Zonemd = _policy.Zonemd,
    };

    private static DenialPlan DenialOf(DnssecPolicy policy) => policy.Denial switch
    {
        DenialMethod.Compact => DenialPlan.Compact,
        DenialMethod.Nsec3 => policy.OptOut ? DenialPlan.Nsec3OptOut : DenialPlan.Nsec3,
        _ => DenialPlan.Nsec,
    };

    /// <summary>A signed version with the signer of its missing signatures.</summary>
    private Zone WithOnlineSigner(Zone signed)
    {
        if (!signed.IsSigned || _plan is not { Denial.IsCompact: true } plan)
            return signed.OnlineSigner is null ? signed : signed.With(null);
        if (signed.OnlineSigner is OnlineSigner signer && ReferenceEquals(signer.Plan, plan)) return signed;
        return signed.With(new OnlineSigner(signed.Apex, plan, _owner.Time, _owner.Caches));
    }

    // A quarter of the time before a signature is renewed.
    private static TimeSpan JitterOf(DnssecPolicy policy) =>
        TimeSpan.FromSeconds(Math.Floor((policy.SignatureLifetime - policy.Refresh).TotalSeconds / 4));

    private SigningKey Open(KeyId id)
    {
        if (!_open.TryGetValue(id, out SigningKey? key)) _open[id] = key = _owner.Keys.Open(_slot.Name, id);
        return key;
    }

    private void NoteServed(Zone signed, ZoneDelta? delta)
    {
        TimeSpan longest = delta is null ? ServedKeysReader.LongestTtl(signed) : ServedKeysReader.LongestTtl(delta);
        if (delta is null || longest > _longestTtl) _longestTtl = longest;
        _served = ServedKeysReader.Read(signed, _longestTtl);
    }

    /// <summary>
    /// The facts of the served version without keys that are published from the source alone, also those with the
    /// algorithm and tag of one of ours, such as a copy: no step of ours ends that.
    /// </summary>
    private ServedKeys OwnServed(Zone source)
    {
        if (_signed is null) return ServedKeys.Unsigned;
        KeyIds own = (_keyPlan ?? KeyRollover.PlanOf(_keys)).Published;
        KeyIds foreign = ServedKeysReader.Read(_from ?? source, default).Keys.Without(own);
        return foreign.Count == 0 ? _served : _served with { Keys = _served.Keys.Without(foreign) };
    }

    /// <summary>Ends the zone: its keys are disposed after the last signature.</summary>
    internal void End()
    {
        IsGone = true;
        if (!_gate.TryEnter()) return;
        try
        {
            CloseKeys();
        }
        finally
        {
            _gate.Exit();
        }
    }

    private void CloseKeys()
    {
        foreach (SigningKey key in _open.Values) key.Dispose();
        _open.Clear();
        (_plan, _keyPlan) = (null, null);
    }
}
