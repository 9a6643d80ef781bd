namespace Dns.Transport.Tcp;

/// <summary>
/// Deadlines of a connection, as timestamps of the clock. Only a sent answer extends them: neither messages without an
/// answer nor incomplete ones do.
/// </summary>
/// <remarks>
/// An incomplete message has the receive timeout to complete. That is granted once until the next sent answer: a client
/// without an answer has the idle timeout plus one receive timeout in all.
/// </remarks>
internal struct ConnectionDeadlines
{
    // After the last deferred query.
    private static readonly TimeSpan AnswerTimeout = TimeSpan.FromSeconds(30);

    private long _frame;
    private long _answer;
    private bool _hasSentSinceFrame;

    public long Idle { get; private set; }

    /// <summary>Starts with a new connection.</summary>
    public void Open(TcpListeners listeners)
    {
        _frame = _answer = 0;
        _hasSentSinceFrame = false;
        Idle = listeners.After(listeners.Limits.IdleTimeout);
    }

    /// <summary>The deadline after octets of an incomplete message.</summary>
    public long BeginFrame(TcpListeners listeners)
    {
        if (_frame == 0) _frame = listeners.After(listeners.Limits.ReceiveTimeout);
        return _frame;
    }

    /// <summary>The deadline after a turn.</summary>
    public long AfterTurn(TcpListeners listeners, in ConnectionTurn turn)
    {
        if (turn.HasSent)
        {
            Idle = listeners.After(listeners.Limits.IdleTimeout);
            _hasSentSinceFrame = true;
        }
        if (turn.HasTaken) _answer = listeners.After(AnswerTimeout);
        // A message that was incomplete before this turn and still is keeps its deadline.
        bool isOtherFrame = turn.HasReceived || !turn.IsPartial;
        if (isOtherFrame && _hasSentSinceFrame)
        {
            _frame = 0;
            _hasSentSinceFrame = false;
        }
        return turn.IsPartial ? BeginFrame(listeners) : turn.IsExpected ? _answer : Idle;
    }
}

/// <summary>The outcome of one turn of a connection's loop.</summary>
internal readonly record struct ConnectionTurn
{
    /// <summary>Whether a message was completed.</summary>
    public bool HasReceived { get; init; }

    public bool HasSent { get; init; }

    /// <summary>Whether a reply was deferred.</summary>
    public bool HasTaken { get; init; }

    public bool IsPartial { get; init; }

    /// <summary>Whether replies are pending.</summary>
    public bool IsExpected { get; init; }
}
