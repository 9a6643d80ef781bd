using System.Buffers.Binary;
using Dns.Protocol;

namespace Dns.Transport;

/// <summary>How far a header has been read.</summary>
internal enum ProxyHeaderStatus
{
    /// <summary>What there is may be the beginning of one.</summary>
    Partial,

    /// <summary>It is whole and good.</summary>
    Whole,

    /// <summary>It is none, or a broken one.</summary>
    Malformed,
}

/// <summary>The header of the PROXY protocol, version 2, by which a proxy tells who its client is.</summary>
/// <remarks>
/// <code>
/// 12 signature | 4 bits version 2, 4 bits command | 4 bits family, 4 bits protocol | 16 bits length of the rest
/// command 0 LOCAL: the proxy itself asks        command 1 PROXY: for the client
/// family 1: 4 source, 4 destination, 2 source port, 2 destination port
/// family 2: 16 source, 16 destination, 2 source port, 2 destination port
/// then type-length-value fields, which mean nothing here
/// </code>
/// </remarks>
internal static class ProxyHeader
{
    /// <summary>The longest header that is taken, fields included.</summary>
    public const int MostOctets = 1024;

    private const int FixedOctets = 16;
    private const int IPv4Octets = 12;
    private const int IPv6Octets = 36;

    private static ReadOnlySpan<byte> Signature => [0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A];

    /// <summary>Whether octets begin as only a header does.</summary>
    public static bool StartsLikeOne(ReadOnlySpan<byte> octets) => octets.StartsWith(Signature);

    /// <summary>Reads a header.</summary>
    /// <param name="octets">What has arrived so far.</param>
    /// <param name="client">Replaced by the client that the header names, if it names one.</param>
    /// <param name="headerOctets">The length of a whole header.</param>
    public static ProxyHeaderStatus Read(
        ReadOnlySpan<byte> octets, ref ClientAddress client, out int headerOctets)
    {
        headerOctets = 0;
        int known = Math.Min(octets.Length, Signature.Length);
        if (!octets[..known].SequenceEqual(Signature[..known]))
        {
            return ProxyHeaderStatus.Malformed;
        }

        if (octets.Length < FixedOctets)
        {
            return ProxyHeaderStatus.Partial;
        }

        int length = FixedOctets + BinaryPrimitives.ReadUInt16BigEndian(octets[14..]);
        bool isLocal = octets[12] == 0x20;
        if (length > MostOctets || (!isLocal && octets[12] != 0x21))
        {
            return ProxyHeaderStatus.Malformed;
        }

        if (octets.Length < length)
        {
            return ProxyHeaderStatus.Partial;
        }

        headerOctets = length;
        return isLocal || TryReadClient(octets[13], octets[FixedOctets..length], ref client)
            ? ProxyHeaderStatus.Whole
            : ProxyHeaderStatus.Malformed;
    }

    /// <summary>
    /// Reads the addresses. The protocol is that between client and proxy, which need not be the one that the
    /// proxy speaks with us.
    /// </summary>
    private static bool TryReadClient(byte familyAndProtocol, ReadOnlySpan<byte> rest, ref ClientAddress client)
    {
        switch (familyAndProtocol)
        {
            case 0x00:
                // Unspecified: the proxy does not know, so it stands for its client.
                return true;
            case 0x11 or 0x12 when rest.Length >= IPv4Octets:
                client.SetIPv4(rest);
                client.Port = BinaryPrimitives.ReadUInt16BigEndian(rest[8..]);
                return true;
            case 0x21 or 0x22 when rest.Length >= IPv6Octets:
                client.SetIPv6(rest);
                client.Port = BinaryPrimitives.ReadUInt16BigEndian(rest[32..]);
                return true;
            default:
                return false;
        }
    }
}
