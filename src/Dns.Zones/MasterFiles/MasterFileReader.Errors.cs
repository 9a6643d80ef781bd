namespace Dns.Zones.MasterFiles;

/// <content>Error messages. Each method here returns false.</content>
internal sealed partial class MasterFileReader
{
    private const int MaxShownOctets = 64;

    // RFC 1035 §3.3.13.
    private static readonly string[] SoaFields =
        ["MNAME", "RNAME", "SERIAL", "REFRESH", "RETRY", "EXPIRE", "MINIMUM"];

    /// <summary>The position of a token; for generated lines that of the $GENERATE.</summary>
    private FileLocation At(TextToken token)
    {
        if (_generate is not null) token = _generate.Directive;
        return new FileLocation(File, token.Line, token.Column);
    }

    private bool Fail(TextToken token, string message)
    {
        _log.Error(At(token), message);
        return false;
    }

    private bool Fail(ReadOnlySpan<byte> text, TextToken token, string expected) =>
        Fail(token,
            $"found \"{Show(text.Slice(token.Offset, token.Length))}\", expected {expected}{Hint(text, token)}");

    /// <summary>How comments are written, for a token that seems to begin one.</summary>
    private static string Hint(ReadOnlySpan<byte> text, TextToken token) =>
        IsHash(text, token) ? " (comments begin with \";\")" : "";

    private static bool IsHash(ReadOnlySpan<byte> text, TextToken token) =>
        !token.IsQuoted && token.Length > 0 && text[token.Offset] == (byte)'#';

    private bool FailMissing(ReadOnlySpan<TextToken> tokens, string expected)
    {
        TextToken last = tokens[^1];
        TextToken behind = last with { Column = last.Column + last.Length + (last.IsQuoted ? 2 : 0) };
        return Fail(behind, $"found the end of the line, expected {expected}");
    }

    private bool FailRdata(ReadOnlySpan<byte> text, ReadOnlySpan<TextToken> rdata, RdataTextError error)
    {
        string type = RRTypeText.Format(Type);
        bool isGeneric = !rdata.IsEmpty && text.Slice(rdata[0].Offset, rdata[0].Length).SequenceEqual("\\#"u8);
        if (Type == RRType.SOA && !isGeneric && error.TokenIndex < SoaFields.Length)
            type += " " + SoaFields[error.TokenIndex];
        if (error.TokenIndex < rdata.Length)
        {
            TextToken token = rdata[error.TokenIndex];
            ReadOnlySpan<byte> word = text.Slice(token.Offset, token.Length);
            string octets = word.Length > MaxShownOctets ? $" of {CountOctets(word)} octets" : "";
            // Only values of service parameters are quoted behind other text of the same word.
            bool lacksBlank = !token.IsQuoted && Type is not (RRType.SVCB or RRType.HTTPS) && word.Contains((byte)'"');
            string hint = lacksBlank
                ? ", and a blank before the quote" : Hint(text, IsHash(text, token) ? token : _first);
            return Fail(token, $"{type}: found \"{Show(word)}\"{octets}, expected {error.Expected}{hint}");
        }
        return Fail(
            rdata.IsEmpty ? _first : rdata[^1], $"{type}: found the end of the line, expected {error.Expected}");
    }

    private void WarnOfTtl(uint ttl, TextToken token)
    {
        if (!_log.KeepsWarning()) return;
        _log.Warn(At(token), $"found TTL {ttl}, expected at most {MaxTtl} (RFC 2181 §8): served as 0");
    }

    private void WarnOfPortability(string fault)
    {
        if (!_log.KeepsWarning()) return;
        string type = RRTypeText.Format(Type);
        _log.Warn(
            At(_firstOfRdata), $"{type}: found {fault}: secondaries with BIND or Knot may reject the zone");
    }

    /// <summary>Warns of the second word of an SOA if it is written as an address of mail.</summary>
    private void CheckMailbox(ReadOnlySpan<byte> text, ReadOnlySpan<TextToken> rdata)
    {
        if (rdata.Length < 2 || text.Slice(rdata[1].Offset, rdata[1].Length) is not { Length: > 1 } word
            || !word.Contains((byte)'@')) return;
        if (_log.KeepsWarning())
            _log.Warn(
                At(rdata[1]), $"SOA: found the mailbox {Show(word)}, expected a dot in place of @ (RFC 1035 §8)");
    }

    /// <summary>Warns of a comment that is read as an owner, or as strings of a TXT record.</summary>
    private void CheckComment(
        ReadOnlySpan<byte> text, ReadOnlySpan<TextToken> tokens, bool hasOwner, int rdataAt)
    {
        if (hasOwner && IsHash(text, tokens[0])) WarnOfComment(text, tokens[0], "an owner");
        if (Type != RRType.TXT || tokens.Length - rdataAt < 2) return;
        foreach (TextToken token in tokens[(rdataAt + 1)..])
        {
            if (!IsHash(text, token)) continue;
            WarnOfComment(text, token, "a string");
            return;
        }
    }

    private void WarnOfComment(ReadOnlySpan<byte> text, TextToken token, string what)
    {
        if (!_log.KeepsWarning()) return;
        string found = Show(text.Slice(token.Offset, token.Length));
        _log.Warn(At(token), $"found {what} \"{found}\"{Hint(text, token)}");
    }

    /// <summary>Warns of dates of a signature that 32 bits do not hold.</summary>
    private void CheckDates(ReadOnlySpan<byte> text, ReadOnlySpan<TextToken> rdata)
    {
        ReadOnlySpan<byte> last = "21060207062815"u8;
        for (int i = FirstDate; i <= FirstDate + 1 && i < rdata.Length; i++)
        {
            ReadOnlySpan<byte> word = text.Slice(rdata[i].Offset, rdata[i].Length);
            if (word.Length != last.Length || word.SequenceCompareTo(last) <= 0) continue;
            if (_log.KeepsWarning())
                _log.Warn(At(rdata[i]), $"{RRTypeText.Format(Type)}: found the time {Show(word)}, expected at most "
                    + $"{Show(last)}, the last of 32 bits (RFC 4034 §3.1.5): 2^32 seconds earlier is meant");
        }
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

    /// <summary>The text of a token, escaped and shortened for messages.</summary>
    private static string Show(ReadOnlySpan<byte> word)
    {
        var shown = new StringBuilder();
        foreach (byte octet in word[..Math.Min(word.Length, MaxShownOctets)])
        {
            if (octet is >= 0x20 and < 0x7F) shown.Append((char)octet);
            else shown.Append('\\').Append(octet.ToString("D3"));
        }
        return word.Length > MaxShownOctets ? shown.Append("...").ToString() : shown.ToString();
    }
}
