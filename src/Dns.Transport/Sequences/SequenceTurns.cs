namespace Dns.Transport.Sequences;

/// <summary>
/// Schedules the sequences of all connections: bounds how many run, and who pulls next. A connection takes a turn, or
/// queues and is woken for it; after a turn it goes to the end of the queue. Small replies thus pass large ones, and
/// pool threads stay free for queries.
/// </summary>
/// <remarks>The number of running sequences bounds the queue. Thread-safe; the lock is held briefly.</remarks>
/// <param name="atATime">The number of connections with a turn at a time. At least 1.</param>
internal sealed class SequenceTurns(int atATime)
{
    private readonly Lock _gate = new();
    private readonly Queue<TcpConnection> _queue = new();
    private int _taken;
    private int _running;
    private long _refused;

    public int Running => Volatile.Read(ref _running);

    /// <summary>Sequences refused at the limit.</summary>
    public long Refused => Volatile.Read(ref _refused);

    public int Queued
    {
        get
        {
            lock (_gate) return _queue.Count;
        }
    }

    /// <summary>Counts a new sequence. False at the limit.</summary>
    public bool TryBegin(int most)
    {
        if (Interlocked.Increment(ref _running) <= most) return true;
        Interlocked.Decrement(ref _running);
        Interlocked.Increment(ref _refused);
        return false;
    }

    /// <summary>Uncounts a sequence.</summary>
    public void End() => Interlocked.Decrement(ref _running);

    /// <summary>Takes a free or assigned turn. Otherwise queues the connection, which is woken for its turn.</summary>
    public bool TryTake(TcpConnection connection)
    {
        lock (_gate)
        {
            if (connection.Turn == TurnState.None)
            {
                bool isFree = _taken < atATime && _queue.Count == 0;
                _taken += isFree ? 1 : 0;
                connection.Turn = isFree ? TurnState.Given : TurnState.Queued;
                if (!isFree) _queue.Enqueue(connection);
            }
            return connection.Turn == TurnState.Given;
        }
    }

    /// <summary>Ends a turn or leaves the queue; does nothing for other connections.</summary>
    public void Leave(TcpConnection connection)
    {
        TcpConnection? next = null;
        lock (_gate)
        {
            if (connection.Turn == TurnState.Given)
            {
                _taken--;
                if (_queue.TryDequeue(out next))
                {
                    _taken++;
                    next.Turn = TurnState.Given;
                }
            }
            else if (connection.Turn == TurnState.Queued)
            {
                Forget(connection);
            }
            connection.Turn = TurnState.None;
        }
        next?.Wake();
    }

    private void Forget(TcpConnection connection)
    {
        for (int left = _queue.Count; left > 0; left--)
        {
            TcpConnection queued = _queue.Dequeue();
            if (queued != connection) _queue.Enqueue(queued);
        }
    }
}

/// <summary>The scheduling state of a connection; protected by the lock of the turns.</summary>
internal enum TurnState
{
    /// <summary>Neither queued nor running.</summary>
    None,

    /// <summary>In the queue.</summary>
    Queued,

    /// <summary>Has a turn.</summary>
    Given,
}
