namespace Dns.Transport.Tcp;

/// <summary>
/// One connection of a client (RFC 7766) over any stream: receives, answers all complete messages, sends, and only then
/// receives again, so that a client that does not read is not read from. While replies are pending it waits for them
/// and for the client. Pooled; a query allocates nothing.
/// </summary>
/// <remarks>
/// The loop of <see cref="Serve"/> owns buffers and stream. Other threads only append to <see cref="PendingReplies"/>,
/// and close the stream after they removed the connection from the table; the loop then ends and releases everything.
/// </remarks>
internal sealed partial class TcpConnection : IThreadPoolWorkItem, IStreamBuffers
{
    // A client that always has queries would hold its pool thread for ever.
    private const int TurnsBeforeYield = 64;

    private readonly IncomingFrames _incoming = new();
    private readonly OutgoingFrames _outgoing = new();
    private readonly PendingReplies _pending = new();
    private readonly SignalledReceive _watched;
    private TcpListeners _listeners = null!;
    private IStreamLayer? _layer;
    private ClientAddress _client;
    private DnsTransport _transport;
    private ConnectionDeadlines _deadlines;
    private long _moment;
    private int _received;
    private int _sent;
    private int _turns;
    private int _held;
    private bool _awaitsProxy;
    private bool _inputEnded;
    private volatile bool _isSending;

    public TcpConnection() => _watched = new SignalledReceive(_pending.Wake);

    /// <summary>The stream; replaced by that of the layer, and when the state is reused.</summary>
    public IByteStream Stream { get; private set; } = null!;

    /// <summary>The deadline, a timestamp of the clock.</summary>
    public long Deadline
    {
        get => Math.Max(Volatile.Read(ref field), Volatile.Read(ref _progressLook));
        private set => Volatile.Write(ref field, value);
    }

    /// <summary>Octets of buffers held by the connection.</summary>
    public int Held => Volatile.Read(ref _held);

    /// <summary>Whether it waits for its client to take octets: evictable like an idle one, but not idle.</summary>
    public bool IsSending => _isSending;

    public ConnectionActivity Activity { get; } = new();

    /// <summary>The timestamp of its start.</summary>
    public long Opened { get; private set; }

    // State of the table, which alone accesses it under its lock.
    public AddressPrefix ClientKey { get; private set; }
    public AddressPrefix PrefixKey { get; private set; }
    public ConnectionGroup[] Groups { get; } = new ConnectionGroup[3];
    public ConnectionLink[] Links { get; } = new ConnectionLink[5];
    public int Index { get; set; }
    public bool IsInIdleLists { get; set; }
    public int SeenTurns { get; set; }
    public long SeenIdleSince { get; set; }
    public int CountedOctets { get; set; }
    public int LeavingOctets { get; set; }

    /// <summary>Initialises a pooled state for a new connection.</summary>
    /// <param name="layer">Added before the first message, behind the header of a proxy; null = none.</param>
    public void Open(IByteStream stream, IStreamLayer? layer, in ClientAddress client, TcpListeners listeners)
    {
        Stream = stream;
        _layer = layer;
        _transport = stream.Transport;
        _client = client;
        _listeners = listeners;
        _awaitsProxy = listeners.ProxyFrom?.Contains(ref _client) ?? false;
        _pending.Open(listeners, this, client);
        ClientKey = AddressPrefix.Client(ref _client);
        PrefixKey = AddressPrefix.Network(ref _client);
        _received = _sent = _turns = 0;
        _inputEnded = false;
        _sentOctets = _progressDeadline = _progressLook = 0;
        _isSending = false;
        _deadlines.Open(listeners);
        Deadline = _deadlines.Idle;
        _moment = Opened = listeners.Clock.GetTimestamp();
    }

    /// <summary>For a connection whose timeouts are those of another library.</summary>
    public void HasNoDeadline() => Deadline = long.MaxValue;

    public byte[]? TryRent(int octets) => _listeners.Memory.TryRent(this, octets, _listeners.Limits.MaxBufferBytes);

    public void Return(byte[] buffer) => _listeners.Memory.Return(this, buffer);

    /// <summary>Adds to the octets held. True if that is or was more than a small buffer.</summary>
    public bool AddHeld(int octets)
    {
        int now = Interlocked.Add(ref _held, octets);
        return Math.Max(now, now - octets) > StreamMemory.SmallBytes;
    }

    /// <summary>Starts to process on a pool thread, so that accepting continues.</summary>
    public void Start() => ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);

    /// <summary>Called by the table after the removal, so that a waiting loop ends.</summary>
    public void NoteTakenOut() => _pending.Wake.Set();

    void IThreadPoolWorkItem.Execute() => _ = Serve();

    private async Task Serve()
    {
        try
        {
            _outgoing.Open(_listeners.Memory.Pool, this);
            bool isOpen = _incoming.TryOpen(this, _awaitsProxy)
                && (_layer is null || await OpenLayerAsync(_layer).ConfigureAwait(false));
            while (isOpen && await ReceiveAsync().ConfigureAwait(false) && await AnswerAsync().ConfigureAwait(false))
            {
                bool idle = !_pending.IsExpected;
                isOpen = _listeners.Table.TrySettle(this, Take(ref _received), Take(ref _sent), idle, _moment)
                    && !(idle && _inputEnded);
            }
        }
        catch (Exception error)
        {
            // An internal error or lack of memory costs this connection only.
            _listeners.NoteFault(TransportLoops.TcpConnection, error);
        }
        finally
        {
            await CloseAsync().ConfigureAwait(false);
        }
    }

    /// <summary>Takes the header of a proxy, adds the layer and opens it. False if the connection must end.</summary>
    private async ValueTask<bool> OpenLayerAsync(IStreamLayer layer)
    {
        FrameStatus header = _awaitsProxy ? FrameStatus.None : FrameStatus.Whole;
        while (header is FrameStatus.None or FrameStatus.Partial)
        {
            Memory<byte> room = _incoming.Room();
            int octets = room.IsEmpty ? 0 : await Stream.ReceiveAsync(room).ConfigureAwait(false);
            if (octets <= 0) return false;
            _incoming.Advance(octets);
            header = TakeProxy();
        }
        if (header != FrameStatus.Whole) return false;
        byte[] behind = _incoming.TakeAll();
        Stream = layer.Open(behind.Length == 0 ? Stream : new PrecededStream(Stream, behind), in _client, this);
        if (!await Stream.OpenAsync().ConfigureAwait(false)) return false;
        _transport = _pending.Transport = Stream.Transport;
        return true;
    }

    /// <summary>Waits until there is something to do. False if the connection must end.</summary>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<bool> ReceiveAsync()
    {
        if (++_turns >= TurnsBeforeYield)
        {
            _turns = 0;
            await Task.Yield();
        }
        while (!_watched.IsPending && !_pending.IsExpected && !_incoming.HasFrame)
        {
            Memory<byte> room = _incoming.Room();
            if (room.IsEmpty) return false;
            int octets = await Stream.ReceiveAsync(room).ConfigureAwait(false);
            if (octets <= 0) return false;
            _incoming.Advance(octets);
            if (_incoming.HasFrame) return ConnectionTable.TryMarkBusy(this);
            Deadline = _deadlines.BeginFrame(_listeners);
        }
        return await ReceiveOrWakeAsync().ConfigureAwait(false);
    }

    /// <summary>Waits for octets, for a deferred reply, or for its removal.</summary>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<bool> ReceiveOrWakeAsync()
    {
        bool readable = !_inputEnded && !_pending.IsFull;
        if (readable && _incoming.HasFrame && !_watched.IsPending) return ConnectionTable.TryMarkBusy(this);
        if (readable && !_watched.IsPending && !_listeners.IsStopping)
        {
            Memory<byte> room = _incoming.Room();
            if (room.IsEmpty) return false;
            _watched.Start(Stream, room);
        }
        // Does not wait while a sequence can be pulled, unless it is queued for a turn.
        if (!_pending.Sequences.HasReady || Turn == TurnState.Queued)
            await _pending.Wake.WaitAsync().ConfigureAwait(false);
        if (!_watched.TryEnd(out int octets)) return true;
        if (octets <= 0)
        {
            _inputEnded = true;
            return octets == 0;
        }
        _incoming.Advance(octets);
        if (_incoming.HasFrame) return ConnectionTable.TryMarkBusy(this);
        // Still as idle as before until the message is complete: single octets must not protect it from eviction.
        Deadline = _deadlines.BeginFrame(_listeners);
        return true;
    }

    /// <summary>Answers all complete messages. False if the connection must end.</summary>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<bool> AnswerAsync()
    {
        int receivedBefore = _received;
        int sentBefore = _sent;
        uint takenBefore = _pending.Taken;
        FrameStatus status;
        do
        {
            status = _inputEnded ? FrameStatus.None : AnswerWhileRoom();
            if (!await FlushAsync().ConfigureAwait(false)) return false;
        }
        while (status == FrameStatus.Whole && !_pending.IsFull);
        if (!await StreamAsync().ConfigureAwait(false)) return false;
        _inputEnded |= status == FrameStatus.Empty;
        bool expected = _pending.IsExpected;
        Deadline = _deadlines.AfterTurn(_listeners, new ConnectionTurn
        {
            HasReceived = _received > receivedBefore,
            HasSent = _sent > sentBefore,
            HasTaken = _pending.Taken != takenBefore,
            IsPartial = status == FrameStatus.Partial && !_inputEnded,
            IsExpected = expected,
        });
        return expected || !_inputEnded;
    }

    /// <summary>Answers until no message is complete, or queue or pending replies are full (both Whole).</summary>
    private FrameStatus AnswerWhileRoom()
    {
        if (_incoming.AwaitsProxy && TakeProxy() is var header and not FrameStatus.Whole) return header;
        while (_outgoing.HasRoom && !_pending.IsFull)
        {
            FrameStatus status = _incoming.TryTake(out ReadOnlySpan<byte> query);
            if (status != FrameStatus.Whole) return status;
            _received++;
            Span<byte> message = _outgoing.Reserve();
            query.CopyTo(message);
            if (!TryRespond(message, query.Length, out int octets)) return FrameStatus.Empty;
            if (octets > 0)
            {
                _outgoing.Commit(octets);
                _sent++;
            }
        }
        return FrameStatus.Whole;
    }

    /// <summary>False after an exception of the responder: the connection ends once other answers are sent.</summary>
    private bool TryRespond(Span<byte> message, int queryOctets, out int octets)
    {
        try
        {
            _moment = _listeners.Clock.GetTimestamp();
            QueryOrigin origin = new(in _client, _transport, _moment);
            octets = _listeners.Responder.RespondToMessage(message, queryOctets, ref origin, _pending);
            return true;
        }
        catch (Exception error)
        {
            octets = 0;
            _listeners.NoteFault(TransportLoops.TcpConnection, error, message[..queryOctets]);
            return false;
        }
    }

    /// <summary>Takes the PROXY header in front of the first message.</summary>
    private FrameStatus TakeProxy()
    {
        FrameStatus status = _incoming.TryTakeProxy(ref _client);
        if (status == FrameStatus.Empty) _listeners.Table.CountBadProxyHeader();
        _pending.Client = _client;
        return status;
    }

    private static int Take(ref int count)
    {
        int taken = count;
        count = 0;
        return taken;
    }

    private async ValueTask CloseAsync()
    {
        try
        {
            _pending.Close();
            EndSequences();
            _listeners.Table.CountMessages(Take(ref _received), Take(ref _sent));
            _listeners.Table.Remove(this);
            Stream.Close();
            while (_watched.IsPending && !_watched.TryEnd(out _)) await _pending.Wake.WaitAsync().ConfigureAwait(false);
            Stream.Release();
            _layer = null;
            _incoming.Close();
            _outgoing.CloseStream();
        }
        finally
        {
            _client = default;
            _listeners.Return(this);
        }
    }
}
