using System.Net;
using System.Net.Sockets;
using Dns.Protocol;

namespace Dns.Transport.Outgoing;

/// <summary>
/// A connected datagram socket with one receive under way, which is started again as soon as its datagram was taken. After it
/// is open, nothing allocates. A datagram longer than the buffer is shown to the receiver as an empty one.
/// </summary>
internal sealed class SocketDatagramPath : SocketAsyncEventArgs, IDatagramPath, IThreadPoolWorkItem
{
    /// <summary>More than any reply to a query that announces 1,232 octets; what is longer is cut and so no message.</summary>
    internal const int BufferOctets = 2048;

    // An upstream that sends without pause would keep a thread for ever, with inline completions that of all sockets.
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
        // A receive that completes at once must not call the receiver before it has this path.
        if (!TryReceive()) ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    /// <inheritdoc/>
    public IPEndPoint Local { get; }

    /// <summary>The socket, for a test to look at.</summary>
    internal Socket Socket => _socket;

    /// <summary>How often the loop gave its thread back although more had arrived.</summary>
    internal int Yields { get; private set; }

    /// <inheritdoc/>
    public bool TrySend(ReadOnlySpan<byte> message)
    {
        try
        {
            _socket.Send(message, SocketFlags.None, out SocketError error);
            // A refusal belongs to an earlier datagram: it takes the place of this one, which is then sent once more.
            if (error == SocketError.ConnectionRefused) _socket.Send(message, SocketFlags.None, out error);
            return error is SocketError.Success or SocketError.WouldBlock or SocketError.NoBufferSpaceAvailable
                or SocketError.ConnectionRefused;
        }
        catch (ObjectDisposedException)
        {
            return false;
        }
    }

    /// <inheritdoc/>
    void IDisposable.Dispose() => _socket.Dispose();

    void IThreadPoolWorkItem.Execute() => Cycle();

    /// <inheritdoc/>
    protected override void OnCompleted(SocketAsyncEventArgs e) => Cycle();

    /// <summary>Takes the datagram that has arrived and receives again, until a receive is under way.</summary>
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
            // The socket can no longer receive. Queries that wait on it are sent again over another one.
            _exceptions.Report(ServerLoop.UpstreamDatagram, error, default);
            _socket.Dispose();
        }
    }

    private void Take()
    {
        bool isTooLong = SocketError == SocketError.MessageSize || (SocketFlags & SocketFlags.Truncated) != 0;
        // Other errors are of ICMP, which anybody can forge: they are no reason to give up or to try again.
        if (SocketError != SocketError.Success && !isTooLong) return;
        ReadOnlySpan<byte> message = isTooLong ? default : MemoryBuffer.Span[..BytesTransferred];
        try
        {
            _receiver.Receive(message);
        }
        catch (Exception error)
        {
            _exceptions.Report(ServerLoop.UpstreamDatagram, error, message);
        }
    }

    /// <summary>Whether a receive is under way; false if one has just completed.</summary>
    private bool TryReceive()
    {
        // The flags are in and out: MSG_TRUNC of the datagram before would have the next length exceed the buffer.
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
