using System.Diagnostics.CodeAnalysis;
using Dns.Zones;

namespace Dns.Dnssec;

/// <summary>What became of a signing: the next signed version, or why there is none.</summary>
public sealed record SigningResult
{
    /// <summary>The signed version; the previous one where nothing had to change; null with <see cref="Error"/>.</summary>
    public Zone? Zone { get; init; }

    /// <summary>What makes it of the version before; null where there was none, or too much is different.</summary>
    public ZoneDelta? Delta { get; init; }

    /// <summary>Why there is no version, in words; null if there is one.</summary>
    public string? Error { get; init; }

    /// <summary>Whether there is a version.</summary>
    [MemberNotNullWhen(true, nameof(Zone)), MemberNotNullWhen(false, nameof(Error))]
    public bool IsSigned => Zone is not null;

    /// <summary>Signatures that were made.</summary>
    public long SignaturesMade { get; init; }

    /// <summary>Signatures that were looked at and kept.</summary>
    public long SignaturesKept { get; init; }

    /// <summary>
    /// When the first of the signatures that this step made or kept has to be replaced: after a whole signing and at the end of a
    /// round of refreshing the first of the zone. Null if the step has seen none.
    /// </summary>
    public DateTimeOffset? NextRefresh { get; init; }

    /// <summary>Whether a round of refreshing has come to the end of the zone. False = call again.</summary>
    public bool IsRoundComplete { get; init; } = true;
}
