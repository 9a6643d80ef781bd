namespace Dns.Transport.Tcp;

/// <content>
/// Replies of several messages. A turn fills one buffer, and the next begins when the client has accepted it: a slow
/// client holds that buffer, and is not disconnected while it makes progress. Other queries are answered between turns.
/// </content>
internal sealed partial class TcpConnection
{
    // Small messages cost more per octet than large ones.
    private const int TurnMessages = 64;

    private long _sentOctets;
    private long _takenAtMark;
    private long _progressDeadline;
    private long _progressLook;
    private volatile bool _isStreaming;

    /// <summary>The scheduling state; written by <see cref="SequenceTurns"/>.</summary>
    public TurnState Turn { get; set; }

    /// <summary>Wakes the loop on a pool thread.</summary>
    public void Wake() => _pending.Wake.Set();

    /// <summary>
    /// Extends the deadline of a connection with a running or partly sent sequence, if its client has accepted enough
    /// since the last time. Called under the lock of the table, for a connection in it.
    /// </summary>
    public bool TryProlong(long now)
    {
        if (Volatile.Read(ref _progressDeadline) == 0) return false;
        long sent = Volatile.Read(ref _sentOctets);
        long taken = Stream.TakenOctets ?? sent;
        bool isOwing = taken < sent || _isSending;
        bool isDue = now >= Volatile.Read(ref _progressDeadline);
        bool hasProgress = taken - _takenAtMark >= _listeners.Limits.SequenceProgressOctets;
        if (isOwing ? isDue && !hasProgress : !_isStreaming) return false;
        if (isDue)
        {
            _takenAtMark = taken;
            Volatile.Write(ref _progressDeadline, now + _listeners.TicksOf(_listeners.Limits.SequenceTimeout));
        }
        Volatile.Write(ref _progressLook, _isStreaming ? _progressDeadline : EndOfIdle(now));
        return true;
    }

    /// <summary>The deadline after the last message: the idle timeout, or the earlier deadline.</summary>
    private long EndOfIdle(long now) =>
        Math.Min(Volatile.Read(ref _progressDeadline), now + _listeners.TicksOf(_listeners.Limits.IdleTimeout));

    /// <summary>Pulls from the sequences for one turn. False if the connection must end.</summary>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<bool> StreamAsync()
    {
        if (_pending.Sequences.Count == 0)
        {
            EndStreaming();
            return true;
        }
        if (!_isStreaming)
        {
            _takenAtMark = Stream.TakenOctets ?? _sentOctets;
            Volatile.Write(ref _progressDeadline, _listeners.After(_listeners.Limits.SequenceTimeout));
            Volatile.Write(ref _progressLook, _progressDeadline);
            _isStreaming = true;
        }
        if (!_pending.Sequences.HasReady || !_listeners.Turns.TryTake(this)) return true;
        bool continues = _outgoing.TryOpenStream() && PullTurn();
        continues &= TrySendNow();
        _listeners.Turns.Leave(this);
        if (!_outgoing.Unsent.IsEmpty && !await SendRestAsync().ConfigureAwait(false)) return false;
        if (_pending.Sequences.HasReady)
        {
            _outgoing.Close();
        }
        else
        {
            _outgoing.CloseStream();
        }
        if (_pending.Sequences.Count == 0) EndStreaming();
        return continues;
    }

    /// <summary>Ends the streaming state after the last message was sent.</summary>
    private void EndStreaming()
    {
        if (!_isStreaming) return;
        _isStreaming = false;
        Volatile.Write(ref _progressLook, EndOfIdle(_listeners.Clock.GetTimestamp()));
    }

    /// <summary>Fills the empty buffer. False if the connection must end after what was written.</summary>
    private bool PullTurn()
    {
        for (int i = 0; i < TurnMessages && _pending.Sequences.TakeNext() is RunningSequence sequence; i++)
        {
            Span<byte> room = _outgoing.ReserveInStream();
            if (room.IsEmpty)
            {
                _pending.Sequences.Repeat();
                break;
            }
            SequenceStep step = sequence.WriteNext(room, out int octets);
            if (step == SequenceStep.NeedsRoom && room.Length < ushort.MaxValue)
            {
                _pending.Sequences.Repeat();
                break;
            }
            if (step == SequenceStep.Written && octets > 0 && octets <= room.Length)
            {
                _outgoing.Commit(octets);
                _sent++;
            }
            else if (step == SequenceStep.Ended)
            {
                _pending.Sequences.Remove(sequence);
                End(sequence);
            }
            else if (step != SequenceStep.Waiting)
            {
                ReportContractViolation(step);
                return false;
            }
        }
        return true;
    }

    private void ReportContractViolation(SequenceStep step)
    {
        if (step != SequenceStep.Failed)
        {
            _listeners.NoteFault(
                TransportLoops.TcpConnection,
                new InvalidOperationException(
                    $"A sequence returned {step} with neither too little room nor a message."));
        }
    }

    private void End(RunningSequence sequence)
    {
        _listeners.Turns.End();
        try
        {
            sequence.Dispose();
        }
        catch (Exception error)
        {
            _listeners.NoteFault(TransportLoops.TcpConnection, error);
        }
    }

    private void EndSequences()
    {
        _isStreaming = false;
        _listeners.Turns.Leave(this);
        while (_pending.Sequences.TakeAny() is RunningSequence sequence) End(sequence);
    }
}
