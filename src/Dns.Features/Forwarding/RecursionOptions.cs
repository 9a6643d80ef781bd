namespace Dns.Features.Forwarding;

/// <summary>Access and limits of forwarding, section <c>Dns:Recursion</c>.</summary>
public sealed record RecursionOptions
{
    /// <summary>Access and limits. Values derived from other settings are not set.</summary>
    public ForwarderOptions Limits { get; init; } = new();

    /// <summary>Whether the names of RFC 6303 and RFC 6761 are answered here and not forwarded.</summary>
    public bool LocalNames { get; init; } = true;

    /// <summary>The section.</summary>
    public static SettingsSection<RecursionOptions> Section { get; } =
        new SettingsSection<RecursionOptions>("Recursion",
            "Clients that may use the forwarder, and its limits.", new()) { IsLive = true }
        .Add("AllowFrom", Networks,
            o => o.Limits.AllowFrom, (o, v) => o with { Limits = o.Limits with { AllowFrom = v } },
            "Networks of clients that may query forwarded names; others get REFUSED. Empty = no client.",
            Json("192.0.2.0/24", "2001:db8::/32"))
        .Add("MaxInFlight", Number(1, 1_000_000, "questions"),
            o => o.Limits.MaxInFlight, (o, v) => o with { Limits = o.Limits with { MaxInFlight = v } },
            "Forwarded queries that may wait for upstreams at once, an eighth of them for clients over TCP or with a valid cookie. More get SERVFAIL; over UDP without a valid cookie TC, for a retry over TCP.", 50_000)
        .Add("MaxInFlightPerClient", Number(1, 1_000_000, "questions"),
            o => o.Limits.MaxInFlightPerClient,
            (o, v) => o with { Limits = o.Limits with { MaxInFlightPerClient = v } },
            "Of these, the most of one client address, and at most 16 for one question. All addresses of an IPv6 /64 have a quarter of MaxInFlight, or this if it is more. Neither has more than what is left of MaxInFlight. Queries over TCP or with a valid cookie are counted apart from others, whose address may be forged.", 500)
        .Add("AnswerWithinMs", Number(100, 4900, "milliseconds"),
            o => (int)o.Limits.AnswerWithin.TotalMilliseconds,
            (o, v) => o with { Limits = o.Limits with { AnswerWithin = TimeSpan.FromMilliseconds(v) } },
            "After this time a client gets a stale answer if there is one; if not, SERVFAIL when the upstreams are silent or the address of the client is not proven (UDP without a valid cookie). Queries to the upstreams continue for 5 s, for the cache.", 1200)
        .Add("AnswerWithinWhileDownMs", Number(0, 4900, "milliseconds"),
            o => (int)o.Limits.AnswerWithinWhileDown.TotalMilliseconds,
            (o, v) => o with { Limits = o.Limits with { AnswerWithinWhileDown = TimeSpan.FromMilliseconds(v) } },
            "The same while all upstreams of the zone are down. 0 = at once.", 500)
        .Add("DropPrivateAddresses", Flag,
            o => o.Limits.DropPrivateAddresses,
            (o, v) => o with { Limits = o.Limits with { DropPrivateAddresses = v } },
            "Whether private addresses are removed from answers for public names (protection against DNS rebinding).",
            true)
        .Add("LocalNames", Flag, o => o.LocalNames, (o, v) => o with { LocalNames = v },
            "Whether names of RFC 6303 and RFC 6761 (reverse zones of private addresses, localhost, onion and others) are answered locally and not forwarded.", false);
}
