using Dns.Protocol;

namespace Dns.Dnssec;

/// <summary>What a validator says of an answer.</summary>
/// <param name="Status">What the answer as a whole is worth.</param>
/// <param name="Reason">Why, in words; empty where it is secure.</param>
public sealed record ValidationResult(SecurityStatus Status, string Reason)
{
    /// <summary>The RRsets of the answer and authority sections, those of aliases that were followed first.</summary>
    public IReadOnlyList<ValidatedRRset> RRsets { get; init; } = [];

    /// <summary>The zones from the anchor on whose keys were looked for.</summary>
    public IReadOnlyList<ZoneTrust> Chain { get; init; } = [];

    /// <summary>The name that the last alias leads to, where the message has nothing about it; null = the answer is complete.</summary>
    public DomainName? NextName { get; init; }

    /// <summary>Whether the answer proves that something is not there.</summary>
    public bool IsNegative { get; init; }
}
