using Dns.Protocol;

namespace Dns.Transport;

/// <summary>
/// The answers of one UDP loop that come later: how many are still to come, and how the others fared. The
/// loop's own counts have one writer; these have many.
/// </summary>
internal abstract class DatagramReplies : IReplySender
{
    private readonly TaskCompletionSource _none = new(TaskCreationOptions.RunContinuationsAsynchronously);

    // One for the loop itself, so that it is not over before the loop is.
    private int _expected = 1;
    private long _sent;
    private long _errors;

    /// <summary>Completes when <see cref="NoMore"/> was said and every answer has been sent or abandoned.</summary>
    public Task None => _none.Task;

    /// <summary>Expects one more answer.</summary>
    public void Expect() => Interlocked.Increment(ref _expected);

    /// <summary>Says, once, that the loop has ended.</summary>
    public void NoMore() => Complete();

    /// <inheritdoc/>
    public void Send(in ReplyPath path, ReadOnlySpan<byte> answer)
    {
        bool sent = answer.Length <= path.RoomOctets && TrySend(path, answer);
        Interlocked.Increment(ref sent ? ref _sent : ref _errors);
        Complete();
    }

    /// <inheritdoc/>
    public void Abandon(in ReplyPath path) => Complete();

    /// <summary>A datagram has one answer.</summary>
    public bool TryStream(in ReplyPath path, IReplySequence sequence) => false;

    /// <summary>Nothing of a datagram waits to be pulled.</summary>
    public void Wake(in ReplyPath path)
    {
    }

    /// <summary>Adds what was sent here to the counts of the loop.</summary>
    public UdpCounters AddTo(in UdpWorkerCounts counts)
    {
        UdpCounters loop = counts.ToCounters();
        return loop with
        {
            Sent = loop.Sent + Volatile.Read(ref _sent),
            SendErrors = loop.SendErrors + Volatile.Read(ref _errors),
        };
    }

    /// <summary>Sends from any thread without waiting; false for every failure, also a closed socket.</summary>
    protected abstract bool TrySend(in ReplyPath path, ReadOnlySpan<byte> answer);

    private void Complete()
    {
        if (Interlocked.Decrement(ref _expected) == 0)
        {
            _none.TrySetResult();
        }
    }
}
