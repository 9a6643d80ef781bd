using System.Net.Sockets;

namespace Dns.Transport.Udp;

/// <summary>
/// Deferred replies of a portable worker, sent from its non-blocking socket, or from the queried address of a wildcard.
/// </summary>
internal sealed class SocketReplies(Socket socket, LearnedAddresses? learned) : DatagramReplies
{
    // One per family and sending thread: a SocketAddress is a class.
    [ThreadStatic]
    private static SocketAddress? s_ipv4;

    [ThreadStatic]
    private static SocketAddress? s_ipv6;

    protected override bool TrySend(in ReplyPath path, ReadOnlySpan<byte> answer)
    {
        if (learned is not null)
        {
            return learned.TrySend(
                AddressOf(path.Local, path.LocalScope), answer,
                new IPEndPoint(AddressOf(path.Peer, path.ClientScope), path.Peer.Port));
        }
        try
        {
            socket.SendTo(answer, SocketFlags.None, PeerOf(path, socket.AddressFamily));
            return true;
        }
        catch (SocketException error) when (error.SocketErrorCode == SocketError.MessageSize)
        {
            return TrySendTruncated(path, answer);
        }
        catch (Exception error) when (error is SocketException or ObjectDisposedException)
        {
            return false;
        }
    }

    private bool TrySendTruncated(in ReplyPath path, ReadOnlySpan<byte> answer)
    {
        Span<byte> shorter = stackalloc byte[TruncatedReply.MaxOctets];
        int octets = TruncatedReply.Write(answer, shorter);
        return octets > 0 && octets < answer.Length && TrySend(path, shorter[..octets]);
    }

    private static IPAddress AddressOf(ClientAddress address, uint scope) => address.IsIPv4
        ? new IPAddress(address.Address[12..])
        : new IPAddress(address.Address, scope);

    /// <summary>The client's address, in the layout of <see cref="SlotEndPoint"/>.</summary>
    private static SocketAddress PeerOf(in ReplyPath path, AddressFamily family)
    {
        ClientAddress client = path.Peer;
        SocketAddress peer = family == AddressFamily.InterNetworkV6
            ? s_ipv6 ??= new SocketAddress(family, SlotEndPoint.IPv6Octets)
            : s_ipv4 ??= new SocketAddress(family, SlotEndPoint.IPv4Octets);
        Span<byte> octets = peer.Buffer.Span;
        BinaryPrimitives.WriteUInt16BigEndian(octets[2..], client.Port);
        if (family == AddressFamily.InterNetworkV6)
        {
            client.Address.CopyTo(octets[8..]);
            uint scope = path.ClientScope;
            MemoryMarshal.Write(octets[24..], in scope);
        }
        else
        {
            client.Address[12..].CopyTo(octets[4..]);
        }
        return peer;
    }
}
