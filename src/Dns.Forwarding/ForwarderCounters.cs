namespace Dns.Forwarding;

/// <summary>Counters of forwarding; monotonic. Thread-safe.</summary>
public sealed class ForwarderCounters
{
    private long _queried;
    private long _joined;
    private long _sent;
    private long _answered;
    private long _failed;
    private long _stale;
    private long _refreshed;
    private long _mismatched;
    private long _streamFallbacks;
    private long _tableFull;
    private long _unreachable;
    private long _clientLimit;
    private long _timedOut;
    private long _discarded;
    private long _refusedSockets;
    private long _loops;

    /// <summary>Questions forwarded.</summary>
    public long Queried => Interlocked.Read(ref _queried);

    /// <summary>Questions that joined an equal one in flight.</summary>
    public long Joined => Interlocked.Read(ref _joined);

    /// <summary>Upstream queries sent, without probes.</summary>
    public long Sent => Interlocked.Read(ref _sent);

    /// <summary>Questions that ended with an answer.</summary>
    public long Answered => Interlocked.Read(ref _answered);

    /// <summary>Questions that ended without an answer.</summary>
    public long Failed => Interlocked.Read(ref _failed);

    /// <summary>Questions answered from stale entries.</summary>
    public long Stale => Interlocked.Read(ref _stale);

    /// <summary>Prefetches of popular answers.</summary>
    public long Refreshed => Interlocked.Read(ref _refreshed);

    /// <summary>Messages for a question in flight that were not its reply.</summary>
    public long Mismatched => Interlocked.Read(ref _mismatched);

    /// <summary>Questions retried over TCP.</summary>
    public long StreamFallbacks => Interlocked.Read(ref _streamFallbacks);

    /// <summary>Questions refused because too many were in flight.</summary>
    public long TableFull => Interlocked.Read(ref _tableFull);

    /// <summary>Questions refused because all upstreams are down.</summary>
    public long Unreachable => Interlocked.Read(ref _unreachable);

    /// <summary>Questions refused because their client waits for its maximum of answers.</summary>
    public long ClientLimit => Interlocked.Read(ref _clientLimit);

    /// <summary>Client queries answered with SERVFAIL after a timeout; their questions stay in flight.</summary>
    public long TimedOut => Interlocked.Read(ref _timedOut);

    /// <summary>Answers too late for a datagram to an unproven address.</summary>
    public long Discarded => Interlocked.Read(ref _discarded);

    /// <summary>Times the system refused several sockets in a row; then none is opened for a second.</summary>
    public long RefusedSockets => Interlocked.Read(ref _refusedSockets);

    /// <summary>Own queries that came back.</summary>
    public long Loops => Interlocked.Read(ref _loops);

    /// <summary>Counts an answer that was not sent.</summary>
    public void CountDiscarded() => Interlocked.Increment(ref _discarded);

    internal void CountTimedOut() => Interlocked.Increment(ref _timedOut);

    internal void CountQueried() => Interlocked.Increment(ref _queried);

    internal void CountJoined() => Interlocked.Increment(ref _joined);

    internal void CountSent() => Interlocked.Increment(ref _sent);

    internal void CountAnswered() => Interlocked.Increment(ref _answered);

    internal void CountFailed() => Interlocked.Increment(ref _failed);

    internal void CountStale() => Interlocked.Increment(ref _stale);

    internal void CountRefreshed() => Interlocked.Increment(ref _refreshed);

    internal void CountMismatch() => Interlocked.Increment(ref _mismatched);

    internal void CountStreamFallback() => Interlocked.Increment(ref _streamFallbacks);

    /// <param name="why">The reason: anything but <see cref="ForwardResult.Joined"/>.</param>
    internal void CountTurnedAway(ForwardResult why) => Interlocked.Increment(
        ref why == ForwardResult.ClientLimit
            ? ref _clientLimit : ref why == ForwardResult.Unreachable ? ref _unreachable : ref _tableFull);

    internal void CountRefusedSocket() => Interlocked.Increment(ref _refusedSockets);

    internal void CountLoop() => Interlocked.Increment(ref _loops);
}
