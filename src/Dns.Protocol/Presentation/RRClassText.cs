namespace Dns.Protocol.Presentation;

/// <summary>Mnemonics of classes, and <c>CLASS32</c> for those without one (RFC 3597 §5).</summary>
public static class RRClassText
{
    /// <summary>The longest text that <see cref="Format(RRClass, Span{byte})"/> writes, in octets.</summary>
    public const int MaxChars = 10;

    private static readonly MnemonicTable Mnemonics = new(
        Enum.GetValues<RRClass>().Select(@class => (@class.ToString(), (ushort)@class)));

    /// <summary>Reads a mnemonic or the CLASS form, in any case.</summary>
    /// <returns>False if it is neither, or the number is above 65535.</returns>
    public static bool TryParse(ReadOnlySpan<byte> text, out RRClass @class)
    {
        bool found = Mnemonics.TryFind(text, out ushort value)
            || MnemonicTable.TryParseNumbered(text, "CLASS"u8, out value);
        @class = (RRClass)value;
        return found;
    }

    /// <summary>The mnemonic, or the CLASS form. Allocates only for the latter.</summary>
    public static string Format(RRClass @class) => Mnemonics.Find((ushort)@class) ?? $"CLASS{(ushort)@class}";

    /// <summary>Writes the same to <see cref="MaxChars"/> octets or more, and returns its length.</summary>
    public static int Format(RRClass @class, Span<byte> destination) =>
        Encoding.ASCII.GetBytes(Format(@class), destination);
}
