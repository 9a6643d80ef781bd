using System.Net;

namespace Dns.Transport.Tests;

/// <summary>Headers of the PROXY protocol, version 2.</summary>
internal static class ProxyHeaders
{
    public static readonly ClientNetworks Loopback =
        new([IPNetwork.Parse("127.0.0.0/8"), IPNetwork.Parse("::1/128")]);

    /// <summary>A list that holds no client of a test.</summary>
    public static readonly ClientNetworks Elsewhere = new([IPNetwork.Parse("192.0.2.0/24")]);

    private static readonly byte[] Signature = Convert.FromHexString("0D0A0D0A000D0A515549540A");

    /// <summary>The header for a client.</summary>
    public static byte[] For(string client, int fieldOctets = 0, int protocol = 2)
    {
        IPEndPoint from = IPEndPoint.Parse(client);
        byte[] address = from.Address.GetAddressBytes();
        int family = address.Length == 4 ? 1 : 2;
        byte[] rest =
        [
            .. address, .. new byte[address.Length], (byte)(from.Port >> 8), (byte)from.Port, 0, 53,
            .. new byte[fieldOctets],
        ];
        return Make(0x21, family << 4 | protocol, rest);
    }

    /// <summary>The proxy's own query (LOCAL).</summary>
    public static byte[] Local(int fieldOctets = 0) => Make(0x20, 0, new byte[fieldOctets]);

    public static byte[] Make(int versionAndCommand, int familyAndProtocol, byte[] rest, int? length = null)
    {
        int octets = length ?? rest.Length;
        return
        [
            .. Signature, (byte)versionAndCommand, (byte)familyAndProtocol, (byte)(octets >> 8), (byte)octets, .. rest,
        ];
    }

    /// <summary>Headers that must not be taken.</summary>
    public static TheoryData<string, byte[]> Malformed => new()
    {
        { "none", [] },
        { "signature alone", Signature },
        { "another signature", [.. Local()[..11], 0x0B, .. Local()[12..]] },
        { "version 1", Make(0x11, 0x11, new byte[12]) },
        { "version 3", Make(0x31, 0x11, new byte[12]) },
        { "command 2", Make(0x22, 0x11, new byte[12]) },
        { "short for IPv4", Make(0x21, 0x12, new byte[11]) },
        { "short for IPv6", Make(0x21, 0x22, new byte[35]) },
        { "a local socket", Make(0x21, 0x32, new byte[216]) },
        { "no protocol", Make(0x21, 0x10, new byte[12]) },
        { "family 4", Make(0x21, 0x42, new byte[36]) },
        { "longer than taken", Local(ProxyHeader.MostOctets - 15) },
        { "longest length", Make(0x21, 0x12, new byte[12], length: 65535) },
    };
}
