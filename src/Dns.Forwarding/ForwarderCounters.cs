namespace Dns.Forwarding;

/// <summary>What forwarding has done since it began; each number only grows. Safe to read at any time.</summary>
public sealed class ForwarderCounters
{
    private long _asked;
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
    private long _lackedSockets;
    private long _loops;

    /// <summary>Questions that were begun to be asked.</summary>
    public long Asked => Interlocked.Read(ref _asked);

    /// <summary>Questions that joined an equal one on its way.</summary>
    public long Joined => Interlocked.Read(ref _joined);

    /// <summary>Queries sent to upstreams, probes left out.</summary>
    public long Sent => Interlocked.Read(ref _sent);

    /// <summary>Questions that ended with an answer.</summary>
    public long Answered => Interlocked.Read(ref _answered);

    /// <summary>Questions that ended without one.</summary>
    public long Failed => Interlocked.Read(ref _failed);

    /// <summary>Questions whose waiters got an old answer.</summary>
    public long Stale => Interlocked.Read(ref _stale);

    /// <summary>Popular answers that were asked for again before their end.</summary>
    public long Refreshed => Interlocked.Read(ref _refreshed);

    /// <summary>Messages aimed at a question on its way that were not its reply.</summary>
    public long Mismatched => Interlocked.Read(ref _mismatched);

    /// <summary>Questions asked again over TCP.</summary>
    public long StreamFallbacks => Interlocked.Read(ref _streamFallbacks);

    /// <summary>Questions turned away because too many were on their way.</summary>
    public long TableFull => Interlocked.Read(ref _tableFull);

    /// <summary>Questions turned away because all upstreams are down.</summary>
    public long Unreachable => Interlocked.Read(ref _unreachable);

    /// <summary>Questions turned away because their client waits for as many answers as it may.</summary>
    public long ClientLimit => Interlocked.Read(ref _clientLimit);

    /// <summary>Clients' queries that were SERVFAIL because no answer came in time; their questions were asked on.</summary>
    public long TimedOut => Interlocked.Read(ref _timedOut);

    /// <summary>Answers that came too late for a datagram to an address that is not proven.</summary>
    public long Discarded => Interlocked.Read(ref _discarded);

    /// <summary>Times that the system refused one socket after the other; none is asked for in the second after.</summary>
    public long LackedSockets => Interlocked.Read(ref _lackedSockets);

    /// <summary>Queries of our own that came back.</summary>
    public long Loops => Interlocked.Read(ref _loops);

    /// <summary>An answer was not sent.</summary>
    public void CountDiscarded() => Interlocked.Increment(ref _discarded);

    internal void CountTimedOut() => Interlocked.Increment(ref _timedOut);

    internal void CountAsked() => Interlocked.Increment(ref _asked);

    internal void CountJoined() => Interlocked.Increment(ref _joined);

    internal void CountSent() => Interlocked.Increment(ref _sent);

    internal void CountAnswered() => Interlocked.Increment(ref _answered);

    internal void CountFailed() => Interlocked.Increment(ref _failed);

    internal void CountStale() => Interlocked.Increment(ref _stale);

    internal void CountRefreshed() => Interlocked.Increment(ref _refreshed);

    internal void CountMismatch() => Interlocked.Increment(ref _mismatched);

    internal void CountStreamFallback() => Interlocked.Increment(ref _streamFallbacks);

    /// <summary>A question was not asked.</summary>
    /// <param name="why">Why: anything but <see cref="AskResult.Joined"/>.</param>
    internal void CountTurnedAway(AskResult why) => Interlocked.Increment(
        ref why == AskResult.ClientLimit ? ref _clientLimit : ref why == AskResult.Unreachable ? ref _unreachable : ref _tableFull);

    internal void CountLackedSocket() => Interlocked.Increment(ref _lackedSockets);

    internal void CountLoop() => Interlocked.Increment(ref _loops);
}
