namespace Dns.Dnssec.Policies;

/// <summary>A key to generate.</summary>
/// <param name="IsNew">Whether stored keys, of which others may have copies, must not be used.</param>
public readonly record struct KeyNeed(KeyRole Role, DnssecAlgorithm Algorithm, bool IsNew = false);

/// <summary>The result of a step of <see cref="KeyRollover"/>: the state to save, then the plan to apply.</summary>
/// <param name="Keys">The next state. It must be on disk before anything of the plan is served.</param>
public sealed record KeyStep(ZoneKeys Keys, KeyPlan Plan)
{
    /// <summary>Keys to generate; the step is then repeated with them.</summary>
    public IReadOnlyList<KeyNeed> Needs { get; init; } = [];

    /// <summary>Pending events, unordered.</summary>
    public IReadOnlyList<KeyWait> Waits { get; init; } = [];

    /// <summary>When the next step is due at the latest; null = only after an event.</summary>
    public DateTimeOffset? Next => Waits.Min(wait => wait.At);

    /// <summary>The decisions.</summary>
    public IReadOnlyList<KeyEvent> Events { get; init; } = [];

    /// <summary>What is missing in the signatures of an offline KSK; null if complete.</summary>
    public OfflineFault? Fault { get; init; }

    /// <summary>
    /// Whether this step first serves a CDS request, the moment of NOTIFY(CDS) (RFC 9859), or needs one that an offline
    /// KSK cannot sign.
    /// </summary>
    public bool NotifiesParent { get; init; }
}
