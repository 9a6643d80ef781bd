using System.Net;
using System.Net.Sockets;

namespace Dns.Forwarding;

/// <summary>
/// A connected datagram socket with one receive under way, which is started again as soon as its datagram was taken. After it
/// is open, nothing allocates.
/// </summary>
internal sealed class SocketDatagramPath : SocketAsyncEventArgs, IDatagramPath, IThreadPoolWorkItem
{
    /// <summary>More than any reply to a query that announces 1,232 octets; what is longer is cut and so no message.</summary>
    private const int BufferOctets = 2048;

    private readonly Socket _socket;
    private readonly IPathReceiver _receiver;

    internal SocketDatagramPath(Socket socket, IPathReceiver receiver)
        : base(unsafeSuppressExecutionContextFlow: true)
    {
        _socket = socket;
        _receiver = receiver;
        Local = (IPEndPoint)socket.LocalEndPoint!;
        SetBuffer(GC.AllocateUninitializedArray<byte>(BufferOctets));
        // A receive that completes at once must not call the receiver before it has this path.
        if (!TryReceive()) ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    /// <inheritdoc/>
    public IPEndPoint Local { get; }

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

    void IThreadPoolWorkItem.Execute() => OnCompleted(this);

    /// <inheritdoc/>
    protected override void OnCompleted(SocketAsyncEventArgs e)
    {
        do
        {
            if (SocketError == SocketError.OperationAborted)
            {
                Dispose();
                return;
            }
            // Other errors are of ICMP, which anybody can forge: they are no reason to give up or to try again.
            if (SocketError == SocketError.Success) _receiver.Receive(MemoryBuffer.Span[..BytesTransferred]);
        }
        while (!TryReceive());
    }

    /// <summary>Whether a receive is under way; false if one has just completed.</summary>
    private bool TryReceive()
    {
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
