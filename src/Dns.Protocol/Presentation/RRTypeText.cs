namespace Dns.Protocol.Presentation;

/// <summary>Mnemonics of record types, and <c>TYPE123</c> for those without one (RFC 3597 §5).</summary>
public static class RRTypeText
{
    /// <summary>The longest text that <see cref="Format(RRType, Span{byte})"/> writes, in octets.</summary>
    public const int MaxChars = 10;

    private static readonly MnemonicTable Mnemonics = new(
        Enum.GetValues<RRType>().Select(type => (Spell(type), (ushort)type)));

    // The only mnemonic that is not an identifier.
    private static string Spell(RRType type) => type == RRType.NSAPPTR ? "NSAP-PTR" : type.ToString();

    /// <summary>Reads a mnemonic or the TYPE form, in any case.</summary>
    /// <returns>False if it is neither, or the number is above 65535.</returns>
    public static bool TryParse(ReadOnlySpan<byte> text, out RRType type)
    {
        type = Frequent(text);
        if (type != 0) return true;
        bool found = Mnemonics.TryFind(text, out ushort value)
            || MnemonicTable.TryParseNumbered(text, "TYPE"u8, out value);
        type = (RRType)value;
        return found;
    }

    // The most frequent types in large zones, in their usual spelling; 0 for others.
    private static RRType Frequent(ReadOnlySpan<byte> text) => text.Length switch
    {
        1 when text[0] == (byte)'A' => RRType.A,
        2 when text.SequenceEqual("NS"u8) => RRType.NS,
        2 when text.SequenceEqual("MX"u8) => RRType.MX,
        2 when text.SequenceEqual("DS"u8) => RRType.DS,
        3 when text.SequenceEqual("TXT"u8) => RRType.TXT,
        3 when text.SequenceEqual("PTR"u8) => RRType.PTR,
        4 when text.SequenceEqual("AAAA"u8) => RRType.AAAA,
        4 when text.SequenceEqual("NSEC"u8) => RRType.NSEC,
        5 when text.SequenceEqual("RRSIG"u8) => RRType.RRSIG,
        5 when text.SequenceEqual("NSEC3"u8) => RRType.NSEC3,
        5 when text.SequenceEqual("CNAME"u8) => RRType.CNAME,
        _ => 0,
    };

    /// <summary>The mnemonic, or the TYPE form. Allocates only for the latter.</summary>
    public static string Format(RRType type) => Mnemonics.Find((ushort)type) ?? $"TYPE{(ushort)type}";

    /// <summary>Writes the same to <see cref="MaxChars"/> octets or more, and returns its length.</summary>
    public static int Format(RRType type, Span<byte> destination) =>
        Encoding.ASCII.GetBytes(Format(type), destination);
}
