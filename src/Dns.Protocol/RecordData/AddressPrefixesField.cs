namespace Dns.Protocol.RecordData;

/// <summary>The items of APL, any number (RFC 3123 §4).</summary>
/// <remarks><code>
///  +----------------+--------+-+-----------+--------------------------------------+
///  | address family | prefix |N| length    | address, trailing zero octets left   |
///  |    16 bits     | 8 bits | | 7 bits    | out                                  |
///  +----------------+--------+-+-----------+--------------------------------------+
/// </code>In text: <c>[!]family:address/prefix</c>.</remarks>
internal static class AddressPrefixesField
{
    private const int HeadOctets = 4;
    private const byte Negated = 0x80;
    private const ushort Ipv4 = 1, Ipv6 = 2;

    /// <summary>The length; -1 if an item is incomplete, ends in 0, is of no known family or too long for it.</summary>
    public static int Measure(ReadOnlySpan<byte> rest)
    {
        int position = 0;
        while (position < rest.Length)
        {
            ReadOnlySpan<byte> item = rest[position..];
            if (item.Length < HeadOctets) return -1;
            int addressOctets = AddressOctets(BinaryPrimitives.ReadUInt16BigEndian(item));
            int length = item[3] & ~Negated;
            if (length > addressOctets || item[2] > addressOctets * 8 || item.Length < HeadOctets + length
                || (length > 0 && item[HeadOctets + length - 1] == 0))
                return -1;
            position += HeadOctets + length;
        }
        return position;
    }

    private static int AddressOctets(ushort family) => family switch { Ipv4 => 4, Ipv6 => 16, _ => -1 };

    /// <summary>Reads items up to the end.</summary>
    public static bool TryParse(ref TokenReader tokens, ref RdataBuilder rdata)
    {
        while (tokens.TryPeek(out ReadOnlySpan<byte> text, out bool isQuoted))
        {
            if (isQuoted || !TryParseItem(text, ref rdata))
                return rdata.Fail("an address prefix: [!]1:IPv4/prefix or [!]2:IPv6/prefix");
            tokens.Position++;
        }
        return true;
    }

    private static bool TryParseItem(ReadOnlySpan<byte> text, ref RdataBuilder rdata)
    {
        byte negation = 0;
        if (text.StartsWith((byte)'!'))
        {
            negation = Negated;
            text = text[1..];
        }
        int colon = text.IndexOf((byte)':'), slash = text.IndexOf((byte)'/');
        if (colon < 0 || slash < colon || !NumberText.TryParse(text[..colon], out ushort family)) return false;
        ReadOnlySpan<byte> addressText = text[(colon + 1)..slash];
        Span<byte> address = stackalloc byte[16];
        if (family == Ipv4)
        {
            if (!Ipv4Text.TryParse(addressText, out uint ipv4)) return false;
            BinaryPrimitives.WriteUInt32BigEndian(address, ipv4);
        }
        else if (family != Ipv6 || !Ipv6Text.TryParse(addressText, address))
        {
            return false;
        }
        address = address[..AddressOctets(family)];
        if (!NumberText.TryParse(text[(slash + 1)..], (ulong)address.Length * 8, out ulong prefix)) return false;
        address = address[..(address.LastIndexOfAnyExcept((byte)0) + 1)];
        return rdata.TryWrite(family) && rdata.TryWrite((byte)prefix)
            && rdata.TryWrite((byte)(address.Length | negation)) && rdata.TryWrite(address);
    }

    public static void Write(ReadOnlySpan<byte> field, ref PresentationWriter writer)
    {
        Span<byte> address = stackalloc byte[16];
        for (int position = 0; position < field.Length;)
        {
            ReadOnlySpan<byte> item = field[position..];
            ushort family = BinaryPrimitives.ReadUInt16BigEndian(item);
            int length = item[3] & ~Negated;
            address.Clear();
            item.Slice(HeadOctets, length).CopyTo(address);
            if (position > 0) writer.Write((byte)' ');
            if (length != item[3]) writer.Write((byte)'!');
            writer.Write((ulong)family);
            writer.Write((byte)':');
            if (family == Ipv4) writer.WriteIpv4(address);
            else writer.WriteIpv6(address);
            writer.Write((byte)'/');
            writer.Write((ulong)item[2]);
            position += HeadOctets + length;
        }
    }
}
