namespace Dns.Dnssec.Validation;

/// <summary>The validation of an answer.</summary>
/// <param name="Reason">The reason; empty if it is secure.</param>
public sealed record ValidationResult(SecurityStatus Status, string Reason)
{
    /// <summary>The RRsets of the answer and authority sections, those of followed aliases first.</summary>
    public IReadOnlyList<ValidatedRRset> RRsets { get; init; } = [];

    /// <summary>The zones from the anchor down whose keys were queried.</summary>
    public IReadOnlyList<ZoneTrust> Chain { get; init; } = [];

    /// <summary>The last alias's target, if the message has no data for it; null = the answer is complete.</summary>
    public DomainName? NextName { get; init; }

    /// <summary>Whether the answer is a denial.</summary>
    public bool IsNegative { get; init; }
}
