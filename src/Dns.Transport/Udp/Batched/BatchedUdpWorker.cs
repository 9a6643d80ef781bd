using System.Net.Sockets;
using System.Runtime.Versioning;

namespace Dns.Transport.Udp.Batched;

/// <summary>
/// One thread of the batched listener: receives a batch, answers it in place and sends it. The socket is blocking and
/// not in an epoll set; the thread notices a stop at its receive timeout.
/// </summary>
/// <remarks>
/// The thread alone owns and closes socket and memory: a descriptor closed by another thread could be reused for
/// another file while this thread still uses its number.
/// </remarks>
[SupportedOSPlatform("linux")]
internal sealed class BatchedUdpWorker : IReplyPaths
{
    private const int StopNoticedMs = 100;
    private const int ErrorsBeforePause = 16;
    private const int PauseMs = 100;

    private readonly Socket _socket;
    private readonly IMessageResponder _responder;
    private readonly TransportOptions _options;
    private readonly int _index;
    private readonly BatchCalls _calls;
    private readonly DescriptorReplies _replies;
    private readonly int[] _lengths = new int[MessageBatch.Capacity];
    private readonly ClientAddress[] _clients = new ClientAddress[MessageBatch.Capacity];
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private MessageBatch? _batch;
    private int _taken;
    private long _stopAt;
    private volatile bool _stopRequested;
    private UdpWorkerCounts _counts;

    public BatchedUdpWorker(Socket socket, IMessageResponder responder, TransportOptions options, int index)
    {
        _socket = socket;
        _responder = responder;
        _options = options;
        _index = index;
        _calls = new BatchCalls(options.Fault);
        _replies = new DescriptorReplies(socket, _calls);
        socket.ReceiveTimeout = StopNoticedMs;
        socket.SendTimeout = StopNoticedMs;
    }

    /// <summary>Completes when the thread has ended and closed everything.</summary>
    public Task Ended => _ended.Task;

    /// <summary>The counters, including deferred replies.</summary>
    public UdpCounters Counters => _replies.AddTo(_counts);

    public void Start() => new Thread(Run) { IsBackground = true, Name = $"udp {_index}" }.Start();

    /// <summary>Ends the thread once pending replies were sent or the grace is over.</summary>
    public void RequestStop(TimeSpan grace)
    {
        _stopAt = Environment.TickCount64 + (long)grace.TotalMilliseconds;
        _stopRequested = true;
    }

    ReplyPath IReplyPaths.TakePath(int slot)
    {
        ReplyPath path = _batch!.PathOf(slot, _replies, _clients[slot]);
        _replies.Expect();
        _taken++;
        return path;
    }

    private void Run()
    {
        try
        {
            ServeAll();
        }
        catch (Exception error)
        {
            Report(error, default);
        }
        _ended.TrySetResult();
    }

    private void ServeAll()
    {
        ThreadAffinity.TryPin(_index);
        using (_socket)
        using (MessageBatch batch = new(_socket, _calls, _options.SlotOctets))
        using (BatchSender sender = new(
            (int)_socket.SafeHandle.DangerousGetHandle(), _calls, batch, _options.SegmentationOffload))
        {
            _batch = batch;
            Serve(batch, sender);
            AwaitDeferredReplies();
        }
    }

    private void Serve(MessageBatch batch, BatchSender sender)
    {
        int errorsInARow = 0;
        while (!_stopRequested)
        {
            errorsInARow = TryTurn(batch, sender) ? 0 : errorsInARow + 1;
            if (errorsInARow >= ErrorsBeforePause) Thread.Sleep(PauseMs);
        }
    }

    /// <summary>Receives, answers and sends one batch. False after a system error or an exception.</summary>
    private bool TryTurn(MessageBatch batch, BatchSender sender)
    {
        try
        {
            int count = batch.Receive();
            if (count > 0)
            {
                Answer(batch, sender, count);
            }
            else if (Marshal.GetLastPInvokeError() is not (LinuxSocketCalls.Eintr or LinuxSocketCalls.Eagain))
            {
                _counts.ReceiveErrors++;
                return false;
            }
            return true;
        }
        catch (Exception error)
        {
            Report(error, default);
            return false;
        }
    }

    private void AwaitDeferredReplies()
    {
        _replies.NoMore();
        long left = Math.Clamp(_stopAt - Environment.TickCount64, 0, int.MaxValue);
        _replies.None.Wait((int)left);
    }

    private void Answer(MessageBatch batch, BatchSender sender, int count)
    {
        Span<int> lengths = _lengths.AsSpan(0, count);
        Span<ClientAddress> clients = _clients.AsSpan(0, count);
        _counts.Received += count;
        _counts.Batches.Add(count);
        int refused = batch.Read(lengths, clients);
        _taken = 0;
        try
        {
            DatagramBatch datagrams = new(
                batch.Memory, batch.Offsets, _options.SlotOctets, lengths, clients, _options.Clock.GetTimestamp());
            _responder.RespondToDatagrams(in datagrams, this);
        }
        catch (Exception error)
        {
            // A responder drops single messages by itself; this exception came from elsewhere.
            Report(error, count == 1 ? batch.Memory[..Math.Clamp(lengths[0], 0, _options.SlotOctets)] : default);
            lengths.Clear();
        }
        int unanswered = -_taken;
        for (int i = 0; i < count; i++)
        {
            bool silent = lengths[i] <= 0 || (refused > 0 && batch.IsRefused(i));
            unanswered += silent ? 1 : 0;
            lengths[i] = silent ? 0 : Math.Min(lengths[i], _options.SlotOctets);
        }
        _counts.Unanswered += unanswered;
        sender.Send(lengths, ref _counts);
    }

    private void Report(Exception error, ReadOnlySpan<byte> message)
    {
        _counts.Faults++;
        _options.Exceptions.Report(TransportLoops.UdpReceive, error, message);
    }
}
