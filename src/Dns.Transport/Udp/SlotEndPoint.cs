using System.Net.Sockets;

namespace Dns.Transport.Udp;

/// <summary>
/// The peer of one slot: an end point that the system writes on receive and reads on send. An <see cref="IPEndPoint"/>
/// would be allocated whenever the sender changes; this one always returns the same <see cref="SocketAddress"/>. Owned
/// by one worker.
/// </summary>
/// <remarks>
/// From the third octet on, the layout is the same on all systems (the first two hold family, or length and family):
/// <code>
/// IPv4: 2 port | 4 address            IPv6: 2 port | 4 flow | 16 address | 4 scope
/// </code>
/// </remarks>
internal sealed class SlotEndPoint(AddressFamily family) : EndPoint
{
    public const int IPv4Octets = 16;
    public const int IPv6Octets = 28;

    /// <summary>The peer's address in the system's layout.</summary>
    public SocketAddress Octets { get; } =
        new(family, family == AddressFamily.InterNetworkV6 ? IPv6Octets : IPv4Octets);

    /// <summary>The peer's scope (RFC 4007); 0 for IPv4.</summary>
    public uint Scope => family == AddressFamily.InterNetworkV6
        ? MemoryMarshal.Read<uint>(Octets.Buffer.Span[24..])
        : 0;

    public override AddressFamily AddressFamily => family;

    public override SocketAddress Serialize() => Octets;

    /// <summary>Copies a peer that the runtime received into another address object.</summary>
    public override EndPoint Create(SocketAddress socketAddress)
    {
        if (!ReferenceEquals(socketAddress, Octets))
        {
            Octets.Size = Math.Min(socketAddress.Size, Octets.Buffer.Length);
            socketAddress.Buffer.Span[..Octets.Size].CopyTo(Octets.Buffer.Span);
        }
        return this;
    }

    /// <summary>The peer as an ordinary end point; allocates.</summary>
    public IPEndPoint ToIPEndPoint() => (IPEndPoint)new IPEndPoint(
        family == AddressFamily.InterNetworkV6 ? IPAddress.IPv6Any : IPAddress.Any, 0).Create(Octets);

    /// <summary>Copies the peer for the responder.</summary>
    public void CopyTo(ref ClientAddress client)
    {
        ReadOnlySpan<byte> octets = Octets.Buffer.Span;
        client.Port = (ushort)(octets[2] << 8 | octets[3]);
        if (family == AddressFamily.InterNetworkV6)
        {
            client.SetIPv6(octets.Slice(8, 16));
        }
        else
        {
            client.SetIPv4(octets.Slice(4, 4));
        }
    }
}
