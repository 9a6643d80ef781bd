namespace Dns.Transport.Tcp;

/// <summary>TCP counters over all addresses. A copy; monotonic, except Open and BufferBytes.</summary>
public readonly record struct TcpCounters
{
    /// <summary>Connections open now.</summary>
    public int Open { get; init; }

    /// <summary>Connections accepted and served.</summary>
    public long Accepted { get; init; }

    /// <summary>Connections refused at a limit, with none idle.</summary>
    public long Refused { get; init; }

    /// <summary>Idle connections evicted for others.</summary>
    public long Evicted { get; init; }

    /// <summary>Connections evicted for memory, which had held their buffers for longest.</summary>
    public long EvictedForMemory { get; init; }

    /// <summary>Bytes of buffers held by connections.</summary>
    public long BufferBytes { get; init; }

    /// <summary>Connections closed by a timeout: idle, incomplete message, or answers not accepted.</summary>
    public long TimedOut { get; init; }

    /// <summary>Complete messages received.</summary>
    public long Received { get; init; }

    /// <summary>Answers accepted by the system.</summary>
    public long Sent { get; init; }

    /// <summary>Deferred replies whose connection had ended, or that exceeded the bound of waiting ones.</summary>
    public long Undelivered { get; init; }

    /// <summary>Failed accept calls, for example for lack of descriptors; accepting continues after a pause.</summary>
    public long AcceptErrors { get; init; }

    /// <summary>Connections from proxies without a valid header.</summary>
    public long BadProxyHeaders { get; init; }

    /// <summary>Exceptions in the connection and accept loops: internal errors, or lack of memory.</summary>
    public long Faults { get; init; }
}
