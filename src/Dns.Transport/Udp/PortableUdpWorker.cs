using System.Buffers;
using System.Net.Sockets;

namespace Dns.Transport.Udp;

/// <summary>
/// One receive loop of the portable listener: one pending operation, one slot and one peer, reused. Receives, answers
/// in place and sends on the completing thread, without allocation. On a wildcard address it also receives the queried
/// address, from which <see cref="LearnedAddresses"/> sends; that allocates, but for first datagrams only.
/// </summary>
/// <remarks>
/// The worker owns its slot until <see cref="Finished"/>; the listener owns the socket. <see cref="RequestStop"/> ends
/// a worker that is waiting; a worker that is answering ends after the answer was sent.
/// </remarks>
internal sealed class PortableUdpWorker : SocketAsyncEventArgs, IThreadPoolWorkItem, IReplyPaths
{
    private const int Answering = 0;
    private const int Receiving = 1;
    private const int Stopped = 2;

    // A busy worker would hold its pool thread for ever, and starve TCP and timers on a small machine.
    private const int TurnsBeforeYield = 512;
    private const int ErrorsBeforePause = 16;
    private const int PauseMs = 100;

    private readonly Socket _socket;
    private readonly IMessageResponder _responder;
    private readonly IExceptionSink _exceptions;
    private readonly TimeProvider _clock;
    private readonly SocketReplies _replies;
    private readonly IMemoryOwner<byte> _slot;
    private readonly int _slotOctets;
    private readonly SlotEndPoint _peer;
    private readonly LearnedAddresses? _learned;
    private readonly int[] _offset = new int[1];
    private readonly ClientAddress[] _client = new ClientAddress[1];
    private readonly int[] _length = new int[1];
    private readonly TaskCompletionSource _quiet = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _finished = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Timer _pause;
    private ClientAddress _own;
    private IPAddress _local = IPAddress.None;
    private int _state;
    private bool _sending;
    private bool _truncated;
    private bool _taken;
    private volatile bool _stopRequested;
    private int _turns;
    private int _errorsInARow;
    private UdpWorkerCounts _counts;

    /// <param name="learned">The addresses behind a wildcard; null for a socket of one address.</param>
    public PortableUdpWorker(
        Socket socket, IMessageResponder responder, TransportOptions options, LearnedAddresses? learned)
        : base(unsafeSuppressExecutionContextFlow: true)
    {
        IPEndPoint bound = (IPEndPoint)socket.LocalEndPoint!;
        _socket = socket;
        _responder = responder;
        _exceptions = options.Exceptions;
        _clock = options.Clock;
        _replies = new SocketReplies(socket, learned);
        _slotOctets = options.SlotOctets;
        _own = ClientAddress.From(bound);
        _learned = learned;
        _peer = new SlotEndPoint(socket.AddressFamily);
        RemoteEndPoint = _peer;
        // One octet more than the slot: a datagram that fills it was truncated. This needs no flag of any system.
        _slot = options.SlotPool.Rent(_slotOctets + 1);
        SetBuffer(_slot.Memory[..(_slotOctets + 1)]);
        _pause = new Timer(static worker => ((PortableUdpWorker)worker!).Start(), this, Timeout.Infinite, 0);
    }

    /// <summary>Completes when the worker will answer no more.</summary>
    public Task Quiet => _quiet.Task;

    /// <summary>Completes when the slot was returned to its pool.</summary>
    public Task Finished => _finished.Task;

    public DatagramReplies Replies => _replies;

    /// <summary>The counters, including deferred replies.</summary>
    public UdpCounters Counters => _replies.AddTo(_counts);

    public void Start() => ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);

    void IThreadPoolWorkItem.Execute() => Cycle(isStart: true);

    protected override void OnCompleted(SocketAsyncEventArgs e)
    {
        _turns = 0;
        Cycle(isStart: false);
    }

    /// <summary>Ends the worker, at once or after its current answer. The caller then closes the socket.</summary>
    public void RequestStop()
    {
        _stopRequested = true;
        if (Interlocked.CompareExchange(ref _state, Stopped, Receiving) == Receiving) _quiet.TrySetResult();
    }

    ReplyPath IReplyPaths.TakePath(int slot)
    {
        _taken = true;
        _replies.Expect();
        ReplyPath path = new(_replies, _client[slot], _slotOctets, DnsTransport.Udp) { ClientScope = _peer.Scope };
        return _learned is null ? path : path with { Local = _own, LocalScope = LearnedAddresses.ScopeOf(_local) };
    }

    private void Cycle(bool isStart)
    {
        try
        {
            bool pending = isStart && Receive();
            while (!pending) pending = _sending ? Sent() : Received();
        }
        catch (Exception error)
        {
            // On the socket event loop an exception would end the process.
            _counts.Faults++;
            _exceptions.Report(TransportLoops.UdpReceive, error, default);
            _pause.Change(PauseMs, Timeout.Infinite);
        }
    }

    private bool Received()
    {
        if (Interlocked.CompareExchange(ref _state, Answering, Receiving) != Receiving) return Finish();
        // Windows reports a truncated datagram as an error, with the octets that did fit.
        if (SocketError is not (SocketError.Success or SocketError.MessageSize)) return ReceiveFailed();
        _errorsInARow = 0;
        _counts.Received++;
        _length[0] = SocketError == SocketError.Success ? BytesTransferred : _slotOctets + 1;
        int answerOctets = Answer();
        if (answerOctets > 0 && _learned is null) return Send(answerOctets);
        if (answerOctets > 0)
        {
            CountAnswer(_learned!.TrySend(_local, _slot.Memory.Span[..answerOctets], _peer.ToIPEndPoint()));
        }
        else
        {
            _counts.Unanswered += _taken ? 0 : 1;
        }
        return Receive();
    }

    private int Answer()
    {
        _taken = false;
        ref ClientAddress client = ref _client[0];
        _peer.CopyTo(ref client);
        if (!TryReadLocal() || UdpAdmission.Refuses(client, _own)) return 0;
        int received = _length[0];
        try
        {
            DatagramBatch batch = new(
                _slot.Memory.Span, _offset, _slotOctets, _length, _client, _clock.GetTimestamp());
            _responder.RespondToDatagrams(in batch, this);
            return Math.Min(_length[0], _slotOctets);
        }
        catch (Exception error)
        {
            _counts.Faults++;
            _exceptions.Report(TransportLoops.UdpReceive, error, _slot.Memory.Span[..Math.Min(received, _slotOctets)]);
            return 0;
        }
    }

    /// <summary>Reads the queried address of a datagram to a wildcard. False if it is none to answer from.</summary>
    private bool TryReadLocal()
    {
        if (_learned is null) return true;
        _local = LearnedAddresses.Of(ReceiveMessageFromPacketInfo);
        _own = ClientAddress.From(new IPEndPoint(_local, _own.Port));
        return !LearnedAddresses.IsGroup(_local);
    }

    private void CountAnswer(bool isSent)
    {
        if (isSent)
        {
            _counts.Sent++;
        }
        else
        {
            _counts.SendErrors++;
        }
    }

    private bool Sent()
    {
        if (SocketError == SocketError.MessageSize && !_truncated)
        {
            Span<byte> answer = _slot.Memory.Span[..Count];
            int octets = TruncatedReply.Write(answer, answer);
            if (octets > 0 && octets < answer.Length)
            {
                _truncated = true;
                return Send(octets);
            }
        }
        _truncated = false;
        CountAnswer(SocketError == SocketError.Success);
        return Receive();
    }

    /// <summary>Starts a receive. True when there is nothing to do now: waiting, yielding or ended.</summary>
    private bool Receive()
    {
        if (++_turns > TurnsBeforeYield)
        {
            _turns = 0;
            Start();
            return true;
        }
        _sending = false;
        Interlocked.Exchange(ref _state, Receiving);
        if (_stopRequested && Interlocked.CompareExchange(ref _state, Stopped, Receiving) == Receiving) return Finish();
        try
        {
            // The flags are in and out: a leftover MSG_TRUNC would change the meaning of the next length.
            SocketFlags = SocketFlags.None;
            SetBuffer(_slot.Memory[..(_slotOctets + 1)]);
            return _learned is null ? _socket.ReceiveFromAsync(this) : _socket.ReceiveMessageFromAsync(this);
        }
        catch (ObjectDisposedException)
        {
            return Finish();
        }
    }

    private bool Send(int octets)
    {
        try
        {
            _sending = true;
            SocketFlags = SocketFlags.None;
            SetBuffer(_slot.Memory[..octets]);
            return _socket.SendToAsync(this);
        }
        catch (ObjectDisposedException)
        {
            return Finish();
        }
    }

    private bool ReceiveFailed()
    {
        _counts.ReceiveErrors++;
        if (++_errorsInARow < ErrorsBeforePause) return Receive();
        _pause.Change(PauseMs, Timeout.Infinite);
        return true;
    }

    private bool Finish()
    {
        _pause.Dispose();
        _slot.Dispose();
        Dispose();
        _quiet.TrySetResult();
        _finished.TrySetResult();
        return true;
    }
}
