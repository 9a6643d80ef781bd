namespace Dns.Transport.Tcp;

/// <summary>
/// A connection that another library serves, within the limits of TCP: it counts for its client, and is closed for
/// others like any idle one. Thread-safe.
/// </summary>
public sealed class HostedConnection : IDisposable
{
    private readonly Lock _gate = new();
    private readonly TcpListeners _listeners;
    private TcpConnection? _connection;
    private int _running;

    internal HostedConnection(TcpListeners listeners, TcpConnection connection)
    {
        _listeners = listeners;
        _connection = connection;
    }

    /// <summary>Begins a message: until its end, the connection is not idle. False if it is closed.</summary>
    public bool TryBegin()
    {
        lock (_gate)
        {
            return _connection is not null
                && (++_running > 1 ? _connection.Activity.IsListed : ConnectionTable.TryMarkBusy(_connection));
        }
    }

    /// <summary>Ends a message that was begun, and counts it. False if the connection is closed.</summary>
    /// <param name="sent">The messages of its reply.</param>
    public bool TryEnd(int sent)
    {
        lock (_gate)
        {
            return _connection is not null && _listeners.Table.TrySettle(
                _connection, received: 1, sent, idle: --_running == 0, _listeners.Clock.GetTimestamp());
        }
    }

    /// <summary>Called once the connection is closed, from whichever side.</summary>
    public void Dispose()
    {
        lock (_gate)
        {
            if (_connection is not null) _listeners.Withdraw(_connection);
            _connection = null;
        }
    }

    /// <summary>What the table closes: calls the library.</summary>
    internal sealed class Stream(Action close) : IByteStream
    {
        private int _isClosed;

        public ValueTask<bool> OpenAsync() => new(true);

        public ValueTask<int> ReceiveAsync(Memory<byte> room) => new(IByteStream.Failed);

        public ValueTask<int> SendAsync(ReadOnlyMemory<byte> octets) => new(IByteStream.Failed);

        public void Close()
        {
            if (Interlocked.Exchange(ref _isClosed, 1) == 0) close();
        }
    }
}
