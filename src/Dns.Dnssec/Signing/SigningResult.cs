namespace Dns.Dnssec.Signing;

/// <summary>The result of signing: the next signed version, or an error.</summary>
public sealed record SigningResult
{
    /// <summary>The signed version; the previous one if nothing changed; null with <see cref="Error"/>.</summary>
    public Zone? Zone { get; init; }

    /// <summary>The delta from the previous version; null without one, or if too much is different.</summary>
    public ZoneDelta? Delta { get; init; }

    /// <summary>The error; null if there is a version.</summary>
    public string? Error { get; init; }

    /// <summary>Whether there is a version.</summary>
    [MemberNotNullWhen(true, nameof(Zone)), MemberNotNullWhen(false, nameof(Error))]
    public bool IsSigned => Zone is not null;

    /// <summary>Signatures that were made.</summary>
    public long SignaturesMade { get; init; }

    /// <summary>Signatures that were checked and kept.</summary>
    public long SignaturesKept { get; init; }

    /// <summary>
    /// When the first signature is due that this step made or kept: for the zone after a whole signing and at the end
    /// of a refresh round. Null if the step has seen none.
    /// </summary>
    public DateTimeOffset? NextRefresh { get; init; }

    /// <summary>Whether a refresh round has reached the end of the zone. False = call again.</summary>
    public bool IsRoundComplete { get; init; } = true;
}
