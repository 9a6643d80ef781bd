using System.Net;

namespace Dns.Bench;

/// <summary>What to ask, where, and how hard.</summary>
internal sealed record LoadPlan
{
    internal required IPEndPoint Server { get; init; }

    internal required QuerySet Queries { get; init; }

    /// <summary>Sockets or connections; a client each.</summary>
    internal int Sockets { get; init; } = 16;

    /// <summary>Queries of a socket on their way at most.</summary>
    internal int Window { get; init; } = 16;

    /// <summary>Queries a second over all sockets; 0 asks again as answers come.</summary>
    internal double Rate { get; init; }

    /// <summary>
    /// How late a generator with a rate may be before it leaves queries out, in milliseconds; 0 = it sends all, however many
    /// at once: on a busy machine that would be what overruns the server.
    /// </summary>
    internal int MaxLateMs { get; init; }

    internal double Seconds { get; init; } = 5;

    internal bool Tcp { get; init; }

    /// <summary>Whether queries of one length that go together over UDP are one message to the kernel (UDP_SEGMENT).</summary>
    internal bool Segments { get; init; }

    /// <summary>Queries after which a TCP connection is closed and another made; 0 for never.</summary>
    internal int ConnectionQueries { get; init; }

    /// <summary>After how long a query counts as lost.</summary>
    internal int TimeoutMs { get; init; } = 500;

    /// <summary>The processor of the generator; -1 for any.</summary>
    internal int Processor { get; init; } = -1;

    /// <summary>Told the answers so far about once a second; null for nobody.</summary>
    internal Action<long>? Progress { get; init; }
}
