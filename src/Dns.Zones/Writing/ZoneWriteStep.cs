namespace Dns.Zones.Writing;

/// <summary>A write that a back end evaluates: the versions before and after it, or the faults.</summary>
public sealed record ZoneWriteStep
{
    private ZoneWriteStep(ZoneWrite write, Zone? before) => (Write, Before, Now) = (write, before, before);

    /// <summary>The write.</summary>
    public ZoneWrite Write { get; }

    /// <summary>The version before; null = there was no zone.</summary>
    public Zone? Before { get; }

    /// <summary>The version after; null = there is no zone.</summary>
    public Zone? Now { get; private init; }

    /// <summary>The change between both; null for a zone that is added or removed, and for none.</summary>
    public ZoneDelta? Delta { get; private init; }

    /// <summary>Why nothing is written; empty if it is.</summary>
    public IReadOnlyList<ZoneWriteFault> Faults { get; init; } = [];

    /// <summary>Whether the write has an effect.</summary>
    public bool IsChanged => !ReferenceEquals(Before, Now);

    /// <summary>The result for the author, once it is stored and published.</summary>
    public ZoneWriteResult Result => new(Faults.Count > 0 ? null : Now?.Serial, IsChanged && Faults.Count == 0, Faults);

    /// <summary>
    /// Evaluates a write with all checks of zone data: what a back end stores is valid, and its serial increases.
    /// </summary>
    /// <param name="now">The zone's version; null = there is no such zone.</param>
    public static ZoneWriteStep Evaluate(ZoneWrite write, Zone? now, ZoneLimits limits)
    {
        ZoneWriteStep step = new(write, now);
        if (write.ExpectedSerial is { } expected && now is not null && now.Serial != expected)
            return step.Refuse(new ZoneWriteFault(ZoneWriteFaultKind.OtherSerial) { Serial = now.Serial });
        ZoneProposal proposal = write.Propose(now);
        if (proposal.Fault is { } fault) return step.Refuse(fault);
        if (proposal.Version is { } version)
            return now is null ? step with { Now = version } : step.Refuse(ZoneWriteFaultKind.ZoneExists);
        if (now is null) return step.Refuse(ZoneWriteFaultKind.NoZone);
        if (proposal.IsRemoval) return step with { Now = null };
        if (proposal.Delta is not { IsEmpty: false } delta) return step;
        ZoneEditResult edited = ZoneEditor.From(now, limits).Apply(delta);
        return edited.IsApplied ? step with { Now = edited.Zone, Delta = delta }
            : step.Refuse(new ZoneWriteFault(ZoneWriteFaultKind.Invalid) { Edit = edited.Error });
    }

    /// <summary>
    /// Evaluates the writes of one call, each on the result of those before. If one has faults, nothing of the call is
    /// stored.
    /// </summary>
    /// <param name="find">Finds the present version of a zone; null = there is none.</param>
    /// <returns>The steps, in the order of the writes; all of them, so that all faults are reported.</returns>
    public static IReadOnlyList<ZoneWriteStep> EvaluateAll(
        IReadOnlyList<ZoneWrite> writes, Func<DomainName, Zone?> find, ZoneLimits limits)
    {
        Dictionary<DomainName, Zone?> versions = [];
        List<ZoneWriteStep> steps = [];
        foreach (ZoneWrite write in writes)
        {
            Zone? now = versions.TryGetValue(write.Zone, out Zone? changed) ? changed : find(write.Zone);
            ZoneWriteStep step = Evaluate(write, now, limits);
            versions[write.Zone] = step.Now;
            steps.Add(step);
        }
        return steps;
    }

    /// <summary>The results of a call that is not carried out: the faults, and nothing written.</summary>
    public static IReadOnlyList<ZoneWriteResult> RefuseAll(IReadOnlyList<ZoneWriteStep> steps) =>
        [.. steps.Select(step => new ZoneWriteResult(null, false, step.Faults))];

    /// <summary>The step without an effect.</summary>
    public ZoneWriteStep Refuse(ZoneWriteFault fault) => this with { Now = Before, Delta = null, Faults = [fault] };

    private ZoneWriteStep Refuse(ZoneWriteFaultKind kind) => Refuse(new ZoneWriteFault(kind));
}
