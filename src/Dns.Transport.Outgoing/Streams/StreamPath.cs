namespace Dns.Transport.Outgoing.Streams;

/// <summary>
/// Runs a stream: opens it, sends queued octets, and pushes received ones until the end. Any thread may send, and
/// dispose it, which ends the stream.
/// </summary>
/// <param name="stream">Not opened yet; owned by the path.</param>
/// <param name="receiver">
/// Receives octets in pieces of any size and the end, also of a failed attempt; one call at a time, none from within a
/// call here.
/// </param>
/// <param name="exceptions">Receives unexpected exceptions; each closes the connection.</param>
public sealed class StreamPath(IByteStream stream, IPathReceiver receiver, IExceptionSink exceptions) : IDisposable
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

    // The loops that use the stream; the last one releases it.
    private int _users = 1;

    /// <summary>Starts to connect. Once.</summary>
    public void Start() => _ = RunAsync();

    /// <summary>Copies octets into the send queue without waiting, also before the stream is connected.</summary>
    /// <returns>False if the stream has ended or 64 KiB are queued.</returns>
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
            Interlocked.Increment(ref _users);
        }
        _ = SendAsync();
        return true;
    }

    /// <inheritdoc/>
    public void Dispose() => stream.Close();

    private async Task RunAsync()
    {
        try
        {
            ValueTask<bool> opening = stream.OpenAsync();
            // The receiver is not called from within a call here.
            if (opening.IsCompleted) await Task.Yield();
            if (await opening.ConfigureAwait(false))
            {
                Interlocked.Increment(ref _users);
                _ = SendAsync();
                await ReceiveAsync().ConfigureAwait(false);
            }
        }
        catch (Exception e)
        {
            exceptions.Report(OutgoingLoops.UpstreamStream, e, default);
        }
        // The receiver is notified of every kind of end.
        stream.Close();
        End();
        Release();
    }

    private async Task ReceiveAsync()
    {
        byte[] buffer = new byte[ReceiveOctets];
        for (int atOnce = 0; ;)
        {
            ValueTask<int> receive = stream.ReceiveAsync(buffer);
            atOnce = receive.IsCompleted ? atOnce + 1 : 0;
            int octets = await receive.ConfigureAwait(false);
            if (octets <= 0 || !TryTake(buffer.AsSpan(0, octets))) return;
            if (atOnce == TurnsBeforeYield) await Task.Yield();
            atOnce %= TurnsBeforeYield;
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
            exceptions.Report(OutgoingLoops.UpstreamStream, e, octets);
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
            exceptions.Report(OutgoingLoops.UpstreamStream, e, default);
        }
    }

    private void Release()
    {
        if (Interlocked.Decrement(ref _users) == 0) stream.Release();
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
            exceptions.Report(OutgoingLoops.UpstreamStream, e, default);
            stream.Close();
        }
        Release();
    }

    private async ValueTask<bool> TrySendAsync(ReadOnlyMemory<byte> octets)
    {
        while (!octets.IsEmpty)
        {
            int sent = await stream.SendAsync(octets).ConfigureAwait(false);
            if (sent <= 0)
            {
                // The receive loop notices the same end and notifies the receiver.
                stream.Close();
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
