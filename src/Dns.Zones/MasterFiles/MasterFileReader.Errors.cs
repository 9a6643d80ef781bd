using static Dns.Zones.MasterFiles.MasterFileText;

namespace Dns.Zones.MasterFiles;

/// <content>Error messages. Each method here returns false.</content>
internal sealed partial class MasterFileReader
{
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

    private bool FailMissing(ReadOnlySpan<TextToken> tokens, string expected)
    {
        TextToken last = tokens[^1];
        TextToken behind = last with { Column = last.Column + last.Length + (last.IsQuoted ? 2 : 0) };
        return Fail(behind, $"found the end of the line, expected {expected}");
    }

    private bool FailRdata(ReadOnlySpan<byte> text, ReadOnlySpan<TextToken> rdata, RdataTextError error)
    {
        TextToken token = rdata.IsEmpty ? _first : rdata[Math.Min(error.TokenIndex, rdata.Length - 1)];
        return Fail(token, Of(error, Type, text, rdata, _first));
    }

    private void WarnOfTtl(uint ttl, TextToken token)
    {
        if (!_log.KeepsWarning()) return;
        _log.Warn(At(token), $"found TTL {ttl}, expected at most {MaxTtl} (RFC 2181 §8): served as 0");
    }

    private void WarnOfPortability(string fault)
    {
        if (!_log.KeepsWarning()) return;
        _log.Warn(At(_firstOfRdata),
            $"{RRTypeText.Format(Type)}: found {fault}: secondaries with BIND or Knot may reject the zone");
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
}
