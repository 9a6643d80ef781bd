using System.Net.Sockets;
using Microsoft.Extensions.ObjectPool;

namespace Dns.Transport.Streams;

/// <summary>
/// The stream of a TCP socket. Its operations are pooled; nothing allocates after the first use of both.
/// </summary>
public sealed class SocketStream : IByteStream
{
    private const int MaxPooledOperations = 1024;

    private static readonly ObjectPool<SocketOperation> s_operations =
        new DefaultObjectPoolProvider { MaximumRetained = MaxPooledOperations }.Create<SocketOperation>();

    private readonly Socket? _socket;
    private readonly IPEndPoint? _server;
    private readonly IPEndPoint? _source;
    private SocketOperation? _receive;
    private SocketOperation? _send;
    private int _isClosed;

    /// <summary>The stream of an accepted connection.</summary>
    /// <param name="accepted">Non-blocking; owned.</param>
    public SocketStream(Socket accepted) => _socket = accepted;

    /// <summary>An outgoing stream, not yet connected.</summary>
    /// <param name="source">The local address, with port or 0; null = chosen by the system.</param>
    public SocketStream(IPEndPoint server, IPEndPoint? source = null)
    {
        _server = server;
        _source = source;
        try
        {
            _socket = new(server.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
            _socket.NoDelay = true;
            _socket.Blocking = false;
        }
        catch (SocketException)
        {
            // No descriptor is left: a failed attempt.
            _socket?.Dispose();
            _socket = null;
        }
    }

    /// <inheritdoc/>
    public DnsTransport Transport => DnsTransport.Tcp;

    /// <inheritdoc/>
    public ValueTask<bool> OpenAsync() => _server is null ? new(true) : ConnectAsync(_server);

    /// <inheritdoc/>
    public ValueTask<int> ReceiveAsync(Memory<byte> room) =>
        (_receive ??= s_operations.Get()).ReceiveAsync(_socket!, room);

    /// <inheritdoc/>
    public int TrySend(ReadOnlySpan<byte> octets)
    {
        try
        {
            int sent = _socket!.Send(octets, SocketFlags.None, out SocketError error);
            return error switch
            {
                SocketError.Success => sent,
                SocketError.WouldBlock or SocketError.IOPending or SocketError.NoBufferSpaceAvailable => 0,
                _ => IByteStream.Failed,
            };
        }
        catch (ObjectDisposedException)
        {
            return IByteStream.Failed;
        }
    }

    /// <inheritdoc/>
    public ValueTask<int> SendAsync(ReadOnlyMemory<byte> octets) =>
        (_send ??= s_operations.Get()).SendAsync(_socket!, MemoryMarshal.AsMemory(octets));

    /// <inheritdoc/>
    public long? TakenOctets
    {
        get
        {
            // tcp_info.tcpi_bytes_acked, Linux 4.1.
            const int level = 6, option = 11, acknowledged = 120;
            Span<byte> info = stackalloc byte[acknowledged + sizeof(long)];
            try
            {
                return OperatingSystem.IsLinux() && _socket!.GetRawSocketOption(level, option, info) == info.Length
                    ? BitConverter.ToInt64(info[acknowledged..])
                    : null;
            }
            catch (Exception error) when (error is SocketException or ObjectDisposedException)
            {
                // Evicted by another thread meanwhile.
                return null;
            }
        }
    }

    /// <inheritdoc/>
    public void Close()
    {
        if (Interlocked.Exchange(ref _isClosed, 1) != 0) return;
        try
        {
            if (_socket is { Connected: true }) _socket.Shutdown(SocketShutdown.Send);
        }
        catch (Exception error) when (error is SocketException or ObjectDisposedException)
        {
            // Reset by the peer.
        }
        _socket?.Dispose();
    }

    /// <inheritdoc/>
    public void Release()
    {
        Return(ref _receive);
        Return(ref _send);
    }

    private async ValueTask<bool> ConnectAsync(IPEndPoint server)
    {
        if (_socket is null) return false;
        try
        {
            if (_source is not null) _socket.Bind(_source);
            await _socket.ConnectAsync(server).ConfigureAwait(false);
            return true;
        }
        catch (Exception error) when (error is SocketException or ObjectDisposedException)
        {
            return false;
        }
    }

    private static void Return(ref SocketOperation? operation)
    {
        if (operation is not null)
        {
            operation.ReleaseBuffer();
            s_operations.Return(operation);
            operation = null;
        }
    }
}
