namespace Dns.Answering;

/// <summary>
/// How many signatures are made for answers (RFC 9824), in those of ECDSA P-256: about 16 µs of a processor each. One that costs more
/// counts as several.
/// </summary>
public sealed record SigningLimits
{
    /// <summary>
    /// Signatures a second for all clients whose address may be forged, and as many for those over reliable transports or with a valid
    /// cookie.
    /// </summary>
    public int PerSecond { get; init; } = 8000;

    /// <summary>Of these for one client network, a /24 of IPv4 or a /56 of IPv6.</summary>
    public int PerNetwork { get; init; } = 1000;
}
