using System.Net;
using Dns.Answering;

namespace Dns.Server;

/// <summary>Whether answers are limited.</summary>
internal enum RateLimitMode
{
    /// <summary>They are not.</summary>
    Off,

    /// <summary>What would be dropped is counted and logged, and sent.</summary>
    Log,

    /// <summary>They are.</summary>
    On,
}

/// <summary>How many answers a network gets, section <c>Dns:RateLimit</c>.</summary>
internal sealed class RateLimitSettings
{
    /// <summary>Whether answers are limited.</summary>
    public RateLimitMode Mode { get; set; } = RateLimitMode.Off;

    /// <summary>Answers a second with data, without, or with a referral, for one network and name, 0 to 60000; 0 = no limit.</summary>
    public int ResponsesPerSecond { get; set; } = 20;

    /// <summary>Errors a second for one network, 0 to 60000; 0 = no limit.</summary>
    public int ErrorsPerSecond { get; set; } = 20;

    /// <summary>Name errors a second for one network and zone, 0 to 60000; 0 = no limit.</summary>
    public int NxDomainsPerSecond { get; set; } = 20;

    /// <summary>Every so manieth answer over the limit is sent empty with TC, 0 to 10; 0 = none.</summary>
    public int Slip { get; set; } = 2;

    /// <summary>Bits of an IPv4 address that make a network, 8 to 32.</summary>
    public int IPv4Prefix { get; set; } = 24;

    /// <summary>Bits of an IPv6 address that make a network, 16 to 64.</summary>
    public int IPv6Prefix { get; set; } = 56;

    /// <summary>Networks without a limit.</summary>
    public IReadOnlyList<IPNetwork> Exempt { get; set; } = [];

    /// <summary>Networks, names and kinds watched at once, 1000 to 10000000; 8 bytes each.</summary>
    public int Table { get; set; } = 100_000;

    /// <summary>What the limiter is told.</summary>
    public RateLimitOptions ToLimiter() => new()
    {
        CountsOnly = Mode == RateLimitMode.Log,
        ResponsesPerSecond = ResponsesPerSecond,
        ErrorsPerSecond = ErrorsPerSecond,
        NxDomainsPerSecond = NxDomainsPerSecond,
        Slip = Slip,
        IPv4Prefix = IPv4Prefix,
        IPv6Prefix = IPv6Prefix,
        Exempt = Exempt,
        Table = Table,
    };
}
