namespace Dns.Management.Status;

/// <summary>
/// The status of the server at one moment: <c>dnsd status</c> and <c>dnsd stats</c>, the status page and
/// <c>/api/status</c> show parts of it, and metrics read the same counters. Immutable; made only by <see
/// cref="StatusReader"/>.
/// </summary>
public sealed record ServerStatus
{
    /// <summary>Version and commit of the program.</summary>
    public string Version { get; } = ProgramVersion.Full;

    public int ProcessId { get; } = Environment.ProcessId;

    public required DateTimeOffset Now { get; init; }

    public required TimeSpan Uptime { get; init; }

    /// <summary>The configured identity; null = none.</summary>
    public required string? Identity { get; init; }

    /// <summary>The settings file; null = none.</summary>
    public required string? SettingsFile { get; init; }

    /// <summary>Addresses and ports, as text.</summary>
    public required IReadOnlyList<string> Listening { get; init; }

    public required UdpListenerKind UdpListener { get; init; }

    public required string LogLevel { get; init; }

    /// <summary>Whether the first loading of all zones is complete.</summary>
    public required bool IsLoaded { get; init; }

    /// <summary>Warnings for the operator, errors first.</summary>
    public required IReadOnlyList<StatusWarning> Warnings { get; init; }

    public required ZoneTotals Zones { get; init; }

    public required AnswerCounts Answers { get; init; }

    /// <summary>The views in their order, the default one last.</summary>
    public IReadOnlyList<ViewStatus> Views { get; init; } = [];

    /// <summary>Counters of UDP, over all addresses.</summary>
    public required UdpCounters Udp { get; init; }

    /// <summary>Counters of TCP, over all addresses.</summary>
    public required TcpCounters Tcp { get; init; }

    /// <summary>Datagrams of proxies without a valid header.</summary>
    public required long BadProxyDatagrams { get; init; }

    /// <summary>Counters of features.</summary>
    public required IReadOnlyList<CountGroup> Counts { get; init; }

    /// <summary>Forwarding and its cache; null = off.</summary>
    public required ForwardingStatus? Forwarding { get; init; }

    public long ResidentBytes { get; } = Environment.WorkingSet;

    /// <summary>Processor time of all threads.</summary>
    public TimeSpan Cpu { get; } = Environment.CpuUsage.TotalTime;

    public int Threads { get; } = ProcessFacts.ReadThreads();
}

/// <summary>The status of forwarding.</summary>
/// <param name="Counters">Live counters of the forwarder.</param>
/// <param name="InFlight">Upstream queries in flight.</param>
/// <param name="Waiting">Client queries that wait for them.</param>
public sealed record ForwardingStatus(
    IReadOnlyList<UpstreamStatus> Upstreams, ForwarderCounters Counters, CacheCounters Cache, int InFlight, int Waiting)
{
    public static ForwardingStatus? Of(Forwarder? forwarder) => forwarder is null ? null
        : new(forwarder.Upstreams, forwarder.Counters, forwarder.Cache.Counters, forwarder.InFlight, forwarder.Waiting);
}
