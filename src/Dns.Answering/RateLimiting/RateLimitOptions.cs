namespace Dns.Answering.RateLimiting;

/// <summary>The mode of response rate limiting.</summary>
public enum RateLimitMode : byte
{
    /// <summary>No limit.</summary>
    Off,

    /// <summary>Responses over the limit are counted and logged, and sent.</summary>
    Log,

    /// <summary>Responses over the limit are dropped or slip.</summary>
    On,
}

/// <summary>Options of <see cref="RateLimiter"/>. The caller checks the stated ranges.</summary>
public sealed record RateLimitOptions
{
    /// <summary>The highest rate, in answers a second.</summary>
    public const int MaxPerSecond = 60_000;

    /// <summary>The highest <see cref="Slip"/>.</summary>
    public const int MaxSlip = 10;

    /// <summary>The mode. A limiter limits, unless this is <see cref="RateLimitMode.Log"/>.</summary>
    public RateLimitMode Mode { get; init; }

    /// <summary>Answers, NODATA and referrals for one network, name and kind; 0 to 60,000, 0 = no limit.</summary>
    public int ResponsesPerSecond { get; init; } = 20;

    /// <summary>Errors for one network; 0 to 60,000, 0 = no limit.</summary>
    public int ErrorsPerSecond { get; init; } = 20;

    /// <summary>NXDOMAIN of one zone for one network; 0 to 60,000, 0 = no limit.</summary>
    public int NxDomainsPerSecond { get; init; } = 20;

    /// <summary>One of this many over the limit is sent empty with TC: real clients retry over TCP; 0 = none.</summary>
    public int Slip { get; init; } = 2;

    /// <summary>Prefix length of an IPv4 network, 1 to 32.</summary>
    public int IPv4Prefix { get; init; } = 24;

    /// <summary>Prefix length of an IPv6 network, 1 to 64.</summary>
    public int IPv6Prefix { get; init; } = 56;

    /// <summary>Exempt clients.</summary>
    public IReadOnlyList<IPNetwork> Exempt { get; init; } = [];

    /// <summary>The minimum number of buckets; 8 bytes each.</summary>
    public int Table { get; init; } = 100_000;
}
