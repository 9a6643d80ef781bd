using System.Net.Sockets;
using Microsoft.Extensions.ObjectPool;

namespace Dns.Transport.Streams;

/// <summary>No layer: DNS directly over TCP (RFC 7766).</summary>
internal sealed class SocketLayer : IStreamLayer
{
    private const int MaxPooledOperations = 1024;

    private readonly ObjectPool<SocketOperation> _operations =
        new DefaultObjectPoolProvider { MaximumRetained = MaxPooledOperations }.Create<SocketOperation>();

    public IStreamTransport Open(Socket socket) => new SocketTransport(socket, _operations);
}
