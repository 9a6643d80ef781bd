namespace Dns.Zones.MasterFiles;

/// <summary>Tokens and faults of master files as text, for diagnostics.</summary>
internal static class MasterFileText
{
    private const int MaxShownOctets = 64;

    // RFC 1035 §3.3.13.
    private static readonly string[] SoaFields =
        ["MNAME", "RNAME", "SERIAL", "REFRESH", "RETRY", "EXPIRE", "MINIMUM"];

    /// <summary>What was expected in a <c>$GENERATE</c>.</summary>
    public static string Expected(GenerateFault fault) => fault switch
    {
        GenerateFault.Range => $"a range start-stop or start-stop/step of numbers up to {int.MaxValue}",
        GenerateFault.RangeOrder => "a range that does not end before it starts",
        GenerateFault.Step => "a step of at least 1",
        GenerateFault.Counter => "${offset}, ${offset,width} or ${offset,width,base} with base d, o, x, X, n or N",
        _ => "$GENERATE start-stop[/step] owner [ttl] [class] type rdata",
    };

    /// <summary>An error of RDATA.</summary>
    /// <param name="rdata">Its tokens.</param>
    /// <param name="first">The first token of the record.</param>
    public static string Of(
        RdataTextError error, RRType recordType, ReadOnlySpan<byte> text, ReadOnlySpan<TextToken> rdata,
        TextToken first)
    {
        string type = RRTypeText.Format(recordType);
        bool isGeneric = !rdata.IsEmpty && text.Slice(rdata[0].Offset, rdata[0].Length).SequenceEqual("\\#"u8);
        if (recordType == RRType.SOA && !isGeneric && error.TokenIndex < SoaFields.Length)
            type += " " + SoaFields[error.TokenIndex];
        if (error.TokenIndex >= rdata.Length) return $"{type}: found the end of the line, expected {error.Expected}";
        TextToken token = rdata[error.TokenIndex];
        ReadOnlySpan<byte> word = text.Slice(token.Offset, token.Length);
        string octets = word.Length > MaxShownOctets ? $" of {CountOctets(word)} octets" : "";
        // Only values of service parameters are quoted behind other text of the same word.
        bool lacksBlank = !token.IsQuoted && recordType is not (RRType.SVCB or RRType.HTTPS)
            && word.Contains((byte)'"');
        string hint = lacksBlank ? ", and a blank before the quote" : Hint(text, IsHash(text, token) ? token : first);
        return $"{type}: found \"{Show(word)}\"{octets}, expected {error.Expected}{hint}";
    }

    /// <summary>How comments are written, for a token that seems to begin one.</summary>
    public static string Hint(ReadOnlySpan<byte> text, TextToken token) =>
        IsHash(text, token) ? " (comments begin with \";\")" : "";

    /// <summary>Whether a token seems to begin a comment.</summary>
    public static bool IsHash(ReadOnlySpan<byte> text, TextToken token) =>
        !token.IsQuoted && token.Length > 0 && text[token.Offset] == (byte)'#';

    /// <summary>The text of a token, escaped and shortened.</summary>
    public static string Show(ReadOnlySpan<byte> word)
    {
        var shown = new StringBuilder();
        foreach (byte octet in word[..Math.Min(word.Length, MaxShownOctets)])
        {
            if (octet is >= 0x20 and < 0x7F) shown.Append((char)octet);
            else shown.Append('\\').Append(octet.ToString("D3"));
        }
        return word.Length > MaxShownOctets ? shown.Append("...").ToString() : shown.ToString();
    }

    private static int CountOctets(ReadOnlySpan<byte> word)
    {
        int octets = 0;
        for (int i = 0; i < word.Length; octets++)
        {
            bool isNumber = word[i] == (byte)'\\' && i + 1 < word.Length && char.IsAsciiDigit((char)word[i + 1]);
            i += isNumber ? 4 : word[i] == (byte)'\\' ? 2 : 1;
        }
        return octets;
    }
}
