using System.Net.Sockets;
using Microsoft.Extensions.ObjectPool;

namespace Dns.Transport.Streams;

/// <summary>The stream of a socket. Its operations are pooled; nothing allocates after the first use of both.</summary>
/// <param name="socket">Non-blocking; owned.</param>
internal sealed class SocketTransport(Socket socket, ObjectPool<SocketOperation> operations) : IStreamTransport
{
    private SocketOperation? _receive;
    private SocketOperation? _send;
    private int _isClosed;

    public DnsTransport Transport => DnsTransport.Tcp;

    public ValueTask<int> ReceiveAsync(Memory<byte> room) => (_receive ??= operations.Get()).ReceiveAsync(socket, room);

    public int TrySend(ReadOnlySpan<byte> octets)
    {
        try
        {
            int sent = socket.Send(octets, SocketFlags.None, out SocketError error);
            return error switch
            {
                SocketError.Success => sent,
                SocketError.WouldBlock or SocketError.IOPending or SocketError.NoBufferSpaceAvailable => 0,
                _ => IStreamTransport.Failed,
            };
        }
        catch (ObjectDisposedException)
        {
            return IStreamTransport.Failed;
        }
    }

    public ValueTask<int> SendAsync(ReadOnlyMemory<byte> octets) =>
        (_send ??= operations.Get()).SendAsync(socket, MemoryMarshal.AsMemory(octets));

    public long? TakenOctets
    {
        get
        {
            // tcp_info.tcpi_bytes_acked, Linux 4.1.
            const int level = 6, option = 11, acknowledged = 120;
            Span<byte> info = stackalloc byte[acknowledged + sizeof(long)];
            try
            {
                return OperatingSystem.IsLinux() && socket.GetRawSocketOption(level, option, info) == info.Length
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

    public void Close()
    {
        if (Interlocked.Exchange(ref _isClosed, 1) != 0)
        {
            return;
        }

        try
        {
            socket.Shutdown(SocketShutdown.Send);
        }
        catch (Exception error) when (error is SocketException or ObjectDisposedException)
        {
            // Reset by the peer.
        }

        socket.Dispose();
    }

    public void Release()
    {
        Return(ref _receive);
        Return(ref _send);
    }

    private void Return(ref SocketOperation? operation)
    {
        if (operation is not null)
        {
            operation.ReleaseBuffer();
            operations.Return(operation);
            operation = null;
        }
    }
}
