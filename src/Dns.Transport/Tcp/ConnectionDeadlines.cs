namespace Dns.Transport;

/// <summary>
/// When a connection has overstayed, as timestamps of the clock. Only an answer that was sent buys time: neither messages
/// without an answer nor parts of messages do, however they are cut.
/// </summary>
/// <remarks>
/// A message that has begun has the receive time-out to become whole. Where no answer was sent since the last time that
/// this was granted, it is not granted again: what a client without an answer gets in all is the idle time-out and once
/// the receive time-out.
/// </remarks>
internal struct ConnectionDeadlines
{
    // After the last query that somebody else has to be asked for.
    private static readonly TimeSpan AnswerTimeout = TimeSpan.FromSeconds(30);

    private long _frame;
    private long _answer;
    private bool _hasSentSinceFrame;

    /// <summary>When the connection is idle too long.</summary>
    public long Idle { get; private set; }

    /// <summary>Begins with a new connection.</summary>
    public void Open(TcpListeners listeners)
    {
        _frame = _answer = 0;
        _hasSentSinceFrame = false;
        Idle = listeners.After(listeners.Limits.IdleTimeout);
    }

    /// <summary>Octets of a message have arrived that is not whole: when it has to be.</summary>
    public long BeginFrame(TcpListeners listeners)
    {
        if (_frame == 0)
        {
            _frame = listeners.After(listeners.Limits.ReceiveTimeout);
        }

        return _frame;
    }

    /// <summary>Messages have been answered: the deadline from now on.</summary>
    public long AfterTurn(TcpListeners listeners, in ConnectionTurn turn)
    {
        if (turn.HasSent)
        {
            Idle = listeners.After(listeners.Limits.IdleTimeout);
            _hasSentSinceFrame = true;
        }

        if (turn.HasTaken)
        {
            _answer = listeners.After(AnswerTimeout);
        }

        // A message that had begun before this turn and still is not whole goes on under its own deadline.
        bool isOtherFrame = turn.HasReceived || !turn.IsPartial;
        if (isOtherFrame && _hasSentSinceFrame)
        {
            _frame = 0;
            _hasSentSinceFrame = false;
        }

        return turn.IsPartial ? BeginFrame(listeners) : turn.IsExpected ? _answer : Idle;
    }
}

/// <summary>What one turn of a connection's loop has brought.</summary>
internal readonly record struct ConnectionTurn
{
    /// <summary>Whether a message became whole.</summary>
    public bool HasReceived { get; init; }

    /// <summary>Whether an answer was sent.</summary>
    public bool HasSent { get; init; }

    /// <summary>Whether a message was taken to be answered later.</summary>
    public bool HasTaken { get; init; }

    /// <summary>Whether part of a message waits for the rest.</summary>
    public bool IsPartial { get; init; }

    /// <summary>Whether answers are to come.</summary>
    public bool IsExpected { get; init; }
}
