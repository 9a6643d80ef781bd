namespace Dns.Protocol.RecordData;

/// <summary>
/// The REGEXP field of NAPTR (RFC 3402 §3.2): a delimiter, an extended regular expression, the delimiter, a
/// replacement, the delimiter, and flags.
/// </summary>
internal static class SubstitutionExpression
{
    /// <summary>Whether an expression is valid. Never throws; linear.</summary>
    public static bool IsValid(ReadOnlySpan<byte> text)
    {
        if (text.IsEmpty || text.Contains((byte)0)) return false;
        byte delimiter = text[0];
        if (delimiter is >= (byte)'0' and <= (byte)'9' or (byte)'\\' or (byte)'i') return false;
        text = text[1..];
        if (!TryCut(ref text, delimiter, out ReadOnlySpan<byte> ere)) return false;
        if (!TryCut(ref text, delimiter, out ReadOnlySpan<byte> replacement)) return false;
        int groups = ExtendedRegularExpression.CountGroups(ere);
        return groups >= 0 && HasReferences(replacement, groups) && text.IndexOfAnyExcept((byte)'i') < 0;
    }

    // A delimiter behind a backslash is part of what it is in.
    private static bool TryCut(ref ReadOnlySpan<byte> text, byte delimiter, out ReadOnlySpan<byte> part)
    {
        part = default;
        int end = 0;
        while (end < text.Length && text[end] != delimiter) end += text[end] == '\\' ? 2 : 1;
        if (end >= text.Length) return false;
        part = text[..end];
        text = text[(end + 1)..];
        return true;
    }

    // \1 to \9 are the groups; \0 is not defined.
    private static bool HasReferences(ReadOnlySpan<byte> replacement, int groups)
    {
        for (int i = 0; i < replacement.Length; i++)
        {
            if (replacement[i] != '\\') continue;
            byte escaped = replacement[++i];
            if (escaped == '0' || escaped is >= (byte)'1' and <= (byte)'9' && escaped - '0' > groups) return false;
        }
        return true;
    }
}
