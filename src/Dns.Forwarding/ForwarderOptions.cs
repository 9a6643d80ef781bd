using System.Net;
using Dns.Protocol;

namespace Dns.Forwarding;

/// <summary>In which order the upstreams of a zone are asked.</summary>
public enum UpstreamPolicy : byte
{
    /// <summary>The one with the shortest smoothed round trip first; the others now and then, so that a change is noticed.</summary>
    Fastest,

    /// <summary>In the order they are written; the next one only when those before fail.</summary>
    Ordered,

    /// <summary>Each in turn.</summary>
    RoundRobin,
}

/// <summary>Names that are forwarded, and to whom.</summary>
/// <param name="Name">The zone: all names at and below it, where no longer zone matches.</param>
/// <param name="Upstreams">One or more resolvers or servers.</param>
/// <param name="Policy">Whom to ask first.</param>
/// <param name="TrustAuthenticData">Whether their AD is passed on: only for a validating upstream over a path nobody can write to.</param>
public sealed record ForwardZone(
    DomainName Name, IReadOnlyList<IPEndPoint> Upstreams, UpstreamPolicy Policy = UpstreamPolicy.Fastest,
    bool TrustAuthenticData = false);

/// <summary>What an operator decides about the cache. Immutable.</summary>
public sealed record CacheOptions
{
    /// <summary>The least <see cref="MaxBytes"/>.</summary>
    public const long LeastBytes = 1 << 20;

    /// <summary>Memory for answers and everything kept beside them, in bytes.</summary>
    public long MaxBytes { get; init; } = 256L << 20;

    /// <summary>TTLs below are raised to it; whole seconds.</summary>
    public TimeSpan MinTtl { get; init; } = TimeSpan.Zero;

    /// <summary>TTLs above are lowered to it; whole seconds.</summary>
    public TimeSpan MaxTtl { get; init; } = TimeSpan.FromDays(1);

    /// <summary>The longest that "no such name" and "no such data" are kept (RFC 2308 §5).</summary>
    public TimeSpan MaxNegativeTtl { get; init; } = TimeSpan.FromHours(3);

    /// <summary>How long after its end an answer may still be given when nobody answers (RFC 8767); zero = never.</summary>
    public TimeSpan ServeStale { get; init; } = TimeSpan.FromDays(1);

    /// <summary>Whether popular answers are asked for again in the last tenth of their life.</summary>
    public bool Prefetch { get; init; } = true;

    /// <summary>Whether "no such name" holds for all names below too (RFC 8020).</summary>
    public bool NameErrorCoversNamesBelow { get; init; } = true;
}

/// <summary>What an operator decides about forwarding. Immutable.</summary>
public sealed record ForwarderOptions
{
    private static readonly TimeSpan LeastLatestDatagram = TimeSpan.FromMilliseconds(1900);
    private static readonly TimeSpan Lateness = TimeSpan.FromMilliseconds(100);

    /// <summary>Sockets to an upstream where nothing limits them.</summary>
    public const int MostSockets = 1024;

    /// <summary>The forwarded zones, in any order, no name twice.</summary>
    public IReadOnlyList<ForwardZone> Zones { get; init; } = [];

    /// <summary>Clients that may ask for what is forwarded; empty = none.</summary>
    public IReadOnlyList<IPNetwork> AllowFrom { get; init; } = [];

    /// <summary>The cache.</summary>
    public CacheOptions Cache { get; init; } = new();

    /// <summary>Questions on their way at once; more are SERVFAIL.</summary>
    public int MaxInFlight { get; init; } = 20_000;

    /// <summary>Of those, the most that one client (IPv4 address, IPv6 /64) may wait for.</summary>
    public int MaxInFlightPerClient { get; init; } = 250;

    /// <summary>How long an answer is waited for, by the cache and by who is patient.</summary>
    public TimeSpan Deadline { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>
    /// After what time a client is told an old answer or, where nothing was heard of the upstreams or the client is not patient,
    /// SERVFAIL (RFC 8767 §5). The question is asked on.
    /// </summary>
    public TimeSpan AnswerWithin { get; init; } = TimeSpan.FromMilliseconds(1800);

    /// <summary>The same while all upstreams are down; zero = at once.</summary>
    public TimeSpan AnswerWithinWhileDown { get; init; } = TimeSpan.Zero;

    /// <summary>
    /// When an answer is too late for a datagram to an address that is not proven: answers that pile up leave at one moment
    /// otherwise, at a victim (DNSBomb). 1.9 s, or a little after <see cref="AnswerWithin"/>.
    /// </summary>
    public TimeSpan LatestDatagram => TimeSpan.FromTicks(Math.Max(LeastLatestDatagram.Ticks, AnswerWithin.Ticks + Lateness.Ticks));

    /// <summary>Whether the case of letters in questions is random, so that a forger has to guess it (0x20).</summary>
    public bool RandomizesCase { get; init; } = true;

    /// <summary>Whether addresses of private networks are taken out of answers for public names (rebinding).</summary>
    public bool DropPrivateAddresses { get; init; }

    /// <summary>The most datagram sockets open towards one upstream, and so the number of ports a forger has to guess from.</summary>
    public int SocketsPerUpstream { get; init; } = MostSockets;

    /// <summary>Where this server itself listens: such an upstream is never asked.</summary>
    public IReadOnlyList<IPEndPoint> OwnEndPoints { get; init; } = [];
}
