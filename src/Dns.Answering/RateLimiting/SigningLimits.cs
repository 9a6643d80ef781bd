namespace Dns.Answering.RateLimiting;

/// <summary>Limits of online signatures (RFC 9824), in multiples of ECDSA P-256, about 16 µs of CPU each.</summary>
public sealed record SigningLimits
{
    /// <summary>Signatures a second for clients with unproven addresses, and as many again for proven ones.</summary>
    public int PerSecond { get; init; } = 8000;

    /// <summary>Maximum of these for one client network, a /24 of IPv4 or a /56 of IPv6.</summary>
    public int PerNetwork { get; init; } = 1000;
}
