namespace Dns.Dnssec;

/// <summary>A key that has to be made.</summary>
/// <param name="Role">What it is for.</param>
/// <param name="Algorithm">Its algorithm.</param>
public readonly record struct KeyNeed(KeyRole Role, DnssecAlgorithm Algorithm);

/// <summary>Something that has not happened yet, and when it can.</summary>
/// <param name="Keys">The keys that it is about.</param>
/// <param name="Step">What is to happen, in words.</param>
/// <param name="At">When; null = not by time alone.</param>
/// <param name="For">What it waits for beside time, in words; null = nothing.</param>
public sealed record KeyWait(KeyIds Keys, string Step, DateTimeOffset? At, string? For);

/// <summary>The result of a step of <see cref="KeyTimeline"/>: what to keep, then what to do.</summary>
/// <param name="Keys">The state that follows. It has to be on disk before anything of the plan is served.</param>
/// <param name="Plan">What the zone is to be signed with.</param>
public sealed record KeyStep(ZoneKeys Keys, KeyPlan Plan)
{
    /// <summary>Keys that have to be made; the step is then taken again with them.</summary>
    public IReadOnlyList<KeyNeed> Needs { get; init; } = [];

    /// <summary>What comes next, in no order.</summary>
    public IReadOnlyList<KeyWait> Waits { get; init; } = [];

    /// <summary>When the next step is to be taken, whatever happens before; null = only when something happens.</summary>
    public DateTimeOffset? Next => Waits.Min(wait => wait.At);

    /// <summary>What was decided, in words, for the log.</summary>
    public IReadOnlyList<string> Events { get; init; } = [];

    /// <summary>What is missing of the signatures of a KSK that is kept elsewhere, in words; null if nothing is.</summary>
    public string? Fault { get; init; }

    /// <summary>
    /// Whether CDS records that ask the parent for a change are served since this step: the moment of NOTIFY(CDS) (RFC 9859).
    /// </summary>
    public bool NotifiesParent { get; init; }
}
