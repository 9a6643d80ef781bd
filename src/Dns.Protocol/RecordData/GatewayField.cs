namespace Dns.Protocol.RecordData;

/// <summary>A gateway whose form a type octet gives: none, IPv4, IPv6, name (RFC 4025 §2.5, RFC 8777 §4.2).</summary>
/// <remarks><code>
///  IPSECKEY, behind the precedence          AMTRELAY, behind the precedence
///  +--------------+-----------+---------+   +-+------------+---------+
///  | gateway type | algorithm | gateway |   |D| relay type | relay   |
///  +--------------+-----------+---------+   +-+------------+---------+
/// </code></remarks>
internal static class GatewayField
{
    private const byte None = 0, Ipv4 = 1, Ipv6 = 2, Name = 3;
    private const byte DiscoveryOptional = 0x80;

    /// <summary>The length of gateway type, algorithm and gateway, or -1.</summary>
    public static int MeasureIpsec(ReadOnlySpan<byte> rest)
    {
        if (rest.Length < 2) return -1;
        int gateway = MeasureGateway(rest[0], rest[2..]);
        return gateway < 0 ? -1 : gateway + 2;
    }

    /// <summary>The length of discovery bit, relay type and relay, or -1.</summary>
    public static int MeasureRelay(ReadOnlySpan<byte> rest)
    {
        if (rest.IsEmpty) return -1;
        int relay = MeasureGateway((byte)(rest[0] & ~DiscoveryOptional), rest[1..]);
        return relay < 0 ? -1 : relay + 1;
    }

    private static int MeasureGateway(byte type, ReadOnlySpan<byte> rest) => type switch
    {
        None => 0,
        Ipv4 => rest.Length >= 4 ? 4 : -1,
        Ipv6 => rest.Length >= 16 ? 16 : -1,
        Name => WireName.TryMeasure(rest, out int length) ? length : -1,
        _ => -1,
    };

    public static bool TryParseIpsec(ref TokenReader tokens, ref RdataBuilder rdata)
    {
        if (!TryParseType(ref tokens, ref rdata, out byte type)) return false;
        return rdata.TryWrite(type)
            && RdataParser.TryParse(RdataField.Number8, ref tokens, ref rdata)
            && TryParseGateway(type, ref tokens, ref rdata);
    }

    public static bool TryParseRelay(ref TokenReader tokens, ref RdataBuilder rdata)
    {
        if (!tokens.TryPeek(out ReadOnlySpan<byte> text, out bool isQuoted) || isQuoted
            || !NumberText.TryParse(text, 1, out ulong optional))
            return rdata.Fail("0 or 1");
        tokens.Position++;
        return TryParseType(ref tokens, ref rdata, out byte type)
            && rdata.TryWrite((byte)(optional == 0 ? type : type | DiscoveryOptional))
            && TryParseGateway(type, ref tokens, ref rdata);
    }

    private static bool TryParseType(ref TokenReader tokens, ref RdataBuilder rdata, out byte type)
    {
        type = 0;
        if (!tokens.TryPeek(out ReadOnlySpan<byte> text, out bool isQuoted) || isQuoted
            || !NumberText.TryParse(text, out type) || type > Name)
            return rdata.Fail("a gateway type from 0 to 3");
        tokens.Position++;
        return true;
    }

    private static bool TryParseGateway(byte type, ref TokenReader tokens, ref RdataBuilder rdata)
    {
        if (type == Ipv4) return RdataParser.TryParse(RdataField.Ipv4, ref tokens, ref rdata);
        if (type == Ipv6) return RdataParser.TryParse(RdataField.Ipv6, ref tokens, ref rdata);
        if (type == Name) return RdataParser.TryParse(RdataField.Name, ref tokens, ref rdata);
        if (!tokens.TryPeek(out ReadOnlySpan<byte> text, out bool isQuoted) || isQuoted || !text.SequenceEqual("."u8))
            return rdata.Fail("a dot, for no gateway");
        tokens.Position++;
        return true;
    }

    public static void WriteIpsec(ReadOnlySpan<byte> field, ref PresentationWriter writer)
    {
        writer.Write((ulong)field[0]);
        writer.Write((byte)' ');
        writer.Write((ulong)field[1]);
        writer.Write((byte)' ');
        WriteGateway(field[0], field[2..], ref writer);
    }

    public static void WriteRelay(ReadOnlySpan<byte> field, ref PresentationWriter writer)
    {
        int type = field[0] & ~DiscoveryOptional;
        writer.Write(type == field[0] ? "0 "u8 : "1 "u8);
        writer.Write((ulong)type);
        writer.Write((byte)' ');
        WriteGateway((byte)type, field[1..], ref writer);
    }

    private static void WriteGateway(byte type, ReadOnlySpan<byte> gateway, ref PresentationWriter writer)
    {
        if (type == Ipv4) writer.WriteIpv4(gateway);
        else if (type == Ipv6) writer.WriteIpv6(gateway);
        else if (type == Name) writer.WriteName(gateway);
        else writer.Write((byte)'.');
    }
}
