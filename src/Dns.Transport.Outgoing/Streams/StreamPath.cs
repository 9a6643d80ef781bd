namespace Dns.Transport.Outgoing.Streams;

/// <summary>
/// Runs a stream: connects, sends queued octets, and pushes received ones until the end. Its loops own the stream's
/// operations; other threads queue octets, or dispose it, which ends the loops.
/// </summary>
/// <param name="stream">An unconnected stream; owned by the path.</param>
/// <param name="exceptions">Receives unexpected exceptions; each closes the connection.</param>
internal sealed class StreamPath(IOutgoingStream stream, IPathReceiver receiver,
    IExceptionSink exceptions) : IStreamPath
{
    private const int MaxQueuedOctets = 64 * 1024;
    private const int ReceiveOctets = 4096;

    // An upstream that sends without pause would hold a thread for ever.
    private const int TurnsBeforeYield = 64;

    private readonly Lock _gate = new();
    private byte[] _queue = new byte[1024];
    private byte[] _sending = new byte[1024];
    private int _queued;
    private bool _isSending = true;
    private bool _hasEnded;

    /// <summary>Starts the loops on pool threads.</summary>
    internal void Start() => _ = Task.Run(RunAsync);

    public bool TrySend(ReadOnlySpan<byte> octets)
    {
        lock (_gate)
        {
            if (_hasEnded || _queued + octets.Length > MaxQueuedOctets) return false;
            if (_queued + octets.Length > _queue.Length)
                Array.Resize(ref _queue, Math.Max(_queue.Length * 2, _queued + octets.Length));
            octets.CopyTo(_queue.AsSpan(_queued));
            _queued += octets.Length;
            if (_isSending) return true;
            _isSending = true;
        }
        _ = SendAsync();
        return true;
    }

    public void Dispose() => stream.Dispose();

    private async Task RunAsync()
    {
        try
        {
            if (await stream.ConnectAsync().ConfigureAwait(false))
            {
                _ = SendAsync();
                await ReceiveAsync().ConfigureAwait(false);
            }
        }
        catch (Exception e)
        {
            exceptions.Report(ServerLoop.UpstreamStream, e, default);
        }
        // The receiver is notified of every kind of end.
        stream.Dispose();
        End();
    }

    private async Task ReceiveAsync()
    {
        byte[] buffer = new byte[ReceiveOctets];
        for (int turns = 1; await stream.ReceiveAsync(buffer).ConfigureAwait(false) is > 0 and int octets; turns++)
        {
            if (!TryTake(buffer.AsSpan(0, octets))) return;
            if (turns % TurnsBeforeYield == 0) await Task.Yield();
        }
    }

    /// <summary>If the receiver fails, message boundaries are lost and the stream is closed.</summary>
    private bool TryTake(ReadOnlySpan<byte> octets)
    {
        try
        {
            receiver.Receive(octets);
            return true;
        }
        catch (Exception e)
        {
            exceptions.Report(ServerLoop.UpstreamStream, e, octets);
            return false;
        }
    }

    private void End()
    {
        lock (_gate) _hasEnded = true;
        try
        {
            receiver.End();
        }
        catch (Exception e)
        {
            exceptions.Report(ServerLoop.UpstreamStream, e, default);
        }
    }

    private async Task SendAsync()
    {
        try
        {
            while (TakeQueued() is { IsEmpty: false } octets)
                if (!await TrySendAsync(octets).ConfigureAwait(false)) break;
        }
        catch (Exception e)
        {
            exceptions.Report(ServerLoop.UpstreamStream, e, default);
            stream.Dispose();
        }
    }

    private async ValueTask<bool> TrySendAsync(ReadOnlyMemory<byte> octets)
    {
        while (!octets.IsEmpty)
        {
            int sent = await stream.SendAsync(octets).ConfigureAwait(false);
            if (sent <= 0)
            {
                // The receive loop notices the same end and notifies the receiver.
                stream.Dispose();
                return false;
            }
            octets = octets[sent..];
        }
        return true;
    }

    private ReadOnlyMemory<byte> TakeQueued()
    {
        lock (_gate)
        {
            (_queue, _sending) = (_sending, _queue);
            int octets = _queued;
            _queued = 0;
            if (octets == 0) _isSending = false;
            return _sending.AsMemory(0, octets);
        }
    }
}
