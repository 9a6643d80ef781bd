namespace Dns.Replication;

/// <summary>Counts notifications that are sent. Thread-safe.</summary>
public sealed class NotifyCounters
{
    private long _sent, _answered, _refused, _unanswered, _dropped;

    /// <summary>Messages sent, each try by itself.</summary>
    public long Sent => Volatile.Read(ref _sent);

    /// <summary>Notifications that were answered with NOERROR.</summary>
    public long Answered => Volatile.Read(ref _answered);

    /// <summary>Notifications that were answered with an error.</summary>
    public long Refused => Volatile.Read(ref _refused);

    /// <summary>Notifications that no try of was answered, or that could not be sent.</summary>
    public long Unanswered => Volatile.Read(ref _unanswered);

    /// <summary>Notifications that were not sent because as many waited as may.</summary>
    public long Dropped => Volatile.Read(ref _dropped);

    internal void CountSent() => Interlocked.Increment(ref _sent);

    internal void CountAnswered() => Interlocked.Increment(ref _answered);

    internal void CountRefused() => Interlocked.Increment(ref _refused);

    internal void CountUnanswered() => Interlocked.Increment(ref _unanswered);

    internal void CountDropped() => Interlocked.Increment(ref _dropped);
}
