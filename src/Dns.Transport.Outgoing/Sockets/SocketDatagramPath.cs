using System.Net.Sockets;

namespace Dns.Transport.Outgoing.Sockets;

/// <summary>
/// A connected datagram socket with one pending receive, restarted after each datagram. Allocates nothing once it is
/// open. Of a datagram longer than the buffer, the receiver gets the beginning.
/// </summary>
internal sealed class SocketDatagramPath : SocketAsyncEventArgs, IDatagramPath, IThreadPoolWorkItem
{
    /// <summary>Exceeds any reply to a query that announces 1,232 octets.</summary>
    internal const int BufferOctets = 2048;

    // Otherwise an upstream that sends without pause holds a thread; with inline completions, that of all sockets.
    private const int TurnsBeforeYield = 64;

    private readonly Socket _socket;
    private readonly IPathReceiver _receiver;
    private readonly IExceptionSink _exceptions;

    internal SocketDatagramPath(Socket socket, IPathReceiver receiver, IExceptionSink exceptions)
        : base(unsafeSuppressExecutionContextFlow: true)
    {
        _socket = socket;
        _receiver = receiver;
        _exceptions = exceptions;
        Local = (IPEndPoint)socket.LocalEndPoint!;
        SetBuffer(GC.AllocateUninitializedArray<byte>(BufferOctets));
        // A receive that completes at once must not call the receiver before the caller has this path.
        if (!TryReceive()) ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    public IPEndPoint Local { get; }

    /// <summary>The socket, for tests.</summary>
    internal Socket Socket => _socket;

    /// <summary>How often the loop yielded its thread although more had arrived.</summary>
    internal int Yields { get; private set; }

    public bool TrySend(ReadOnlySpan<byte> message, out NetworkFault? fault)
    {
        fault = null;
        try
        {
            _socket.Send(message, SocketFlags.None, out SocketError error);
            // The error may be an ICMP message for an earlier datagram, which can be forged. It was reported instead of
            // sending this one and is cleared now, so send again.
            if (!IsSentOrLost(error)) _socket.Send(message, SocketFlags.None, out error);
            if (IsSentOrLost(error) || error == SocketError.ConnectionRefused) return true;
            fault = SocketFault.Of(error);
        }
        catch (ObjectDisposedException)
        {
            // Closed meanwhile: no fault of the network.
        }
        return false;
    }

    void IDisposable.Dispose() => _socket.Dispose();

    void IThreadPoolWorkItem.Execute() => Cycle();

    protected override void OnCompleted(SocketAsyncEventArgs e) => Cycle();

    /// <summary>Handles the received datagram and receives again, until a receive is pending.</summary>
    private void Cycle()
    {
        try
        {
            for (int turns = 0; turns < TurnsBeforeYield; turns++)
            {
                if (SocketError == SocketError.OperationAborted)
                {
                    Dispose();
                    return;
                }
                Take();
                if (TryReceive()) return;
            }
            Yields++;
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        }
        catch (Exception error)
        {
            // The socket can no longer receive. Queries on it are retried over another one.
            _exceptions.Report(OutgoingLoops.UpstreamDatagram, error, default);
            _socket.Dispose();
        }
    }

    private static bool IsSentOrLost(SocketError error) =>
        error is SocketError.Success or SocketError.WouldBlock or SocketError.NoBufferSpaceAvailable;

    private void Take()
    {
        bool isTooLong = SocketError == SocketError.MessageSize || (SocketFlags & SocketFlags.Truncated) != 0;
        // Other errors come from ICMP, which can be forged: no reason to give up or to retry.
        if (SocketError != SocketError.Success && !isTooLong) return;
        ReadOnlySpan<byte> message = MemoryBuffer.Span[..(isTooLong ? BufferOctets : BytesTransferred)];
        try
        {
            _receiver.Receive(message);
        }
        catch (Exception error)
        {
            _exceptions.Report(OutgoingLoops.UpstreamDatagram, error, message);
        }
    }

    /// <summary>Starts a receive; false if it completed at once.</summary>
    private bool TryReceive()
    {
        // The flags are in and out: MSG_TRUNC left from the last datagram would let the next length exceed the buffer.
        SocketFlags = SocketFlags.None;
        try
        {
            return _socket.ReceiveAsync(this);
        }
        catch (ObjectDisposedException)
        {
            Dispose();
            return true;
        }
    }
}
