using System.Net.Sockets;
using System.Threading.Tasks.Sources;

namespace Dns.Transport.Streams;

/// <summary>
/// A reusable awaitable socket operation that reports failures as values, so that a client's resets do not cost an
/// exception each. One operation at a time; the continuation runs inline.
/// </summary>
internal sealed class SocketOperation() :
    SocketAsyncEventArgs(unsafeSuppressExecutionContextFlow: true), IValueTaskSource<int>, IValueTaskSource<SocketError>
{
    private ManualResetValueTaskSourceCore<SocketError> _source;

    /// <returns>The number of octets, 0 at the end, or <see cref="IStreamTransport.Failed"/>.</returns>
    public ValueTask<int> ReceiveAsync(Socket socket, Memory<byte> buffer)
    {
        SetBuffer(buffer);
        return Transfer(TryPost(socket, static (socket, operation) => socket.ReceiveAsync(operation)));
    }

    /// <summary>Sends octets of the buffer, possibly not all.</summary>
    /// <returns>The number of octets, or <see cref="IStreamTransport.Failed"/>.</returns>
    public ValueTask<int> SendAsync(Socket socket, Memory<byte> buffer)
    {
        SetBuffer(buffer);
        return Transfer(TryPost(socket, static (socket, operation) => socket.SendAsync(operation)));
    }

    /// <summary>Accepts a connection into <see cref="SocketAsyncEventArgs.AcceptSocket"/>.</summary>
    public ValueTask<SocketError> AcceptAsync(Socket socket)
    {
        AcceptSocket = null;
        return TryPost(socket, static (socket, operation) => socket.AcceptAsync(operation)) is SocketError error
            ? new ValueTask<SocketError>(error)
            : new ValueTask<SocketError>(this, _source.Version);
    }

    /// <summary>Releases the last buffer.</summary>
    public void ReleaseBuffer() => SetBuffer(default(Memory<byte>));

    protected override void OnCompleted(SocketAsyncEventArgs e) => _source.SetResult(SocketError);

    /// <summary>Starts an operation. Null while it is pending, else its result.</summary>
    private SocketError? TryPost(Socket socket, Func<Socket, SocketOperation, bool> start)
    {
        _source.Reset();
        try
        {
            return start(socket, this) ? null : SocketError;
        }
        catch (ObjectDisposedException)
        {
            return SocketError.OperationAborted;
        }
    }

    private ValueTask<int> Transfer(SocketError? completed) => completed is SocketError error
        ? new ValueTask<int>(OctetsAfter(error))
        : new ValueTask<int>(this, _source.Version);

    private int OctetsAfter(SocketError error) =>
        error == SocketError.Success ? BytesTransferred : IStreamTransport.Failed;

    int IValueTaskSource<int>.GetResult(short token) => OctetsAfter(_source.GetResult(token));

    ValueTaskSourceStatus IValueTaskSource<int>.GetStatus(short token) => _source.GetStatus(token);

    void IValueTaskSource<int>.OnCompleted(
        Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _source.OnCompleted(continuation, state, token, flags);

    SocketError IValueTaskSource<SocketError>.GetResult(short token) => _source.GetResult(token);

    ValueTaskSourceStatus IValueTaskSource<SocketError>.GetStatus(short token) => _source.GetStatus(token);

    void IValueTaskSource<SocketError>.OnCompleted(
        Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _source.OnCompleted(continuation, state, token, flags);
}
