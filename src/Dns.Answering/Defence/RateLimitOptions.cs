using System.Net;

namespace Dns.Answering;

/// <summary>Whether responses are limited.</summary>
public enum RateLimitMode : byte
{
    /// <summary>They are not: there is no limiter.</summary>
    Off,

    /// <summary>Responses over the limit are counted and logged, and sent.</summary>
    Log,

    /// <summary>They are.</summary>
    On,
}

/// <summary>What <see cref="RateLimiter"/> lets pass. Values outside the ranges stated are an error of the caller.</summary>
public sealed record RateLimitOptions
{
    /// <summary>The highest rate, in answers a second.</summary>
    public const int MaxPerSecond = 60_000;

    /// <summary>The highest <see cref="Slip"/>.</summary>
    public const int MaxSlip = 10;

    /// <summary>Whether responses are limited. A limiter that exists limits, unless this is <see cref="RateLimitMode.Log"/>.</summary>
    public RateLimitMode Mode { get; init; }

    /// <summary>Answers with data, without data, and referrals, for one network, name and kind; 0 to 60,000, 0 = no limit.</summary>
    public int ResponsesPerSecond { get; init; } = 20;

    /// <summary>Errors of all kinds for one network; 0 to 60,000, 0 = no limit.</summary>
    public int ErrorsPerSecond { get; init; } = 20;

    /// <summary>Name errors (NXDOMAIN) of one zone for one network; 0 to 60,000, 0 = no limit.</summary>
    public int NxDomainsPerSecond { get; init; } = 20;

    /// <summary>
    /// Of the answers over the limit one in so many is sent empty with TC, so that a real client comes back over TCP; 0 = none.
    /// </summary>
    public int Slip { get; init; } = 2;

    /// <summary>How many bits of an IPv4 address make a network, 1 to 32.</summary>
    public int IPv4Prefix { get; init; } = 24;

    /// <summary>How many bits of an IPv6 address make a network, 1 to 64.</summary>
    public int IPv6Prefix { get; init; } = 56;

    /// <summary>Clients without a limit.</summary>
    public IReadOnlyList<IPNetwork> Exempt { get; init; } = [];

    /// <summary>How many networks, names and kinds are watched at once; rounded up. 8 octets of memory each.</summary>
    public int Table { get; init; } = 100_000;
}
