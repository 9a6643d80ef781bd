namespace Dns.Dnssec.Service;

/// <summary>
/// The keys of a zone: loads their state, takes their steps, and makes the signing plan. Belongs to the thread that
/// works on the zone.
/// </summary>
/// <param name="policy">The policy until a plan is used.</param>
/// <param name="onStepped">Called when a step is saved, before its decisions are reported.</param>
internal sealed class KeyDriver(
    ZoneSlot slot, ZoneSigning owner, ParentWatch parent, DnssecPolicy policy, Action onStepped)
{
    private const int MostKeysMade = 8;

    /// <summary>Smaller steps are normal clock adjustments.</summary>
    internal static readonly TimeSpan LeastJump = TimeSpan.FromSeconds(10);

    private readonly OpenKeys _open = new(slot, owner);
    private ServedKeys _served = ServedKeys.Unsigned;
    private TimeSpan _longestTtl;
    private uint _dnskeyTtl;
    private (DateTimeOffset Wall, long Stamp)? _lastStep;

    /// <summary>The state of the keys, as on disk.</summary>
    internal ZoneKeys Keys { get; private set; } = ZoneKeys.Empty;

    /// <summary>The key sets of an offline KSK.</summary>
    internal LoadedBundle Bundle { get; } = new(slot, owner);

    /// <summary>The last step; null = none yet.</summary>
    internal KeyStep? Step { get; private set; }

    /// <summary>The keys that sign; null = none yet.</summary>
    internal KeyPlan? KeyPlan { get; private set; }

    /// <summary>The plan by which the zone is signed; null = not signed.</summary>
    internal SigningPlan? Plan { get; private set; }

    /// <summary>The policy of the plan.</summary>
    internal DnssecPolicy Policy { get; private set; } = policy;

    /// <summary>Loads the state of the keys, and the bundle.</summary>
    /// <param name="leaves">Whether the zone has no policy.</param>
    internal void Load(bool leaves)
    {
        Keys = owner.Keys.Load(slot.Name);
        Bundle.Load();
        if (Keys.IsElsewhere && leaves && owner.Handover.MayWrite) owner.Observer.OnSignedHereAgain(slot.Name);
        foreach (string what in owner.Keys.FindOpen(slot.Name, Keys)) owner.Observer.OnKeysOpen(slot.Name, what);
    }

    /// <summary>Replaces the state of the keys, on disk when this returns.</summary>
    /// <exception cref="IOException">It is not saved, and unchanged.</exception>
    internal void Save(ZoneKeys next)
    {
        owner.Keys.Save(slot.Name, next);
        Keys = next;
    }

    internal void Close()
    {
        _open.Close();
        (Plan, KeyPlan) = (null, null);
    }

    /// <summary>
    /// Takes the possible steps of the keys; returns whether the plan changes. If the disk is full, the zone continues
    /// with its previous plan, after a start with that of the saved state, so that signatures do not expire.
    /// </summary>
    /// <param name="wanted">The policy; null = none.</param>
    /// <param name="isHeld">Whether another process takes the steps.</param>
    /// <param name="served">The signed version, and the version of the source from which it was signed.</param>
    /// <param name="fault">The reason why the keys cannot be saved, if any.</param>
    internal bool TryStep(
        Zone source, DnssecPolicy? wanted, bool isHeld, (Zone? Signed, Zone? From) served, ref string? fault)
    {
        if (fault is not null) return false;
        if (isHeld) return TryUseSaved();
        try
        {
            return TakeSteps(source, wanted, served);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException && served.Signed is not null
            && (KeyPlan is not null || KeyRollover.PlanOf(Keys).IsSigned))
        {
            fault = error.Message;
            return KeyPlan is null && TryUseSaved();
        }

        bool TryUseSaved() => TryUse(
            wanted ?? Keys.Policy ?? DnssecPolicy.Default, KeyRollover.PlanOf(Keys), source, served.Signed);
    }

    /// <summary>Takes the possible steps of the keys; returns whether the plan changes.</summary>
    private bool TakeSteps(Zone source, DnssecPolicy? wanted, (Zone? Signed, Zone? From) served)
    {
        ParentDs? seen = parent.Take(wanted is null, Keys, Policy, PublicOf);
        ZoneFacts facts = new(served.Signed is null ? ServedKeys.Unsigned : OwnServed(served.From ?? source))
        {
            Parent = seen, Slots = Bundle.Slots, AwaitsParent = parent.IsAwaited(wanted is null, Keys, Policy, seen),
        };
        (DateTimeOffset Wall, long Stamp) now = (owner.Now, owner.Time.GetTimestamp());
        KeyStep step = KeyRollover.Step(wanted, Keys, facts, now.Wall, JumpUntil(now));
        DnssecPolicy next = wanted ?? step.Keys.Policy ?? DnssecPolicy.Default;
        for (int made = 0; step.Needs.Count > 0 && made < MostKeysMade; made++)
            step = KeyRollover.Step(wanted, Generate(step, next, now.Wall), facts, now.Wall);
        ZoneKeys before = Keys;
        // Must precede serving anything of the plan.
        Save(step.Keys);
        if (before.Keys.Count == 0 && Keys.Keys.Count > 0) owner.Observer.OnFirstKeys(slot.Name, owner.Keys.Folder);
        (_lastStep, Step) = (now, step);
        if (seen is not null) parent.Schedule(wanted is null, Keys, Policy);
        // The last observation of the parent does not apply to the new request.
        if (!Keys.WantedDs.Equals(before.WantedDs)) parent.QuerySoon();
        Bundle.Check(step);
        // The status must show it before the log does.
        onStepped();
        foreach (KeyEvent what in step.Events) owner.Observer.OnKeys(slot.Name, what);
        if (step.NotifiesParent) owner.Observer.OnParentWanted(slot.Name, Keys.IsLeaving);
        if (step.Fault is not null && !step.Plan.IsSigned && served.Signed is null)
            throw new SigningFailedException(Bundle.Fault!);
        return TryUse(next, step.Plan, source, served.Signed);
    }

    private ZoneKeys Generate(KeyStep step, DnssecPolicy next, DateTimeOffset now)
    {
        ZoneKeys keys = step.Keys;
        foreach (KeyNeed need in step.Needs)
        {
            KeyRecord key = owner.Keys.Generate(slot.Name, need, next.RsaBits, keys, now);
            keys = keys.With(key);
            owner.Observer.OnKeys(slot.Name, new KeyEvent(KeyEventKind.Made, [key.Id]) { Role = key.Role });
        }
        return keys;
    }

    private bool TryUse(DnssecPolicy next, KeyPlan plan, Zone source, Zone? signed)
    {
        uint ttl = DnskeyTtlOf(source, next);
        if (next == Policy && plan == KeyPlan && ttl == _dnskeyTtl) return false;
        Policy = next;
        SigningPlan? opened = !plan.IsSigned ? null
            : plan.Slot is { } start ? _open.PlanOf(plan, next, Bundle.SlotOf(start, plan, signed))
            : _open.PlanOf(plan, next, ttl);
        (Plan, KeyPlan, _dnskeyTtl) = (opened, plan, ttl);
        return true;
    }

    /// <summary>By how much the wall clock was set since the last step of the keys.</summary>
    private TimeSpan JumpUntil((DateTimeOffset Wall, long Stamp) now)
    {
        TimeSpan jump = _lastStep is { } last
            ? now.Wall - last.Wall - owner.Time.GetElapsedTime(last.Stamp, now.Stamp) : TimeSpan.Zero;
        return jump.Duration() < LeastJump ? TimeSpan.Zero : jump;
    }

    private static uint DnskeyTtlOf(Zone source, DnssecPolicy policy)
    {
        if (policy.DnskeyTtl is { } ttl) return (uint)ttl.TotalSeconds;
        return source.ApexNode.TryFind(RRType.SOA, out RRset soa) ? soa.Ttl : source.NegativeTtl;
    }

    private Dnskey PublicOf(KeyId id)
    {
        if (Bundle.Sets?.Find(id) is { } found) return found;
        if (Plan?.Published.FirstOrDefault(key => KeySlot.IdOf(key) == id) is { } published) return published;
        return _open.Open(id).Public;
    }

    /// <summary>The state for requests of an offline KSK.</summary>
    /// <param name="next">The policy of the next step.</param>
    internal OfflineZone OfflineNow(Zone source, DnssecPolicy next, bool isSigned) => new(
        slot.Name, next, Keys, Bundle.Sets, TimeSpan.FromSeconds(DnskeyTtlOf(source, next)),
        isSigned ? _longestTtl : ServedKeysReader.LongestTtl(source));

    /// <summary>Notes the keys and TTLs of a signed version.</summary>
    /// <param name="delta">What it changes; null = a whole version.</param>
    internal void NoteServed(Zone signed, ZoneDelta? delta)
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
        KeyIds own = (KeyPlan ?? KeyRollover.PlanOf(Keys)).Published;
        KeyIds foreign = ServedKeysReader.Read(source, default).Keys.Without(own);
        return foreign.Count == 0 ? _served : _served with { Keys = _served.Keys.Without(foreign) };
    }

    /// <summary>A signed version with the signer of its missing signatures.</summary>
    internal Zone WithOnlineSigner(Zone signed)
    {
        if (!signed.IsSigned || Plan is not { Denial.IsCompact: true } plan)
            return signed.OnlineSigner is null ? signed : signed.With(null);
        if (signed.OnlineSigner is OnlineSigner signer && ReferenceEquals(signer.Plan, plan)) return signed;
        return signed.With(new OnlineSigner(signed.Apex, plan, owner.Time, owner.Caches));
    }
}
