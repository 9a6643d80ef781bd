using System.Net;

namespace Dns.Server;

/// <summary>Who may ask for what is not served here, section <c>Dns:Recursion</c>.</summary>
internal sealed class RecursionOptions
{
    /// <summary>Networks of clients that may; empty = nobody.</summary>
    public IReadOnlyList<IPNetwork> AllowFrom { get; set; } = [];

    /// <summary>Questions that may wait for others at once; more are SERVFAIL.</summary>
    public int MaxInFlight { get; set; } = 20_000;

    /// <summary>Of those, the most of one client (IPv4 address, IPv6 /64).</summary>
    public int MaxInFlightPerClient { get; set; } = 250;

    /// <summary>
    /// After how many milliseconds a client gets an old answer or, where there is none and the upstreams are silent or its address is
    /// not proven, SERVFAIL.
    /// </summary>
    public int AnswerWithinMs { get; set; } = 1800;

    /// <summary>The same while all upstreams of the zone are down; 0 = at once.</summary>
    public int AnswerWithinWhileDownMs { get; set; }

    /// <summary>Whether private addresses are taken out of answers for public names (rebinding).</summary>
    public bool DropPrivateAddresses { get; set; }

    /// <summary>Whether the names of RFC 6303 and RFC 6761 are answered here and not forwarded.</summary>
    public bool LocalNames { get; set; } = true;
}
