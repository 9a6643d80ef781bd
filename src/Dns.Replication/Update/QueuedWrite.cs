namespace Dns.Replication.Update;

/// <summary>A write that waits for the writer of its zone. Completed exactly once.</summary>
/// <param name="account">To whom room and turns are counted.</param>
/// <param name="octets">The octets that it holds while it waits.</param>
internal abstract class QueuedWrite(UpdateAccount account, int octets)
{
    /// <summary>What is written.</summary>
    internal abstract ZoneWrite Write { get; }

    internal DomainName Zone => Write.Zone;

    internal UpdateAccount Account => account;

    internal int Octets => octets;

    /// <summary>The size of the work of the last evaluation, see <see cref="UpdateChange"/>.</summary>
    internal abstract long WorkOctets { get; }

    /// <summary>The change of the last evaluation; null = none, or unknown.</summary>
    internal virtual ZoneDelta? Delta => null;

    /// <summary>Whether the author has given up waiting.</summary>
    internal virtual bool IsWithdrawn => false;

    /// <summary>Passes the result to the author.</summary>
    internal abstract void Complete(ZoneWriteResult result, UpdateCounters counters);
}

/// <summary>A write whose author waits for a task.</summary>
internal sealed class AwaitedWrite(ZoneWrite write, CancellationToken cancellation)
    : QueuedWrite(default, octets: 0)
{
    private readonly TaskCompletionSource<IReadOnlyList<ZoneWriteResult>> _done =
        new(TaskCreationOptions.RunContinuationsAsynchronously);

    internal override ZoneWrite Write => write;

    internal override long WorkOctets => 0;

    internal override bool IsWithdrawn => cancellation.IsCancellationRequested;

    internal Task<IReadOnlyList<ZoneWriteResult>> Done => _done.Task;

    internal override void Complete(ZoneWriteResult result, UpdateCounters counters)
    {
        if (IsWithdrawn && !result.IsChanged) _done.TrySetCanceled(cancellation);
        else _done.TrySetResult([result]);
    }
}
