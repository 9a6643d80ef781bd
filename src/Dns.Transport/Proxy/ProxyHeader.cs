namespace Dns.Transport.Proxy;

/// <summary>The state of parsing a header.</summary>
internal enum ProxyHeaderStatus
{
    /// <summary>Possibly the beginning of a header.</summary>
    Partial,

    /// <summary>Complete and valid.</summary>
    Whole,

    /// <summary>Not a header, or malformed.</summary>
    Malformed,
}

/// <summary>The header of the PROXY protocol, version 2, with the address of a proxy's client.</summary>
/// <remarks>
/// <code>
/// 12 signature | 4 bits version 2, 4 bits command | 4 bits family, 4 bits protocol | 16 bits length of the rest
/// command 0 LOCAL: the proxy's own query        command 1 PROXY: for the client
/// family 1: 4 source, 4 destination, 2 source port, 2 destination port
/// family 2: 16 source, 16 destination, 2 source port, 2 destination port
/// then type-length-value fields, which are ignored
/// </code>
/// </remarks>
internal static class ProxyHeader
{
    /// <summary>The maximum length of a header, with its fields.</summary>
    public const int MostOctets = 1024;

    private const int FixedOctets = 16;
    private const int IPv4Octets = 12;
    private const int IPv6Octets = 36;

    private static ReadOnlySpan<byte> Signature =>
        [0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A];

    /// <summary>Whether octets start with the signature of a header.</summary>
    public static bool StartsLikeOne(ReadOnlySpan<byte> octets) => octets.StartsWith(Signature);

    /// <summary>Parses a header.</summary>
    /// <param name="client">Replaced by the client's address, if the header has one.</param>
    public static ProxyHeaderStatus Read(
        ReadOnlySpan<byte> octets, ref ClientAddress client, out int headerOctets)
    {
        headerOctets = 0;
        int known = Math.Min(octets.Length, Signature.Length);
        if (!octets[..known].SequenceEqual(Signature[..known])) return ProxyHeaderStatus.Malformed;
        if (octets.Length < FixedOctets) return ProxyHeaderStatus.Partial;
        int length = FixedOctets + BinaryPrimitives.ReadUInt16BigEndian(octets[14..]);
        bool isLocal = octets[12] == 0x20;
        if (length > MostOctets || (!isLocal && octets[12] != 0x21)) return ProxyHeaderStatus.Malformed;
        if (octets.Length < length) return ProxyHeaderStatus.Partial;
        headerOctets = length;
        return isLocal || TryReadClient(octets[13], octets[FixedOctets..length], ref client)
            ? ProxyHeaderStatus.Whole
            : ProxyHeaderStatus.Malformed;
    }

    /// <summary>Parses the addresses. The client's protocol may differ from the proxy's.</summary>
    private static bool TryReadClient(byte familyAndProtocol, ReadOnlySpan<byte> rest, ref ClientAddress client)
    {
        switch (familyAndProtocol)
        {
            case 0x00:
                // Unspecified: the client is unknown, so the proxy's address is used.
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
