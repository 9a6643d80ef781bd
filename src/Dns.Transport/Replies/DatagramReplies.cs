namespace Dns.Transport.Replies;

/// <summary>The deferred replies of one UDP loop: how many are pending, and counters with many writers.</summary>
internal abstract class DatagramReplies : IReplySender
{
    private readonly TaskCompletionSource _none = new(TaskCreationOptions.RunContinuationsAsynchronously);

    // Starts at one for the loop itself.
    private int _expected = 1;
    private long _sent;
    private long _errors;

    /// <summary>Completes after <see cref="NoMore"/> once every pending reply was sent or abandoned.</summary>
    public Task None => _none.Task;

    /// <summary>Adds a pending reply.</summary>
    public void Expect() => Interlocked.Increment(ref _expected);

    /// <summary>Marks the end of the loop; called once.</summary>
    public void NoMore() => Complete();

    public void Send(in ReplyPath path, ReadOnlySpan<byte> answer)
    {
        bool sent = answer.Length <= path.RoomOctets && TrySend(path, answer);
        Interlocked.Increment(ref sent ? ref _sent : ref _errors);
        Complete();
    }

    public void Abandon(in ReplyPath path) => Complete();

    /// <summary>Not supported: a datagram has one answer.</summary>
    public bool TryStream(in ReplyPath path, IReplySequence sequence) => false;

    /// <summary>Nothing to do: a datagram has no sequences.</summary>
    public void Wake(in ReplyPath path)
    {
    }

    /// <summary>Adds the counters of deferred replies to those of the loop.</summary>
    public UdpCounters AddTo(in UdpWorkerCounts counts)
    {
        UdpCounters loop = counts.ToCounters();
        return loop with
        {
            Sent = loop.Sent + Volatile.Read(ref _sent),
            SendErrors = loop.SendErrors + Volatile.Read(ref _errors),
        };
    }

    /// <summary>Sends from any thread without waiting; false on any failure, including a closed socket.</summary>
    protected abstract bool TrySend(in ReplyPath path, ReadOnlySpan<byte> answer);

    private void Complete()
    {
        if (Interlocked.Decrement(ref _expected) == 0) _none.TrySetResult();
    }
}
