namespace Dns.Forwarding;

/// <summary>How the upstreams of a zone are ordered.</summary>
public enum UpstreamPolicy : byte
{
    /// <summary>The shortest smoothed round trip first; now and then another, to notice changes.</summary>
    Fastest,

    /// <summary>In the configured order; the next one only on failure.</summary>
    Ordered,

    /// <summary>Round robin.</summary>
    RoundRobin,
}

/// <summary>A forwarded zone and its upstreams.</summary>
/// <param name="Name">The zone: all names at and below it without a longer match.</param>
/// <param name="Upstreams">One or more resolvers or servers.</param>
/// <param name="TrustAuthenticData">Whether AD is relayed: only for a validating upstream over a trusted path.</param>
public sealed record ForwardZone(
    DomainName Name, IReadOnlyList<PeerAddress> Upstreams, UpstreamPolicy Policy = UpstreamPolicy.Fastest,
    bool TrustAuthenticData = false);

/// <summary>Options of the cache. Immutable.</summary>
public sealed record CacheOptions
{
    /// <summary>The minimum of <see cref="MaxBytes"/>.</summary>
    public const long LeastBytes = 1 << 20;

    /// <summary>Memory for the cache, index included, in bytes.</summary>
    public long MaxBytes { get; init; } = 256L << 20;

    /// <summary>The minimum TTL; whole seconds.</summary>
    public TimeSpan MinTtl { get; init; } = TimeSpan.Zero;

    /// <summary>The maximum TTL; whole seconds.</summary>
    public TimeSpan MaxTtl { get; init; } = TimeSpan.FromDays(1);

    /// <summary>The maximum TTL of NXDOMAIN and NODATA (RFC 2308 §5).</summary>
    public TimeSpan MaxNegativeTtl { get; init; } = TimeSpan.FromHours(3);

    /// <summary>How long after expiry an answer may be given if no upstream answers (RFC 8767); zero = never.</summary>
    public TimeSpan ServeStale { get; init; } = TimeSpan.FromDays(1);

    /// <summary>Whether popular answers are prefetched in the last tenth of their TTL.</summary>
    public bool Prefetch { get; init; } = true;

    /// <summary>Whether NXDOMAIN covers all names below (RFC 8020).</summary>
    public bool NameErrorCoversNamesBelow { get; init; } = true;
}

/// <summary>Options of forwarding. Immutable.</summary>
public sealed record ForwarderOptions
{
    private static readonly TimeSpan LeastLatestDatagram = TimeSpan.FromMilliseconds(1900);
    private static readonly TimeSpan Lateness = TimeSpan.FromMilliseconds(100);

    /// <summary>Sockets for each upstream without a limit.</summary>
    public const int MostSockets = 1024;

    /// <summary>The forwarded zones in any order; names are unique.</summary>
    public IReadOnlyList<ForwardZone> Zones { get; init; } = [];

    /// <summary>Clients that may use forwarding; empty = none.</summary>
    public IReadOnlyList<IPNetwork> AllowFrom { get; init; } = [];

    /// <summary>The cache.</summary>
    public CacheOptions Cache { get; init; } = new();

    /// <summary>The maximum number of questions in flight; more get SERVFAIL.</summary>
    public int MaxInFlight { get; init; } = 20_000;

    /// <summary>The maximum of those for one client address.</summary>
    public int MaxInFlightPerClient { get; init; } = 250;

    /// <summary>The maximum of those for all addresses of an IPv6 /64, which one host may use.</summary>
    public int MaxInFlightPerNetwork => Math.Max(MaxInFlightPerClient, MaxInFlight / 4);

    /// <summary>The timeout of a question, for the cache and for patient clients.</summary>
    public TimeSpan Deadline { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>
    /// When a client gets a stale answer or, if the upstreams are silent or the client is not patient, SERVFAIL (RFC
    /// 8767 §5). The question stays in flight.
    /// </summary>
    public TimeSpan AnswerWithin { get; init; } = TimeSpan.FromMilliseconds(1800);

    /// <summary>The same while all upstreams are down; zero = at once.</summary>
    public TimeSpan AnswerWithinWhileDown { get; init; } = TimeSpan.Zero;

    /// <summary>
    /// The maximum delay of a datagram to an unproven address: answers that pile up would leave in one pulse towards a
    /// victim (DNSBomb). 1.9 s, or a little after <see cref="AnswerWithin"/>.
    /// </summary>
    public TimeSpan LatestDatagram =>
        TimeSpan.FromTicks(Math.Max(LeastLatestDatagram.Ticks, AnswerWithin.Ticks + Lateness.Ticks));

    /// <summary>Whether questions use case randomization (0x20) against forged replies.</summary>
    public bool RandomizesCase { get; init; } = true;

    /// <summary>Whether private addresses are removed from answers for public names (DNS rebinding).</summary>
    public bool DropPrivateAddresses { get; init; }

    /// <summary>Maximum datagram sockets of an upstream: the number of ports that a forger must guess from.</summary>
    public int SocketsPerUpstream { get; init; } = MostSockets;

    /// <summary>This server's own addresses; they are never used as upstreams.</summary>
    public IReadOnlyList<IPEndPoint> OwnEndPoints { get; init; } = [];
}
