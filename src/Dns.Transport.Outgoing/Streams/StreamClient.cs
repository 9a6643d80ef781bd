using System.Buffers;

namespace Dns.Transport.Outgoing.Streams;

/// <summary>
/// A client connection for any number of messages in both directions, such as zone transfers (RFC 7766, RFC 5936).
/// Queries are pipelined. Replies are received one by one on demand, at most one buffer ahead, so a slow caller exerts
/// back-pressure.
/// </summary>
/// <remarks>
/// One <see cref="SendAsync"/> and one <see cref="ReceiveAsync"/> may run concurrently. After a status other than
/// <see cref="StreamStatus.Done"/> it can only be disposed. Other threads may <see cref="Close"/> it; only its owner
/// disposes it, since that returns the buffer of the last message to the pool. Memory: a receive buffer that grows to
/// 128 KiB at most, and the message being sent.
/// <code>
/// await using StreamClient client = new(new SocketStream(server, source), options, clock, wheel);
/// if (await client.ConnectAsync() == StreamStatus.Done &amp;&amp; await client.SendAsync(query) == StreamStatus.Done)
///     while (await client.ReceiveAsync() is { Status: StreamStatus.Done } reply) Take(reply.Octets);
/// </code>
/// </remarks>
public sealed class StreamClient : IAsyncDisposable
{
    private const int PrefixOctets = 2;

    private readonly IByteStream _stream;
    private readonly StreamClientOptions _options;
    private readonly StreamDeadline _sending;
    private readonly StreamDeadline _receiving;
    private readonly MessageFrames _frames = new();
    private readonly SemaphoreSlim _sendGate = new(1, 1);
    private readonly SemaphoreSlim _receiveGate = new(1, 1);
    private long _waited;
    private long _sent;
    private volatile bool _isOpen;
    private int _isDisposed;

    /// <summary>Creates a client that is not connected yet.</summary>
    /// <param name="stream">An unconnected stream; owned by the client.</param>
    /// <param name="wheel">The timers; of the same clock.</param>
    public StreamClient(IByteStream stream, StreamClientOptions options, MonotonicClock clock, TimingWheel wheel)
    {
        (_stream, _options) = (stream, options);
        _sending = new(stream, clock, wheel);
        _receiving = new(stream, clock, wheel);
    }

    /// <summary>Octets received so far, with length prefixes; to be bounded by the caller.</summary>
    public long ReceivedOctets { get; private set; }

    /// <summary>Connects. Called once, first.</summary>
    public async ValueTask<StreamStatus> ConnectAsync()
    {
        await _sendGate.WaitAsync().ConfigureAwait(false);
        try
        {
            _sending.Arm(_sending.Now + _options.ConnectTimeout.Ticks);
            _isOpen = await _stream.OpenAsync().ConfigureAwait(false);
            _sending.Disarm();
            return _isOpen && !_sending.HasPassed ? StreamStatus.Done : Fail(_sending);
        }
        finally
        {
            _sendGate.Release();
        }
    }

    /// <summary>Sends a message with its length prefix; completes once the system has taken it.</summary>
    /// <param name="message">1 to 65,535 octets, borrowed until the task has completed.</param>
    public async ValueTask<StreamStatus> SendAsync(ReadOnlyMemory<byte> message)
    {
        ArgumentOutOfRangeException.ThrowIfZero(message.Length);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(message.Length, ushort.MaxValue);
        await _sendGate.WaitAsync().ConfigureAwait(false);
        byte[] frame = ArrayPool<byte>.Shared.Rent(PrefixOctets + message.Length);
        try
        {
            // In one segment with the prefix: some servers would wait for the second one (RFC 7766 §8).
            BinaryPrimitives.WriteUInt16BigEndian(frame, (ushort)message.Length);
            message.Span.CopyTo(frame.AsSpan(PrefixOctets));
            return await SendFrameAsync(frame.AsMemory(0, PrefixOctets + message.Length)).ConfigureAwait(false);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(frame);
            _sendGate.Release();
        }
    }

    /// <summary>Receives the next message, to whichever query it replies. Invalidates the one before.</summary>
    public async ValueTask<StreamMessage> ReceiveAsync()
    {
        await _receiveGate.WaitAsync().ConfigureAwait(false);
        try
        {
            return _isOpen ? await ReceiveWholeAsync().ConfigureAwait(false) : new(StreamStatus.Failed, default);
        }
        finally
        {
            _receiving.Disarm();
            _receiveGate.Release();
        }
    }

    /// <summary>Closes the connection; pending operations fail. Any thread: the last message stays valid.</summary>
    public void Close()
    {
        _isOpen = false;
        _stream.Close();
    }

    /// <summary>Closes the connection and returns the buffer. Completes when no operation is left.</summary>
    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _isDisposed, 1) != 0) return;
        _stream.Close();
        await _sendGate.WaitAsync().ConfigureAwait(false);
        await _receiveGate.WaitAsync().ConfigureAwait(false);
        _isOpen = false;
        _stream.Release();
        _frames.Close();
        _sendGate.Release();
        _receiveGate.Release();
    }

    private async ValueTask<StreamStatus> SendFrameAsync(ReadOnlyMemory<byte> frame)
    {
        while (_isOpen && !frame.IsEmpty)
        {
            _sending.Arm(_sending.Now + _options.SendTimeout.Ticks);
            int sent = await _stream.SendAsync(frame).ConfigureAwait(false);
            _sending.Disarm();
            if (sent <= 0) return Fail(_sending);
            frame = frame[sent..];
        }
        return frame.IsEmpty ? StreamStatus.Done : StreamStatus.Failed;
    }

    private async ValueTask<StreamMessage> ReceiveWholeAsync()
    {
        long wholeBy = long.MaxValue;
        while (true)
        {
            if (_frames.TryTake(out ReadOnlyMemory<byte> message, out int length)) return Checked(message);
            if (length == 0 || length > _options.MaxMessageOctets) return End(StreamStatus.Malformed);
            long now = _receiving.Now;
            if (_frames.Left > 0 && wholeBy == long.MaxValue) wholeBy = now + _options.MessageTimeout.Ticks;
            _receiving.Arm(Math.Min(now + _options.SilenceTimeout.Ticks - _waited, wholeBy));
            int octets = await _stream.ReceiveAsync(_frames.Room()).ConfigureAwait(false);
            if (octets <= 0) return End(octets == 0 && _frames.Left == 0 ? StreamStatus.Ended : Fail(_receiving));
            _frames.Advance(octets);
            ReceivedOctets += octets;
            CountWaiting(_receiving.Now - now, octets);
        }
    }

    /// <summary>Adds a wait to the silence, which is reset once the server has sent enough.</summary>
    private void CountWaiting(long ticks, int octets)
    {
        _waited += ticks;
        _sent += octets;
        if (_sent >= _options.LeastOctets) (_waited, _sent) = (0, 0);
    }

    private StreamMessage Checked(ReadOnlyMemory<byte> message) =>
        message.Length == 0 || message.Length > _options.MaxMessageOctets
            ? End(StreamStatus.Malformed) : new(StreamStatus.Done, message);

    private StreamMessage End(StreamStatus status)
    {
        _stream.Close();
        return new(status, default);
    }

    private StreamStatus Fail(StreamDeadline deadline)
    {
        _stream.Close();
        return deadline.HasPassed ? StreamStatus.TimedOut : StreamStatus.Failed;
    }
}
