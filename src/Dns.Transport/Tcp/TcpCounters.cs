namespace Dns.Transport;

/// <summary>
/// What TCP has done since it started, over all addresses. A copy; all but <see cref="Open"/> and
/// <see cref="BufferBytes"/> only rise.
/// </summary>
public readonly record struct TcpCounters
{
    /// <summary>Connections open now.</summary>
    public int Open { get; init; }

    /// <summary>Connections accepted and served.</summary>
    public long Accepted { get; init; }

    /// <summary>Connections closed at once because a limit was reached and none was idle.</summary>
    public long Refused { get; init; }

    /// <summary>Idle connections closed to make room for another.</summary>
    public long Evicted { get; init; }

    /// <summary>Connections closed because buffers were short and they had held theirs for longest.</summary>
    public long EvictedForMemory { get; init; }

    /// <summary>Octets of buffers that connections hold now.</summary>
    public long BufferBytes { get; init; }

    /// <summary>
    /// Connections closed by a time-out: idle, a message not whole in time, or answers not taken in time.
    /// </summary>
    public long TimedOut { get; init; }

    /// <summary>Messages received whole.</summary>
    public long Received { get; init; }

    /// <summary>Answers handed to the system.</summary>
    public long Sent { get; init; }

    /// <summary>
    /// Answers that came later and found their connection ended, or too many waiting before them.
    /// </summary>
    public long Undelivered { get; init; }

    /// <summary>
    /// Failed accept calls, such as for want of descriptors; accepting goes on after a pause.
    /// </summary>
    public long AcceptErrors { get; init; }

    /// <summary>Connections of proxies that began with something else than a header of theirs.</summary>
    public long BadProxyHeaders { get; init; }

    /// <summary>Exceptions in the loops of connections and of accepting: defects, or a lack of memory.</summary>
    public long Faults { get; init; }
}
