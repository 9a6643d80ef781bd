namespace Dns.Transport.Tcp;

/// <summary>
/// The deferred replies of one connection, in any order (RFC 7766 §7): the number pending, and those that wait for the
/// connection's loop. Other threads only append here and wake the loop, which alone writes to the socket.
/// </summary>
/// <remarks>
/// The state is pooled, so a path carries the generation it was taken in: after <see cref="Close"/> it is void, even if
/// the state serves another client.
/// </remarks>
internal sealed class PendingReplies : IReplyPaths, IReplySender
{
    private const int PrefixOctets = 2;
    private const int FirstBytes = 4096;

    /// <summary>Maximum octets of waiting answers; a client above it is disconnected.</summary>
    public const int MostWaitingBytes = 256 * 1024;

    private readonly Lock _gate = new();
    private IStreamBuffers _buffers = null!;
    private ConnectionTable _table = null!;
    private SequenceTurns _turns = null!;
    private int _most;
    private int _mostSequences;
    private byte[] _waiting = [];
    private int _waitingOctets;
    private int _waitingFrames;
    private volatile int _expected;
    private volatile bool _isOverrun;
    private uint _generation;

    /// <summary>The client: the peer, or the client of a proxy.</summary>
    public ClientAddress Client { get; set; }

    /// <summary>The transport; that of the layer once it is open.</summary>
    public DnsTransport Transport { get; set; }

    /// <summary>Wakes the loop while replies are pending.</summary>
    public Wake Wake { get; } = new();

    public ReplySequences Sequences { get; } = new();

    /// <summary>Whether replies are pending, waiting or running. Only the loop can make it true.</summary>
    public bool IsExpected => _expected > 0 || HasWaiting || Sequences.Count > 0;

    /// <summary>Whether the limit of pending replies is reached.</summary>
    public bool IsFull => _expected + Sequences.Count >= _most;

    /// <summary>Whether answers wait for the loop.</summary>
    public bool HasWaiting => Volatile.Read(ref _waitingFrames) > 0;

    /// <summary>Whether the bound or memory was exceeded, so that the connection must end.</summary>
    public bool IsOverrun => _isOverrun;

    /// <summary>The total number of paths taken. For the loop.</summary>
    public uint Taken { get; private set; }

    public void Open(TcpListeners listeners, IStreamBuffers buffers, in ClientAddress client)
    {
        _buffers = buffers;
        _table = listeners.Table;
        _turns = listeners.Turns;
        _most = Math.Max(listeners.Limits.MaxOutstandingQueries, 1);
        _mostSequences = listeners.Limits.MaxSequences;
        Client = client;
        Transport = DnsTransport.Tcp;
    }

    /// <summary>Ends the use: late replies are discarded.</summary>
    public void Close()
    {
        lock (_gate)
        {
            _generation++;
            _expected = 0;
            _isOverrun = false;
            Clear();
        }
    }

    public ReplyPath TakePath(int slot)
    {
        ArgumentOutOfRangeException.ThrowIfNotEqual(slot, 0);
        lock (_gate)
        {
            _expected++;
            Taken++;
            return new ReplyPath(this, Client, ushort.MaxValue, Transport)
                { Generation = _generation, Number = Taken };
        }
    }

    public void Send(in ReplyPath path, ReadOnlySpan<byte> answer)
    {
        bool kept = false;
        lock (_gate)
        {
            if (IsAwaited(path))
            {
                // In this order: the loop must always see a pending or a waiting reply.
                kept = TryAppend(answer);
                _expected--;
                Wake.Set();
            }
        }
        if (!kept) _table.CountUndelivered();
    }

    public void Abandon(in ReplyPath path)
    {
        lock (_gate)
        {
            if (IsAwaited(path))
            {
                _expected--;
                Wake.Set();
            }
        }
    }

    public bool TryStream(in ReplyPath path, IReplySequence sequence)
    {
        RunningSequence running = new(sequence, path.Number);
        lock (_gate)
        {
            if (!IsAwaited(path) || Sequences.Count == ReplySequences.Most || !_turns.TryBegin(_mostSequences))
                return false;
            // In this order: the loop must always see a pending reply or a running sequence.
            Sequences.TryAdd(running);
            _expected--;
            Wake.Set();
            return true;
        }
    }

    void IReplySender.Wake(in ReplyPath path)
    {
        lock (_gate)
        {
            if (path.Generation == _generation)
            {
                Sequences.Wake(path.Number);
                Wake.Set();
            }
        }
    }

    /// <summary>Moves the waiting answers to the loop's queue, which must be empty; returns their number.</summary>
    public int MoveTo(OutgoingFrames outgoing)
    {
        lock (_gate)
        {
            int frames = _waitingFrames;
            if (frames > 0)
            {
                outgoing.Adopt(_waiting, _waitingOctets);
                _waiting = [];
                Clear();
            }
            return frames;
        }
    }

    private bool IsAwaited(in ReplyPath path) => path.Generation == _generation && _expected > 0;

    private bool TryAppend(ReadOnlySpan<byte> answer)
    {
        int needed = _waitingOctets + PrefixOctets + answer.Length;
        if (answer.Length is 0 or > ushort.MaxValue) return false;
        if (_isOverrun || needed > MostWaitingBytes || (needed > _waiting.Length && !TryGrow(needed)))
        {
            _isOverrun = true;
            return false;
        }
        BinaryPrimitives.WriteUInt16BigEndian(_waiting.AsSpan(_waitingOctets), (ushort)answer.Length);
        answer.CopyTo(_waiting.AsSpan(_waitingOctets + PrefixOctets));
        _waitingOctets = needed;
        _waitingFrames++;
        return true;
    }

    private bool TryGrow(int needed)
    {
        if (_buffers.TryRent(Math.Max(needed, Math.Max(FirstBytes, 2 * _waiting.Length))) is not byte[] larger)
            return false;
        _waiting.AsSpan(0, _waitingOctets).CopyTo(larger);
        if (_waiting.Length > 0) _buffers.Return(_waiting);
        _waiting = larger;
        return true;
    }

    private void Clear()
    {
        if (_waiting.Length > 0)
        {
            _buffers.Return(_waiting);
            _waiting = [];
        }
        _waitingOctets = _waitingFrames = 0;
    }
}
