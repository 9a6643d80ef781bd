namespace Dns.Transport;

/// <summary>
/// Shares the processor among the sequences of all connections: how many run at a time, and who may pull next. A
/// connection that wants to pull takes a turn, or queues up and is woken for it; after a turn it goes to the end of the
/// queue. So replies of a few kilobytes pass those of a gigabyte, and pool threads stay free for queries.
/// </summary>
/// <remarks>The queue is as long as sequences run at most. Thread-safe; the lock is held for a few instructions.</remarks>
/// <param name="atATime">How many connections have a turn at a time. At least 1.</param>
internal sealed class SequenceTurns(int atATime)
{
    private readonly Lock _gate = new();
    private readonly Queue<TcpConnection> _queue = new();
    private int _taken;
    private int _running;
    private long _refused;

    /// <summary>Sequences that connections own now.</summary>
    public int Running => Volatile.Read(ref _running);

    /// <summary>Sequences refused because as many ran as may.</summary>
    public long Refused => Volatile.Read(ref _refused);

    /// <summary>Connections that wait for a turn.</summary>
    public int Queued
    {
        get
        {
            lock (_gate)
            {
                return _queue.Count;
            }
        }
    }

    /// <summary>Counts a sequence in. False when as many run as may.</summary>
    /// <param name="most">How many may run.</param>
    public bool TryBegin(int most)
    {
        if (Interlocked.Increment(ref _running) <= most)
        {
            return true;
        }

        Interlocked.Decrement(ref _running);
        Interlocked.Increment(ref _refused);
        return false;
    }

    /// <summary>Counts a sequence out.</summary>
    public void End() => Interlocked.Decrement(ref _running);

    /// <summary>
    /// Takes a turn, or the one that was given. Else the connection is in the queue, and woken when its turn has come.
    /// </summary>
    public bool TryTake(TcpConnection connection)
    {
        lock (_gate)
        {
            if (connection.Turn == TurnState.None)
            {
                bool isFree = _taken < atATime && _queue.Count == 0;
                _taken += isFree ? 1 : 0;
                connection.Turn = isFree ? TurnState.Given : TurnState.Queued;
                if (!isFree)
                {
                    _queue.Enqueue(connection);
                }
            }

            return connection.Turn == TurnState.Given;
        }
    }

    /// <summary>Ends a turn, or gives up the place in the queue. Does nothing for a connection that has neither.</summary>
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

    /// <summary>Takes one out of the queue and leaves the others as they are.</summary>
    private void Forget(TcpConnection connection)
    {
        for (int left = _queue.Count; left > 0; left--)
        {
            TcpConnection queued = _queue.Dequeue();
            if (queued != connection)
            {
                _queue.Enqueue(queued);
            }
        }
    }
}

/// <summary>What a connection has of the turns. Written under their lock.</summary>
internal enum TurnState
{
    /// <summary>Nothing.</summary>
    None,

    /// <summary>A place in the queue.</summary>
    Queued,

    /// <summary>A turn, until it leaves.</summary>
    Given,
}
