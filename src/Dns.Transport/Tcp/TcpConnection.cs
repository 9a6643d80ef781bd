using System.Buffers;
using System.Net.Sockets;
using System.Runtime.CompilerServices;
using Dns.Protocol;

namespace Dns.Transport;

/// <summary>
/// One TCP connection (RFC 7766): receive, answer every message that is whole, send, and only then receive
/// again, so that a client that does not read is not read from. Pooled with its socket operations; after it
/// stands, a query allocates nothing.
/// </summary>
/// <remarks>
/// The loop of <see cref="Serve"/> owns buffers and socket. Others may only dispose the socket, after they
/// took the connection out of the table; the loop then ends by itself and gives everything back, on every
/// path.
/// </remarks>
internal sealed class TcpConnection : IThreadPoolWorkItem, IDisposable
{
    // A client with queries always ready would otherwise keep its pool thread for ever.
    private const int TurnsBeforeYield = 64;

    private readonly SocketOperation _operation = new();
    private readonly IncomingFrames _incoming = new();
    private readonly OutgoingFrames _outgoing = new();
    private TcpListeners _listeners = null!;
    private ClientAddress _client;
    private long _idleDeadline;
    private long _frameDeadline;
    private int _received;
    private int _sent;
    private int _turns;

    /// <summary>The socket; replaced when the state is used again.</summary>
    public Socket Socket { get; private set; } = null!;

    /// <summary>The timestamp of the clock at which the connection has overstayed.</summary>
    public long Deadline
    {
        get => Volatile.Read(ref field);
        private set => Volatile.Write(ref field, value);
    }

    // What the table keeps with each connection; only the table touches it, under its lock.
    public AddressPrefix ClientKey { get; private set; }
    public AddressPrefix PrefixKey { get; private set; }
    public ConnectionGroup[] Groups { get; } = new ConnectionGroup[3];
    public IdleLink[] Links { get; } = new IdleLink[3];
    public int Index { get; set; }
    public bool IsListed { get; set; }
    public bool IsIdle { get; set; }

    /// <summary>Makes a pooled state the state of a new connection.</summary>
    public void Open(Socket socket, in ClientAddress client, TcpListeners listeners)
    {
        Socket = socket;
        _client = client;
        _listeners = listeners;
        ClientKey = AddressPrefix.Client(ref _client);
        PrefixKey = AddressPrefix.Network(ref _client);
        _frameDeadline = 0;
        _received = _sent = _turns = 0;
        Deadline = _idleDeadline = listeners.After(listeners.Limits.IdleTimeout);
    }

    /// <summary>Starts to serve, on a pool thread so that accepting goes on at once.</summary>
    public void Start() => ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);

    void IThreadPoolWorkItem.Execute() => _ = Serve();

    /// <inheritdoc/>
    public void Dispose() => _operation.Dispose();

    private async Task Serve()
    {
        try
        {
            _incoming.Open(_listeners.Buffers);
            _outgoing.Open(_listeners.Buffers);
            while (await ReceiveAsync().ConfigureAwait(false) && await AnswerAsync().ConfigureAwait(false))
            {
                if (!_listeners.Table.TryMarkIdle(this, Take(ref _received), Take(ref _sent)))
                {
                    break;
                }
            }
        }
        catch (Exception)
        {
            // A defect of the responder or ours; one connection pays for it, the server goes on.
            _listeners.Table.CountFault();
        }
        finally
        {
            Close();
        }
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<bool> ReceiveAsync()
    {
        if (++_turns >= TurnsBeforeYield)
        {
            _turns = 0;
            await Task.Yield();
        }

        while (true)
        {
            SocketError error = await _operation.ReceiveAsync(Socket, _incoming.Room()).ConfigureAwait(false);
            if (error != SocketError.Success || _operation.BytesTransferred == 0)
            {
                return false;
            }

            _incoming.Advance(_operation.BytesTransferred);
            if (_incoming.HasFrame)
            {
                return _listeners.Table.TryMarkBusy(this);
            }

            BoundFrame();
        }
    }

    /// <summary>
    /// Starts the time that a message may take. The connection stays as idle as it was until the message is
    /// whole: one octet now and then must not make it the last to give way.
    /// </summary>
    private void BoundFrame()
    {
        if (_frameDeadline == 0)
        {
            Deadline = _frameDeadline = _listeners.After(_listeners.Limits.ReceiveTimeout);
        }
    }

    /// <summary>Answers what has arrived whole. False when the connection must end.</summary>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<bool> AnswerAsync()
    {
        int receivedBefore = _received;
        int sentBefore = _sent;
        FrameStatus status;
        do
        {
            status = AnswerWhileRoom();
            if (!await FlushAsync().ConfigureAwait(false))
            {
                return false;
            }
        }
        while (status == FrameStatus.Whole);

        if (_sent > sentBefore)
        {
            // Only an answered query buys more time: a client must not hold a connection with empty talk.
            _idleDeadline = _listeners.After(_listeners.Limits.IdleTimeout);
        }

        if (status == FrameStatus.None)
        {
            _frameDeadline = 0;
        }
        else if (_frameDeadline == 0 || _received > receivedBefore)
        {
            _frameDeadline = _listeners.After(_listeners.Limits.ReceiveTimeout);
        }

        Deadline = _frameDeadline != 0 ? _frameDeadline : _idleDeadline;
        return status != FrameStatus.Empty;
    }

    /// <summary>
    /// Answers messages until none is whole or the queue is full (<see cref="FrameStatus.Whole"/>).
    /// </summary>
    private FrameStatus AnswerWhileRoom()
    {
        while (_outgoing.HasRoom)
        {
            FrameStatus status = _incoming.TryTake(out ReadOnlySpan<byte> query);
            if (status != FrameStatus.Whole)
            {
                return status;
            }

            _received++;
            Span<byte> message = _outgoing.Reserve();
            query.CopyTo(message);
            int octets = _listeners.Responder.RespondToStreamMessage(message, query.Length, ref _client);
            if (octets > 0)
            {
                _outgoing.Commit(octets);
                _sent++;
            }
        }

        return FrameStatus.Whole;
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<bool> FlushAsync()
    {
        if (!_outgoing.Unsent.IsEmpty)
        {
            Deadline = _listeners.After(_listeners.Limits.SendTimeout);
        }

        while (!_outgoing.Unsent.IsEmpty)
        {
            SocketError error = await _operation.SendAsync(Socket, _outgoing.Unsent).ConfigureAwait(false);
            if (error != SocketError.Success)
            {
                return false;
            }

            _outgoing.MarkSent(_operation.BytesTransferred);
        }

        _outgoing.Close();
        return true;
    }

    private static int Take(ref int count)
    {
        int taken = count;
        count = 0;
        return taken;
    }

    private void Close()
    {
        _listeners.Table.TryMarkIdle(this, Take(ref _received), Take(ref _sent));
        _listeners.Table.Remove(this);
        _operation.ReleaseBuffer();
        _incoming.Close();
        _outgoing.Close();
        TcpListeners.CloseSocket(Socket);
        _client = default;
        _listeners.Return(this);
    }
}
