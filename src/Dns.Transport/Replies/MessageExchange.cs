using System.Buffers;

namespace Dns.Transport.Replies;

/// <summary>
/// One message and its reply of any kind, immediate, deferred or a sequence, for listeners whose protocol carries each
/// query on a stream of its own (HTTP, QUIC). Reusable, for one message at a time; allocates nothing then.
/// <code>
/// for (int n = await exchange.RespondAsync(room, query, origin); n > 0; n = await exchange.NextAsync(room))
///     await send(room[..n]);
/// </code>
/// </summary>
/// <remarks>
/// The listener calls <see cref="RespondAsync"/> and <see cref="NextAsync"/>, and <see cref="Reset"/> when none of them
/// runs. <see cref="Cancel"/> may be called at any time. Replies to an earlier message are discarded.
/// </remarks>
/// <param name="host">Its sequences count for <see cref="TcpLimits.MaxSequences"/>.</param>
public sealed class MessageExchange(IMessageResponder responder, ListenerHost host) : IReplyPaths, IReplySender
{
    /// <summary>The reply is incomplete and cannot be completed: the listener must let the client know.</summary>
    public const int Failed = -1;

    private readonly Lock _gate = new();
    private readonly Wake _wake = new();
    private QueryOrigin _origin;
    private IReplySequence? _sequence;
    private byte[] _reply = [];
    private int _replyOctets;
    private uint _generation;
    private bool _isAwaited;
    private bool _isCancelled;

    /// <summary>Responds to a message.</summary>
    /// <param name="room">65,535 octets that start with the query; the reply overwrites it.</param>
    /// <returns>Length of the reply or of its first message; 0 for no reply.</returns>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public async ValueTask<int> RespondAsync(Memory<byte> room, int queryOctets, QueryOrigin origin)
    {
        Reset();
        _origin = origin;
        int octets = responder.RespondToMessage(room.Span, queryOctets, ref origin, this);
        while (octets == 0 && !TryTakeReply(room, out octets)) await _wake.WaitAsync().ConfigureAwait(false);
        return octets > 0 || _sequence is null ? octets : await NextAsync(room).ConfigureAwait(false);
    }

    /// <summary>The next message of the reply.</summary>
    /// <param name="room">65,535 octets.</param>
    /// <returns>Its length; 0 if the reply is complete, <see cref="Failed"/> if it cannot be completed.</returns>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public async ValueTask<int> NextAsync(Memory<byte> room)
    {
        while (_sequence is not null)
        {
            SequenceStep step = SequenceStep.Failed;
            int octets = 0;
            if (!Volatile.Read(ref _isCancelled)) step = _sequence.WriteNext(room.Span, out octets);
            if (step == SequenceStep.Written) return octets;
            if (step != SequenceStep.Waiting)
            {
                EndSequence();
                return step == SequenceStep.Ended ? 0 : Failed;
            }
            await _wake.WaitAsync().ConfigureAwait(false);
        }
        return 0;
    }

    /// <summary>Ends the wait for a reply, since the client has gone. Any thread.</summary>
    public void Cancel()
    {
        lock (_gate)
        {
            _generation++;
            _isAwaited = false;
            _isCancelled = true;
        }
        _wake.Set();
    }

    /// <summary>Ends the use for a message: disposes an unfinished sequence; later replies are discarded.</summary>
    public void Reset()
    {
        lock (_gate)
        {
            _generation++;
            _isAwaited = _isCancelled = false;
        }
        TakeKept([]);
        EndSequence();
    }

    ReplyPath IReplyPaths.TakePath(int slot)
    {
        ArgumentOutOfRangeException.ThrowIfNotEqual(slot, 0);
        lock (_gate)
        {
            _isAwaited = true;
            return new ReplyPath(this, _origin.Client, ushort.MaxValue, _origin.Transport) { Generation = _generation };
        }
    }

    void IReplySender.Send(in ReplyPath path, ReadOnlySpan<byte> answer)
    {
        lock (_gate)
        {
            if (!IsAwaited(path) || answer.Length > ushort.MaxValue) return;
            // Copied, since the responder may still read the query.
            _reply = ArrayPool<byte>.Shared.Rent(answer.Length);
            answer.CopyTo(_reply);
            _replyOctets = answer.Length;
            _isAwaited = false;
        }
        _wake.Set();
    }

    void IReplySender.Abandon(in ReplyPath path)
    {
        lock (_gate)
        {
            if (!IsAwaited(path)) return;
            _isAwaited = false;
        }
        _wake.Set();
    }

    bool IReplySender.TryStream(in ReplyPath path, IReplySequence sequence)
    {
        lock (_gate)
        {
            if (!IsAwaited(path) || !host.Connections.Turns.TryBegin(host.Limits.MaxSequences)) return false;
            _sequence = sequence;
            _isAwaited = false;
        }
        _wake.Set();
        return true;
    }

    void IReplySender.Wake(in ReplyPath path) => _wake.Set();

    private bool IsAwaited(in ReplyPath path) => path.Generation == _generation && _isAwaited;

    /// <summary>Takes what ended the wait: a reply, a sequence, or nothing. False while the path is awaited.</summary>
    private bool TryTakeReply(Memory<byte> room, out int octets)
    {
        octets = 0;
        lock (_gate)
        {
            if (_isAwaited) return false;
        }
        octets = TakeKept(room.Span);
        return true;
    }

    private int TakeKept(Span<byte> room)
    {
        int octets = _replyOctets;
        if (_reply.Length > 0)
        {
            _reply.AsSpan(0, Math.Min(octets, room.Length)).CopyTo(room);
            ArrayPool<byte>.Shared.Return(_reply);
        }
        _reply = [];
        _replyOctets = 0;
        return octets;
    }

    private void EndSequence()
    {
        IReplySequence? ended = _sequence;
        _sequence = null;
        if (ended is null) return;
        host.Connections.Turns.End();
        ended.Dispose();
    }
}
