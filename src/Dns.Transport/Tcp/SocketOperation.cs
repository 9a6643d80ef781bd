using System.Net.Sockets;
using System.Threading.Tasks.Sources;

namespace Dns.Transport;

/// <summary>
/// An awaitable socket operation that is used over and over and reports failures as values: a client that
/// resets its connections must not cost us an exception each. One operation at a time; the continuation runs
/// where the operation completed.
/// </summary>
internal sealed class SocketOperation() :
    SocketAsyncEventArgs(unsafeSuppressExecutionContextFlow: true), IValueTaskSource<SocketError>
{
    private ManualResetValueTaskSourceCore<SocketError> _source;

    /// <summary>
    /// Receives into the buffer; <see cref="SocketAsyncEventArgs.BytesTransferred"/> is 0 at the end.
    /// </summary>
    public ValueTask<SocketError> ReceiveAsync(Socket socket, Memory<byte> buffer)
    {
        SetBuffer(buffer);
        return Post(socket, static (socket, operation) => socket.ReceiveAsync(operation));
    }

    /// <summary>Sends octets of the buffer, possibly not all.</summary>
    public ValueTask<SocketError> SendAsync(Socket socket, Memory<byte> buffer)
    {
        SetBuffer(buffer);
        return Post(socket, static (socket, operation) => socket.SendAsync(operation));
    }

    /// <summary>Accepts a connection into <see cref="SocketAsyncEventArgs.AcceptSocket"/>.</summary>
    public ValueTask<SocketError> AcceptAsync(Socket socket)
    {
        AcceptSocket = null;
        return Post(socket, static (socket, operation) => socket.AcceptAsync(operation));
    }

    /// <summary>Lets go of the buffer used last.</summary>
    public void ReleaseBuffer() => SetBuffer(default(Memory<byte>));

    protected override void OnCompleted(SocketAsyncEventArgs e) => _source.SetResult(SocketError);

    private ValueTask<SocketError> Post(Socket socket, Func<Socket, SocketOperation, bool> start)
    {
        _source.Reset();
        try
        {
            return start(socket, this)
                ? new ValueTask<SocketError>(this, _source.Version)
                : new ValueTask<SocketError>(SocketError);
        }
        catch (ObjectDisposedException)
        {
            return new ValueTask<SocketError>(SocketError.OperationAborted);
        }
    }

    SocketError IValueTaskSource<SocketError>.GetResult(short token) => _source.GetResult(token);

    ValueTaskSourceStatus IValueTaskSource<SocketError>.GetStatus(short token) => _source.GetStatus(token);

    void IValueTaskSource<SocketError>.OnCompleted(
        Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _source.OnCompleted(continuation, state, token, flags);
}
