namespace Dns.Protocol.RecordData;

/// <summary>Parses RDATA from text, field by field along the type's row.</summary>
/// <remarks>A field that is refused leaves the reader at the offending token.</remarks>
internal static class RdataParser
{
    private const int MaxStringOctets = 255;

    /// <summary>Reads the fields of a row up to the last token.</summary>
    public static bool TryParse(RdataLayout layout, ref TokenReader tokens, ref RdataBuilder rdata)
    {
        foreach (RdataField field in layout.Fields)
            if (!TryParse(field, ref tokens, ref rdata)) return false;
        return tokens.Remaining == 0 || rdata.Fail("the end of the record");
    }

    /// <summary>Reads the rest of <c>\#</c>: a length and as many octets in hexadecimal (RFC 3597 §5).</summary>
    public static bool TryParseGeneric(ref TokenReader tokens, ref RdataBuilder rdata)
    {
        if (!tokens.TryPeek(out ReadOnlySpan<byte> text, out bool isQuoted) || isQuoted
            || !NumberText.TryParse(text, out ushort length))
            return rdata.Fail("the length of the RDATA in octets, 0 to 65535");
        tokens.Position++;
        return TryParseHex(ref tokens, ref rdata, minOctets: 0)
            && (rdata.Length == length || rdata.Fail("as many octets in hexadecimal as the length says"));
    }

    public static bool TryParse(RdataField field, ref TokenReader tokens, ref RdataBuilder rdata) => field switch
    {
        RdataField.Name => TryParseName(ref tokens, ref rdata),
        RdataField.Ipv4 => TryParseIpv4(ref tokens, ref rdata),
        RdataField.Ipv6 => TryParseIpv6(ref tokens, ref rdata),
        RdataField.Number8 => TryParseNumber(ref tokens, ref rdata, sizeof(byte), "a number from 0 to 255"),
        RdataField.Number16 => TryParseNumber(ref tokens, ref rdata, sizeof(ushort), "a number from 0 to 65535"),
        RdataField.Number32 => TryParseNumber(ref tokens, ref rdata, sizeof(uint), "a number from 0 to 4294967295"),
        RdataField.Number64 => TryParseNumber(ref tokens, ref rdata, sizeof(ulong), "a number below 2^64"),
        RdataField.CharacterStrings => TryParseStrings(ref tokens, ref rdata),
        RdataField.CharacterString => TryParseString(ref tokens, ref rdata),
        RdataField.OptionalCharacterString => tokens.Remaining == 0 || TryParseString(ref tokens, ref rdata),
        RdataField.Hex => TryParseHex(ref tokens, ref rdata, minOctets: 1),
        RdataField.Base64 => TryParseBase64(ref tokens, ref rdata, minOctets: 1),
        RdataField.OptionalBase64 => TryParseBase64(ref tokens, ref rdata, minOctets: 0),
        RdataField.Types => TypeBitmap.TryParse(ref tokens, ref rdata),
        RdataField.NonEmptyTypes => tokens.Remaining == 0
            ? rdata.Fail("a record type") : TypeBitmap.TryParse(ref tokens, ref rdata),
        RdataField.NxtBitmap => NxtBitmapField.TryParse(ref tokens, ref rdata),
        RdataField.WellKnownServices => WellKnownServicesField.TryParse(ref tokens, ref rdata),
        RdataField.Location => LocationField.TryParse(ref tokens, ref rdata),
        RdataField.AddressPrefixes => AddressPrefixesField.TryParse(ref tokens, ref rdata),
        RdataField.SvcParams => SvcParamsParser.TryParse(ref tokens, ref rdata),
        RdataField.HostIdentity => HostIdentityField.TryParse(ref tokens, ref rdata),
        RdataField.IpsecGateway => GatewayField.TryParseIpsec(ref tokens, ref rdata),
        RdataField.AmtRelay => GatewayField.TryParseRelay(ref tokens, ref rdata),
        RdataField.Nsap => NsapField.TryParse(ref tokens, ref rdata),
        RdataField.AtmAddress => AtmField.TryParse(ref tokens, ref rdata),
        RdataField.A6 => A6Field.TryParse(ref tokens, ref rdata),
        RdataField.Opaque => rdata.Fail("\\# and the RDATA in hexadecimal (RFC 3597)"),
        _ => RdataWordParser.TryParse(field, ref tokens, ref rdata),
    };

    private static bool TryParseName(ref TokenReader tokens, ref RdataBuilder rdata)
    {
        if (!tokens.TryPeek(out ReadOnlySpan<byte> text, out bool isQuoted) || isQuoted)
            return rdata.Fail("a domain name");
        Span<byte> room = rdata.Room;
        if (room.Length < WireName.MaxOctets) return TryParseLastName(text, ref tokens, ref rdata);
        NameTextError error = NameText.Parse(text, tokens.Origin, room, out int length);
        if (error != NameTextError.None) return rdata.Fail(ExpectedName(error));
        rdata.Advance(length);
        tokens.Position++;
        return true;
    }

    // At the end of 65535 octets the name may not fit.
    private static bool TryParseLastName(ReadOnlySpan<byte> text, ref TokenReader tokens, ref RdataBuilder rdata)
    {
        Span<byte> name = stackalloc byte[WireName.MaxOctets];
        NameTextError error = NameText.Parse(text, tokens.Origin, name, out int length);
        if (error != NameTextError.None) return rdata.Fail(ExpectedName(error));
        if (!rdata.TryWrite(name[..length])) return false;
        tokens.Position++;
        return true;
    }

    private static string ExpectedName(NameTextError error) => error switch
    {
        NameTextError.EmptyLabel => "a domain name without empty labels",
        NameTextError.LabelTooLong => "a domain name with labels of at most 63 octets",
        NameTextError.NameTooLong => "a domain name of at most 255 octets",
        NameTextError.BadEscape => "a domain name whose backslashes precede a character or three digits up to 255",
        NameTextError.NoOrigin => "an absolute domain name, as there is no origin",
        _ => "a domain name",
    };

    private static bool TryParseIpv4(ref TokenReader tokens, ref RdataBuilder rdata)
    {
        if (!tokens.TryPeek(out ReadOnlySpan<byte> text, out bool isQuoted) || isQuoted
            || !Ipv4Text.TryParse(text, out uint address) || !rdata.TryWrite(address))
            return rdata.Fail("an IPv4 address");
        tokens.Position++;
        return true;
    }

    private static bool TryParseIpv6(ref TokenReader tokens, ref RdataBuilder rdata)
    {
        if (!tokens.TryPeek(out ReadOnlySpan<byte> text, out bool isQuoted) || isQuoted
            || !rdata.TryReserve(16, out Span<byte> room) || !Ipv6Text.TryParse(text, room))
            return rdata.Fail("an IPv6 address");
        tokens.Position++;
        return true;
    }

    private static bool TryParseNumber(
        ref TokenReader tokens, ref RdataBuilder rdata, int octets, string expected)
    {
        ulong max = ulong.MaxValue >> (64 - octets * 8);
        if (!tokens.TryPeek(out ReadOnlySpan<byte> text, out bool isQuoted) || isQuoted
            || !NumberText.TryParse(text, max, out ulong value) || !rdata.TryReserve(octets, out Span<byte> room))
            return rdata.Fail(expected);
        for (int i = octets - 1; i >= 0; i--, value >>= 8) room[i] = (byte)value;
        tokens.Position++;
        return true;
    }

    private static bool TryParseStrings(ref TokenReader tokens, ref RdataBuilder rdata)
    {
        do
        {
            if (!TryParseString(ref tokens, ref rdata, isOneOfSeveral: true)) return false;
        }
        while (tokens.Remaining > 0);
        return true;
    }

    private static bool TryParseString(ref TokenReader tokens, ref RdataBuilder rdata, bool isOneOfSeveral = false)
    {
        if (!tokens.TryPeek(out ReadOnlySpan<byte> text, out bool isQuoted)
            || !isQuoted && CharacterStringText.HasQuote(text)) return rdata.Fail("a character-string");
        if (!rdata.TryReserve(1, out Span<byte> count)) return false;
        Span<byte> room = rdata.Room;
        if (!CharacterStringText.TryUnescape(text, room[..Math.Min(room.Length, MaxStringOctets)], out int length))
            return FailString(CharacterStringText.Measure(text), isOneOfSeveral, ref rdata);
        count[0] = (byte)length;
        rdata.Advance(length);
        tokens.Position++;
        return true;
    }

    private static bool FailString(int octets, bool isOneOfSeveral, ref RdataBuilder rdata)
    {
        if (octets < 0) return rdata.Fail("a character-string with valid escapes");
        // A string that is valid by itself exceeds the record.
        if (octets <= MaxStringOctets) return rdata.TryReserve(octets, out _);
        return rdata.Fail(isOneOfSeveral
            ? "character-strings of at most 255 octets: split it, \"first part\" \"second part\""
            : "a character-string of at most 255 octets");
    }

    // Hexadecimal digits may be split into tokens anywhere, also within an octet.
    private static bool TryParseHex(ref TokenReader tokens, ref RdataBuilder rdata, int minOctets)
    {
        const string expected = "pairs of hexadecimal digits";
        int start = rdata.Length, high = -1;
        while (tokens.TryPeek(out ReadOnlySpan<byte> text, out bool isQuoted))
        {
            if (isQuoted) return rdata.Fail(expected);
            foreach (byte octet in text)
            {
                int digit = HexText.Digit(octet);
                if (digit < 0) return rdata.Fail(expected);
                if (high < 0)
                {
                    high = digit;
                    continue;
                }
                if (!rdata.TryWrite((byte)(high << 4 | digit))) return false;
                high = -1;
            }
            tokens.Position++;
        }
        return (high < 0 && rdata.Length - start >= minOctets) || rdata.Fail(expected);
    }

    private static bool TryParseBase64(ref TokenReader tokens, ref RdataBuilder rdata, int minOctets)
    {
        const string expected = "base64";
        Base64Text.Decoder decoder = new(rdata.Room);
        while (tokens.TryPeek(out ReadOnlySpan<byte> text, out bool isQuoted))
        {
            if (isQuoted || !decoder.TryAdd(text)) return rdata.Fail(expected);
            tokens.Position++;
        }
        if (!decoder.IsComplete || decoder.Written < minOctets) return rdata.Fail(expected);
        rdata.Advance(decoder.Written);
        return true;
    }
}
