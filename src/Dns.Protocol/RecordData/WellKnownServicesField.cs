namespace Dns.Protocol.RecordData;

/// <summary>Protocol and ports of WKS: a protocol octet, then one bit per port from 0 (RFC 1035 §3.4.2).</summary>
internal static class WellKnownServicesField
{
    private const int MaxOctets = 65536 / 8;

    private static readonly MnemonicTable Protocols = new([("ICMP", 1), ("TCP", 6), ("UDP", 17)]);

    private static readonly MnemonicTable Services = new(
    [
        ("ECHO", 7), ("DISCARD", 9), ("DAYTIME", 13), ("FTP-DATA", 20), ("FTP", 21), ("SSH", 22), ("TELNET", 23),
        ("SMTP", 25), ("TIME", 37), ("NAME", 42), ("WHOIS", 43), ("DOMAIN", 53), ("TFTP", 69), ("GOPHER", 70),
        ("FINGER", 79), ("HTTP", 80), ("POP3", 110), ("SUNRPC", 111), ("NNTP", 119), ("NTP", 123), ("IMAP", 143),
        ("SNMP", 161), ("HTTPS", 443),
    ]);

    /// <summary>The length, or -1 if the protocol is missing or the map exceeds the ports.</summary>
    public static int Measure(ReadOnlySpan<byte> rest) => rest.Length is 0 or > MaxOctets + 1 ? -1 : rest.Length;

    /// <summary>Parses a protocol and ports, each as a number or a common name.</summary>
    public static bool TryParse(ref TokenReader tokens, ref RdataBuilder rdata)
    {
        if (!tokens.TryPeek(out ReadOnlySpan<byte> text, out bool isQuoted) || isQuoted
            || !(Protocols.TryFind(text, out ushort protocol) || NumberText.TryParse(text, out protocol))
            || protocol > 255 || !rdata.TryWrite((byte)protocol))
            return rdata.Fail("a protocol: tcp, udp or a number up to 255");
        tokens.Position++;
        Span<byte> ports = stackalloc byte[MaxOctets];
        ports.Clear();
        while (tokens.TryPeek(out text, out isQuoted))
        {
            if (isQuoted || !(Services.TryFind(text, out ushort port) || NumberText.TryParse(text, out port)))
                return rdata.Fail("a port number or the name of a well-known service");
            ports[port >> 3] |= (byte)(0x80 >> (port & 7));
            tokens.Position++;
        }
        return rdata.TryWrite(ports[..(ports.LastIndexOfAnyExcept((byte)0) + 1)]);
    }

    /// <summary>Writes protocol and ports as numbers.</summary>
    public static void Write(ReadOnlySpan<byte> field, ref PresentationWriter writer)
    {
        writer.Write((ulong)field[0]);
        for (int port = 0; port < (field.Length - 1) * 8; port++)
        {
            if ((field[1 + (port >> 3)] & (0x80 >> (port & 7))) == 0) continue;
            writer.Write((byte)' ');
            writer.Write((ulong)port);
        }
    }
}
