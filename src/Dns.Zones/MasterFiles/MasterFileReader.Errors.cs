namespace Dns.Zones.MasterFiles;

/// <content>Error messages. Each method here returns false.</content>
internal sealed partial class MasterFileReader
{
    private const int MaxShownOctets = 64;

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
        Fail(token, $"found \"{Show(text.Slice(token.Offset, token.Length))}\", expected {expected}");

    private bool FailMissing(ReadOnlySpan<TextToken> tokens, string expected)
    {
        TextToken last = tokens[^1];
        TextToken behind = last with { Column = last.Column + last.Length + (last.IsQuoted ? 2 : 0) };
        return Fail(behind, $"found the end of the line, expected {expected}");
    }

    private bool FailRdata(ReadOnlySpan<byte> text, ReadOnlySpan<TextToken> rdata, RdataTextError error)
    {
        string type = RRTypeText.Format(Type);
        if (error.TokenIndex < rdata.Length)
        {
            TextToken token = rdata[error.TokenIndex];
            string found = Show(text.Slice(token.Offset, token.Length));
            return Fail(token, $"{type}: found \"{found}\", expected {error.Expected}");
        }
        return Fail(
            rdata.IsEmpty ? _first : rdata[^1], $"{type}: found the end of the line, expected {error.Expected}");
    }

    private void WarnOfTtl(uint ttl, TextToken token)
    {
        if (!_log.Keeps(Severity.Warning)) _log.CountMore(Severity.Warning, 1);
        else _log.Warn(At(token), $"found TTL {ttl}, expected at most {MaxTtl} (RFC 2181 §8): served as 0");
    }

    private void WarnOfPortability(string fault)
    {
        string type = RRTypeText.Format(Type);
        if (!_log.Keeps(Severity.Warning)) _log.CountMore(Severity.Warning, 1);
        else _log.Warn(At(_firstOfRdata), $"{type}: found {fault}: secondaries with BIND or Knot may reject the zone");
    }

    /// <summary>Warns of the second word of an SOA if it is written as an address of mail.</summary>
    private void CheckMailbox(ReadOnlySpan<byte> text, ReadOnlySpan<TextToken> rdata)
    {
        if (rdata.Length < 2 || text.Slice(rdata[1].Offset, rdata[1].Length) is not { Length: > 1 } word
            || !word.Contains((byte)'@')) return;
        if (!_log.Keeps(Severity.Warning)) _log.CountMore(Severity.Warning, 1);
        else
            _log.Warn(
                At(rdata[1]), $"SOA: found the mailbox {Show(word)}, expected a dot in place of @ (RFC 1035 §8)");
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
