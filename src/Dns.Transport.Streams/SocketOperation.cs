using System.Net.Sockets;
using System.Threading.Tasks.Sources;

namespace Dns.Transport.Streams;

/// <summary>
/// A reusable awaitable socket operation that reports failures as values, so that a peer's resets do not cost an
/// exception each. One operation at a time; the continuation runs inline.
/// </summary>
public sealed class SocketOperation() :
    SocketAsyncEventArgs(unsafeSuppressExecutionContextFlow: true), IValueTaskSource<int>
{
    private ManualResetValueTaskSourceCore<bool> _source;

    /// <returns>The number of octets, 0 at the end, or <see cref="IByteStream.Failed"/>.</returns>
    public ValueTask<int> ReceiveAsync(Socket socket, Memory<byte> buffer)
    {
        SetBuffer(buffer);
        return Run(socket, static (socket, operation) => socket.ReceiveAsync(operation));
    }

    /// <summary>Sends octets of the buffer, possibly not all.</summary>
    /// <returns>The number of octets, or <see cref="IByteStream.Failed"/>.</returns>
    public ValueTask<int> SendAsync(Socket socket, Memory<byte> buffer)
    {
        SetBuffer(buffer);
        return Run(socket, static (socket, operation) => socket.SendAsync(operation));
    }

    /// <summary>Accepts a connection into <see cref="SocketAsyncEventArgs.AcceptSocket"/>.</summary>
    /// <returns>
    /// 0, or <see cref="IByteStream.Failed"/>: <see cref="SocketAsyncEventArgs.SocketError"/> has the reason.
    /// </returns>
    public ValueTask<int> AcceptAsync(Socket socket)
    {
        AcceptSocket = null;
        return Run(socket, static (socket, operation) => socket.AcceptAsync(operation));
    }

    /// <summary>Releases the last buffer.</summary>
    public void ReleaseBuffer() => SetBuffer(default(Memory<byte>));

    /// <inheritdoc/>
    protected override void OnCompleted(SocketAsyncEventArgs e) => _source.SetResult(true);

    private ValueTask<int> Run(Socket socket, Func<Socket, SocketOperation, bool> start)
    {
        _source.Reset();
        try
        {
            return start(socket, this) ? new ValueTask<int>(this, _source.Version) : new ValueTask<int>(Octets);
        }
        catch (ObjectDisposedException)
        {
            SocketError = SocketError.OperationAborted;
            return new ValueTask<int>(Octets);
        }
    }

    private int Octets => SocketError == SocketError.Success ? BytesTransferred : IByteStream.Failed;

    int IValueTaskSource<int>.GetResult(short token)
    {
        _source.GetResult(token);
        return Octets;
    }

    ValueTaskSourceStatus IValueTaskSource<int>.GetStatus(short token) => _source.GetStatus(token);

    void IValueTaskSource<int>.OnCompleted(
        Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _source.OnCompleted(continuation, state, token, flags);
}
