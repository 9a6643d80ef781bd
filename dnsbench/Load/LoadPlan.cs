using System.Net;

namespace Dns.Bench;

/// <summary>The parameters of a load: queries, server, rate.</summary>
internal sealed record LoadPlan
{
    internal required IPEndPoint Server { get; init; }

    internal required QuerySet Queries { get; init; }

    /// <summary>Sockets or connections; a client each.</summary>
    internal int Sockets { get; init; } = 16;

    /// <summary>Maximum queries in flight of a socket.</summary>
    internal int Window { get; init; } = 16;

    /// <summary>Queries a second over all sockets; 0 = closed loop.</summary>
    internal double Rate { get; init; }

    /// <summary>
    /// How late a generator with a rate may be before it skips queries, in milliseconds; 0 = it sends all, however many
    /// at once: on a busy machine that burst would overrun the server.
    /// </summary>
    internal int MaxLateMs { get; init; }

    internal double Seconds { get; init; } = 5;

    internal bool Tcp { get; init; }

    /// <summary>
    /// Whether queries of one length that go together over UDP are one message to the kernel (UDP_SEGMENT).
    /// </summary>
    internal bool Segments { get; init; }

    /// <summary>Queries after which a TCP connection is closed and another made; 0 for never.</summary>
    internal int ConnectionQueries { get; init; }

    /// <summary>The timeout of a query.</summary>
    internal int TimeoutMs { get; init; } = 500;

    /// <summary>The processor of the generator; -1 for any.</summary>
    internal int Processor { get; init; } = -1;

    /// <summary>Receives the answers so far about once a second; null = none.</summary>
    internal Action<long>? Progress { get; init; }
}
