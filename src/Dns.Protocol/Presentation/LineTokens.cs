namespace Dns.Protocol.Presentation;

/// <summary>Splits a line of presentation text into tokens, as in a record of a master file (RFC 1035 §5.1).</summary>
/// <remarks>Comments, parentheses and line ends are refused outside of quotes. Allocates nothing.</remarks>
internal static class LineTokens
{
    /// <summary>The maximum number of tokens: one octet each, and one between them.</summary>
    public static int MaxCount(int textOctets) => (textOctets + 1) / 2;

    /// <summary>Splits a text.</summary>
    /// <param name="tokens">Room for <see cref="MaxCount"/> tokens.</param>
    /// <param name="error">Where the text is malformed, and what was expected there.</param>
    public static bool TryCut(ReadOnlySpan<byte> text, Span<TextToken> tokens, out int count,
        out RdataSyntaxError error)
    {
        count = 0;
        error = default;
        for (int at = 0; at < text.Length;)
        {
            if (IsBlank(text[at]))
            {
                at++;
                continue;
            }
            int start = at;
            bool isQuoted = text[at] == (byte)'"';
            if (!(isQuoted ? TrySkipQuoted(text, ref at, out error) : TrySkipWord(text, ref at, out error)))
                return false;
            int quote = isQuoted ? 1 : 0;
            tokens[count++] = new TextToken(start + quote, at - start - 2 * quote, 1, start + 1, isQuoted);
        }
        return true;
    }

    /// <summary>Skips a word. Quotes in it, as in <c>key="a b"</c>, belong to it.</summary>
    private static bool TrySkipWord(ReadOnlySpan<byte> text, ref int at, out RdataSyntaxError error)
    {
        error = default;
        while (at < text.Length && !IsBlank(text[at]))
        {
            switch (text[at])
            {
                case (byte)'"':
                    if (!TrySkipQuoted(text, ref at, out error)) return false;
                    break;
                case (byte)';' or (byte)'(' or (byte)')' or (byte)'\n' or (byte)'\r' or 0:
                    error = new RdataSyntaxError(at + 1, "one line without comments and parentheses");
                    return false;
                case (byte)'\\':
                    at = Math.Min(at + 2, text.Length);
                    break;
                default:
                    at++;
                    break;
            }
        }
        return true;
    }

    private static bool TrySkipQuoted(ReadOnlySpan<byte> text, ref int at, out RdataSyntaxError error)
    {
        int open = at++;
        while (at < text.Length)
        {
            byte octet = text[at++];
            if (octet == (byte)'\\') at++;
            if (octet != (byte)'"') continue;
            error = default;
            return true;
        }
        error = new RdataSyntaxError(open + 1, "a closing quotation mark");
        return false;
    }

    private static bool IsBlank(byte octet) => octet is (byte)' ' or (byte)'\t';
}
