namespace Dns.Replication.Notify;

/// <summary>Counters of sent notifications. Thread-safe.</summary>
public sealed class NotifyCounters
{
    private long _sent, _answered, _refused, _unanswered, _dropped;

    /// <summary>Messages sent, each try counted.</summary>
    public long Sent => Volatile.Read(ref _sent);

    /// <summary>Notifications answered with NOERROR.</summary>
    public long Answered => Volatile.Read(ref _answered);

    /// <summary>Notifications answered with an error.</summary>
    public long Refused => Volatile.Read(ref _refused);

    /// <summary>Notifications without an answer to any try, or that could not be sent.</summary>
    public long Unanswered => Volatile.Read(ref _unanswered);

    /// <summary>Notifications dropped at the limit of pending ones.</summary>
    public long Dropped => Volatile.Read(ref _dropped);

    internal void CountSent() => Interlocked.Increment(ref _sent);

    internal void CountAnswered() => Interlocked.Increment(ref _answered);

    internal void CountRefused() => Interlocked.Increment(ref _refused);

    internal void CountUnanswered() => Interlocked.Increment(ref _unanswered);

    internal void CountDropped() => Interlocked.Increment(ref _dropped);
}
