namespace Dns.Protocol.RecordData;

/// <summary>
/// An ATM address: a format octet, then either an NSAP-style address (0) or the digits of an E.164
/// number (1), written with a plus sign; dots in either are ignored (ATM Name System 2.0 §5).
/// </summary>
internal static class AtmField
{
    private const byte Aesa = 0, E164 = 1;

    /// <summary>The length, or -1 if the address is missing or an E.164 number has anything but digits.</summary>
    public static int Measure(ReadOnlySpan<byte> rest) =>
        rest.Length < 2 || rest[0] > E164 || (rest[0] == E164 && !RdataWire.AreDigits(rest[1..])) ? -1 : rest.Length;

    public static bool TryParse(ref TokenReader tokens, ref RdataBuilder rdata)
    {
        if (!tokens.TryPeek(out ReadOnlySpan<byte> text, out bool isQuoted) || isQuoted || !TryParse(text, ref rdata))
            return rdata.Fail("an ATM address: + and digits, or pairs of hexadecimal digits");
        tokens.Position++;
        return true;
    }

    private static bool TryParse(ReadOnlySpan<byte> text, ref RdataBuilder rdata)
    {
        if (!text.StartsWith((byte)'+'))
            return rdata.TryWrite(Aesa) && NsapField.TryParseDotted(text, ref rdata);
        if (!rdata.TryWrite(E164)) return false;
        bool hasDigits = false;
        foreach (byte octet in text[1..])
        {
            if (octet == (byte)'.') continue;
            if (!char.IsAsciiDigit((char)octet) || !rdata.TryWrite(octet)) return false;
            hasDigits = true;
        }
        return hasDigits;
    }

    public static void Write(ReadOnlySpan<byte> field, ref PresentationWriter writer)
    {
        if (field[0] == E164)
        {
            writer.Write((byte)'+');
            writer.Write(field[1..]);
            return;
        }
        foreach (byte octet in field[1..]) writer.WriteHex(octet, 2);
    }
}
