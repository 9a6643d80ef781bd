namespace Dns.Answering;

/// <summary>
/// Limits of online signatures (RFC 9824), in multiples of ECDSA P-256: about 16 µs of a processor each.
/// </summary>
public sealed record SigningLimits
{
    /// <summary>
    /// Signatures a second for all clients with unproven addresses, and as many for reliable transports and valid
    /// cookies.
    /// </summary>
    public int PerSecond { get; init; } = 8000;

    /// <summary>Maximum of these for one client network, a /24 of IPv4 or a /56 of IPv6.</summary>
    public int PerNetwork { get; init; } = 1000;
}
