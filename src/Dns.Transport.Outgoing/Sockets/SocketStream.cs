using System.Net.Sockets;

namespace Dns.Transport.Outgoing.Sockets;

/// <summary>An outgoing TCP connection.</summary>
/// <param name="source">The local address, with port or 0; null = chosen by the system.</param>
public sealed class SocketStream(IPEndPoint server, IPEndPoint? source = null) : IOutgoingStream
{
    private readonly Socket? _socket = TryOpen(server.AddressFamily);

    /// <inheritdoc/>
    public async ValueTask<bool> ConnectAsync()
    {
        if (_socket is null)
        {
            return false;
        }

        try
        {
            if (source is not null)
            {
                _socket.Bind(source);
            }

            await _socket.ConnectAsync(server).ConfigureAwait(false);
            return true;
        }
        catch (Exception error) when (error is SocketException or ObjectDisposedException)
        {
            return false;
        }
    }

    /// <inheritdoc/>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public async ValueTask<int> ReceiveAsync(Memory<byte> room)
    {
        try
        {
            return await _socket!.ReceiveAsync(room).ConfigureAwait(false);
        }
        catch (Exception error) when (error is SocketException or ObjectDisposedException)
        {
            return IOutgoingStream.Failed;
        }
    }

    /// <inheritdoc/>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public async ValueTask<int> SendAsync(ReadOnlyMemory<byte> octets)
    {
        try
        {
            return await _socket!.SendAsync(octets).ConfigureAwait(false);
        }
        catch (Exception error) when (error is SocketException or ObjectDisposedException)
        {
            return IOutgoingStream.Failed;
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _socket?.Dispose();

    private static Socket? TryOpen(AddressFamily family)
    {
        Socket? socket = null;
        try
        {
            socket = new(family, SocketType.Stream, ProtocolType.Tcp);
            socket.NoDelay = true;
            return socket;
        }
        catch (SocketException)
        {
            // No descriptor is left: a failed attempt.
            socket?.Dispose();
            return null;
        }
    }
}
