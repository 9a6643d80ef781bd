namespace Dns.Protocol.RecordData;

/// <summary>The syntax of POSIX extended regular expressions (IEEE Std 1003.1 §9.4). Nothing is matched.</summary>
/// <remarks>
/// What POSIX leaves undefined, as an empty alternative or <c>a**</c>, is invalid, but for a brace without a number
/// behind it, which is a character. So is a <c>[</c> in brackets, which some take for a character and others do not.
/// </remarks>
internal static class ExtendedRegularExpression
{
    private const int MaxRepeats = 255;

    /// <summary>The number of groups in parentheses; -1 if the expression is invalid. Never throws; linear.</summary>
    public static int CountGroups(ReadOnlySpan<byte> text)
    {
        int groups = 0, open = 0, at = 0;
        bool hasAtom = false, isRepeatable = false;
        while (at < text.Length)
        {
            byte octet = text[at++];
            bool isBound = octet == '{' && at < text.Length && text[at] is >= (byte)'0' and <= (byte)'9';
            if (isBound || octet is (byte)'*' or (byte)'+' or (byte)'?')
            {
                if (!isRepeatable || isBound && !TrySkipBound(text, ref at)) return -1;
                isRepeatable = false;
                continue;
            }
            isRepeatable = octet is not ((byte)'(' or (byte)'|' or (byte)'^' or (byte)'$');
            if (octet is (byte)'|' or (byte)')')
            {
                if (!hasAtom || octet == ')' && open-- == 0) return -1;
                hasAtom = octet == ')';
                continue;
            }
            hasAtom = octet != '(';
            if (octet == '(') (groups, open) = (groups + 1, open + 1);
            else if (octet == '[' && !TrySkipBracket(text, ref at)) return -1;
            else if (octet == '\\' && !TrySkipEscaped(text, ref at, groups)) return -1;
        }
        return hasAtom && open == 0 ? groups : -1;
    }

    private static bool TrySkipEscaped(ReadOnlySpan<byte> text, ref int at, int groups)
    {
        if (at == text.Length) return false;
        byte escaped = text[at++];
        return escaped is not (>= (byte)'1' and <= (byte)'9') || escaped - '0' <= groups;
    }

    /// <summary>Skips <c>m}</c>, <c>m,}</c> or <c>m,n}</c>.</summary>
    private static bool TrySkipBound(ReadOnlySpan<byte> text, ref int at)
    {
        if (!TrySkipCount(text, ref at, out int least)) return false;
        if (at < text.Length && text[at] == ',')
        {
            at++;
            if (TrySkipCount(text, ref at, out int most) ? most < least : most >= 0) return false;
        }
        return at < text.Length && text[at++] == '}';
    }

    /// <param name="count">The number; -1 if there is none.</param>
    private static bool TrySkipCount(ReadOnlySpan<byte> text, ref int at, out int count)
    {
        count = -1;
        for (; at < text.Length && text[at] is >= (byte)'0' and <= (byte)'9'; at++)
        {
            count = Math.Max(count, 0) * 10 + text[at] - '0';
            if (count > MaxRepeats) return false;
        }
        return count >= 0;
    }

    private static bool TrySkipBracket(ReadOnlySpan<byte> text, ref int at)
    {
        if (at < text.Length && text[at] == '^') at++;
        int first = at;
        while (at < text.Length)
        {
            if (text[at] == ']' && at > first)
            {
                at++;
                return true;
            }
            if (!TrySkipElement(text, ref at, out int from)) return false;
            bool isRange = at + 1 < text.Length && text[at] == '-' && text[at + 1] != ']';
            if (!isRange) continue;
            at++;
            if (from < 0 || !TrySkipElement(text, ref at, out int to) || to < from) return false;
            if (at < text.Length && text[at] == '-') return false;
        }
        return false;
    }

    /// <param name="octet">A character; -1 for a class.</param>
    private static bool TrySkipElement(ReadOnlySpan<byte> text, ref int at, out int octet)
    {
        octet = text[at++];
        if (octet != '[') return true;
        if (at == text.Length || text[at] is not ((byte)':' or (byte)'=' or (byte)'.')) return false;
        byte kind = text[at++];
        ReadOnlySpan<byte> rest = text[at..];
        int length = rest.IndexOf([kind, (byte)']']);
        if (length < 0) return false;
        at += length + 2;
        octet = kind == '.' && length == 1 ? rest[0] : -1;
        return kind == ':' ? IsClass(rest[..length]) : length == 1;
    }

    private static bool IsClass(ReadOnlySpan<byte> name) =>
        name.SequenceEqual("alnum"u8) || name.SequenceEqual("alpha"u8) || name.SequenceEqual("blank"u8)
        || name.SequenceEqual("cntrl"u8) || name.SequenceEqual("digit"u8) || name.SequenceEqual("graph"u8)
        || name.SequenceEqual("lower"u8) || name.SequenceEqual("print"u8) || name.SequenceEqual("punct"u8)
        || name.SequenceEqual("space"u8) || name.SequenceEqual("upper"u8) || name.SequenceEqual("xdigit"u8);
}
