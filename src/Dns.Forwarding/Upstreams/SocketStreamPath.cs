using System.Net;
using System.Net.Sockets;
using Dns.Protocol;

namespace Dns.Forwarding;

/// <summary>
/// A TCP connection: connects, sends what is queued, and receives until the end. The loops own the socket's operations; others
/// queue octets, or dispose the socket, which ends the loops.
/// </summary>
/// <param name="socket">Owned from now on; null if there was none to have: then it ends at once.</param>
/// <param name="upstream">Where it leads.</param>
/// <param name="receiver">Gets the octets and the end.</param>
/// <param name="exceptions">Where unexpected exceptions are reported; each ends the connection.</param>
internal sealed class SocketStreamPath(
    Socket? socket, IPEndPoint upstream, IPathReceiver receiver, IExceptionSink exceptions) : IStreamPath
{
    private const int MaxQueuedOctets = 64 * 1024;
    private const int ReceiveOctets = 4096;

    // An upstream that sends without pause would keep a thread for ever.
    private const int TurnsBeforeYield = 64;

    private readonly Lock _gate = new();
    private byte[] _queue = new byte[1024];
    private byte[] _sending = new byte[1024];
    private int _queued;
    private bool _isSending = true;
    private bool _hasEnded;

    /// <summary>Begins; the loops run on pool threads.</summary>
    internal void Start() => _ = socket is null ? Task.Run(End) : Task.Run(() => RunAsync(socket));

    /// <inheritdoc/>
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
        _ = SendAsync(socket!);
        return true;
    }

    /// <inheritdoc/>
    public void Dispose() => socket?.Dispose();

    private async Task RunAsync(Socket connected)
    {
        try
        {
            await connected.ConnectAsync(upstream).ConfigureAwait(false);
            _ = SendAsync(connected);
            await ReceiveAsync(connected).ConfigureAwait(false);
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            // However it ended, the tries on it are told.
        }
        catch (Exception e)
        {
            exceptions.Report(ServerLoop.UpstreamStream, e, default);
        }
        connected.Dispose();
        End();
    }

    private async Task ReceiveAsync(Socket connected)
    {
        byte[] buffer = new byte[ReceiveOctets];
        for (int turns = 1; await connected.ReceiveAsync(buffer).ConfigureAwait(false) is > 0 and int octets; turns++)
        {
            if (!TryTake(buffer.AsSpan(0, octets))) return;
            if (turns % TurnsBeforeYield == 0) await Task.Yield();
        }
    }

    /// <summary>Octets that the receiver did not take leave a stream whose messages can no longer be told apart.</summary>
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

    private async Task SendAsync(Socket connected)
    {
        try
        {
            while (TakeQueued() is { IsEmpty: false } octets)
                for (int sent = 0; sent < octets.Length;)
                    sent += await connected.SendAsync(octets[sent..]).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            if (e is not (SocketException or ObjectDisposedException))
                exceptions.Report(ServerLoop.UpstreamStream, e, default);
            // The receiving loop sees the same end, and tells.
            connected.Dispose();
        }
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
