using Dns.Answering;
using Dns.Forwarding;
using Dns.Transport;

namespace Dns.Management;

/// <summary>
/// The state of the server at one moment: <c>dnsd status</c> and <c>dnsd stats</c>, the status page and <c>/api/status</c> show parts
/// of it, and metrics read the same counters. Immutable; made by <see cref="StatusReader"/> alone.
/// </summary>
internal sealed record ServerStatus
{
    /// <summary>Version and commit of the program.</summary>
    public string Version { get; } = ProgramVersion.Full;

    /// <summary>The process.</summary>
    public int ProcessId { get; } = Environment.ProcessId;

    /// <summary>The moment.</summary>
    public required DateTimeOffset Now { get; init; }

    /// <summary>The time since the start.</summary>
    public required TimeSpan Uptime { get; init; }

    /// <summary>What the server says that it is called; null = nothing.</summary>
    public required string? Identity { get; init; }

    /// <summary>The settings file; null = there is none.</summary>
    public required string? SettingsFile { get; init; }

    /// <summary>Addresses and ports, as text.</summary>
    public required IReadOnlyList<string> Listening { get; init; }

    /// <summary>The receive loop of UDP.</summary>
    public required UdpListenerKind UdpListener { get; init; }

    /// <summary>The least important level that is logged.</summary>
    public required string LogLevel { get; init; }

    /// <summary>Whether the first load of all zones has ended.</summary>
    public required bool IsLoaded { get; init; }

    /// <summary>What an operator has to look at, errors first.</summary>
    public required IReadOnlyList<StatusWarning> Warnings { get; init; }

    /// <summary>Sums over all zones.</summary>
    public required ZoneTotals Zones { get; init; }

    /// <summary>What the responder has counted.</summary>
    public required AnswerCounts Answers { get; init; }

    /// <summary>What UDP has counted, over all addresses.</summary>
    public required UdpCounters Udp { get; init; }

    /// <summary>What TCP has counted, over all addresses.</summary>
    public required TcpCounters Tcp { get; init; }

    /// <summary>Datagrams of proxies that began with something else than a good header.</summary>
    public required long BadProxyDatagrams { get; init; }

    /// <summary>What the rate limit has counted; zeros where it never was on.</summary>
    public required RateLimitCounters RateLimit { get; init; }

    /// <summary>Forwarding and its cache; null = nothing is forwarded.</summary>
    public required ForwardingStatus? Forwarding { get; init; }

    /// <summary>Resident memory of the process, in bytes.</summary>
    public long ResidentBytes { get; } = Environment.WorkingSet;

    /// <summary>Processor time of all threads.</summary>
    public TimeSpan Cpu { get; } = Environment.CpuUsage.TotalTime;

    /// <summary>Threads of the process.</summary>
    public int Threads { get; } = ProcessFacts.ReadThreads();
}

/// <summary>What is forwarded, at one moment.</summary>
/// <param name="Upstreams">Each with its state and counters.</param>
/// <param name="Counters">What the forwarder has counted; it counts on.</param>
/// <param name="Cache">What the cache holds and has counted.</param>
/// <param name="InFlight">Upstream queries in flight.</param>
/// <param name="Waiting">Queries of clients that wait for them.</param>
internal sealed record ForwardingStatus(
    IReadOnlyList<UpstreamStatus> Upstreams, ForwarderCounters Counters, CacheCounters Cache, int InFlight, int Waiting)
{
    /// <summary>That of a forwarder now; null without one.</summary>
    public static ForwardingStatus? Of(Forwarder? forwarder) => forwarder is null ? null
        : new(forwarder.Upstreams, forwarder.Counters, forwarder.Cache.Counters, forwarder.InFlight, forwarder.Waiting);
}
