using System.Text;

namespace Dns.Protocol.Tests;

/// <summary>Cuts one line into tokens the way a master file is cut, and parses RDATA from it.</summary>
internal static class TextTokens
{
    public static TextToken[] Of(ReadOnlySpan<byte> text)
    {
        List<TextToken> tokens = [];
        int i = 0;
        while (i < text.Length)
        {
            int start = i;
            if (text[i] == (byte)' ')
            {
                i++;
            }
            else if (text[i] == (byte)'"')
            {
                i = EndOfQuote(text, i);
                tokens.Add(new TextToken(start + 1, i - start - 2, 1, start + 1, IsQuoted: true));
            }
            else
            {
                while (i < text.Length && text[i] != (byte)' ')
                    i = text[i] == (byte)'"'
                        ? EndOfQuote(text, i) : Math.Min(text.Length, i + (text[i] == (byte)'\\' ? 2 : 1));
                tokens.Add(new TextToken(start, i - start, 1, start + 1, IsQuoted: false));
            }
        }
        return [.. tokens];
    }

    private static int EndOfQuote(ReadOnlySpan<byte> text, int i)
    {
        for (i++; text[i] != (byte)'"'; i++)
            if (text[i] == (byte)'\\') i++;
        return i + 1;
    }

    /// <summary>Parses RDATA; names are completed with example.com.</summary>
    public static byte[]? Parse(RRType type, string text, out RdataTextError error)
    {
        byte[] octets = Encoding.Latin1.GetBytes(text);
        TokenReader tokens = new(octets, Of(octets), DomainName.Parse("example.com").Octets);
        byte[] destination = new byte[Rdata.MaxOctets];
        return Rdata.TryParse(type, ref tokens, destination, out int written, out error)
            ? destination[..written] : null;
    }

    /// <summary>Parses RDATA that is expected to be good.</summary>
    public static byte[] Parse(RRType type, string text) =>
        Parse(type, text, out RdataTextError error)
        ?? throw new FormatException($"{type} {text}: token {error.TokenIndex}, expected {error.Expected}");

    public static string Format(RRType type, ReadOnlySpan<byte> rdata) => Rdata.Format(type, rdata);

    public static RRType Type(string mnemonic) =>
        RRTypeText.TryParse(Encoding.Latin1.GetBytes(mnemonic), out RRType type)
            ? type : throw new FormatException(mnemonic);
}
