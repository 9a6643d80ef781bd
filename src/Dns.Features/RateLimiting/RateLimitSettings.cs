namespace Dns.Features.RateLimiting;

/// <summary>Section <c>Dns:RateLimit</c>.</summary>
public static class RateLimitSettings
{
    /// <summary>The section.</summary>
    public static SettingsSection<RateLimitOptions> Section { get; } =
        new SettingsSection<RateLimitOptions>("RateLimit",
            "Response rate limiting (RRL) against reflection and amplification: the rate of responses to one network whose addresses may be spoofed.", new()) { IsLive = true }
        .Add("Mode", Choice<RateLimitMode>(), o => o.Mode, (o, v) => o with { Mode = v },
            "off; log = what would be dropped is counted, logged and sent; on.", "log")
        .Add("ResponsesPerSecond", Number(0, RateLimitOptions.MaxPerSecond, "answers"),
            o => o.ResponsesPerSecond, (o, v) => o with { ResponsesPerSecond = v },
            "Rate of NOERROR responses (data, no data, referral) to one network for one name. 0 = no limit.", 50)
        .Add("ErrorsPerSecond", Number(0, RateLimitOptions.MaxPerSecond, "answers"),
            o => o.ErrorsPerSecond, (o, v) => o with { ErrorsPerSecond = v },
            "Rate of REFUSED, SERVFAIL, FORMERR and the like to one network. 0 = no limit.", 10)
        .Add("NxDomainsPerSecond", Number(0, RateLimitOptions.MaxPerSecond, "answers"),
            o => o.NxDomainsPerSecond, (o, v) => o with { NxDomainsPerSecond = v },
            "Rate of NXDOMAIN responses to one network for one zone. 0 = no limit.", 10)
        .Add("Slip", Number(0, RateLimitOptions.MaxSlip, "answers"), o => o.Slip, (o, v) => o with { Slip = v },
            "Slip: one in this many responses over the limit is sent truncated (TC, empty), so that real clients retry over TCP; the others are dropped. 0 = all are dropped.", 3)
        .Add("IPv4Prefix", Number(8, 32, "bits"), o => o.IPv4Prefix, (o, v) => o with { IPv4Prefix = v },
            "Prefix length that makes a network of an IPv4 address.", 32)
        .Add("IPv6Prefix", Number(16, 64, "bits"), o => o.IPv6Prefix, (o, v) => o with { IPv6Prefix = v },
            "Prefix length that makes a network of an IPv6 address.", 64)
        .Add("Exempt", Networks, o => o.Exempt, (o, v) => o with { Exempt = v },
            "Networks of clients without a limit (allowlist).", Json("192.0.2.0/24"))
        .Add("Table", Number(1000, 10_000_000, "entries"), o => o.Table, (o, v) => o with { Table = v },
            "Entries (network, name and kind of response) tracked at once, 8 bytes each; rounded up to a power of two.",
            1_000_000);
}
