namespace Dns.Zones.MasterFiles;

/// <content>Names in UTF-8, or with other octets above 127: valid in DNS, but clients query A-labels.</content>
internal sealed partial class MasterFileReader
{
    private bool _isRawNameReported;

    /// <summary>Whether to check names: the file has octets above 127, which were not reported yet.</summary>
    private bool LooksForRawNames => _scanner.HasHighOctets && !_isRawNameReported;

    private void FindRawNames(ReadOnlySpan<byte> text, ReadOnlySpan<TextToken> tokens, int rdataAt, bool hasOwner)
    {
        if (hasOwner) WarnIfRaw(text, tokens[0]);
        for (int i = rdataAt; i < tokens.Length; i++)
            if (!tokens[i].IsQuoted && !Protocol.RecordData.Rdata.TakesText(Type, i - rdataAt))
                WarnIfRaw(text, tokens[i]);
    }

    private void WarnIfRaw(ReadOnlySpan<byte> text, TextToken token)
    {
        ReadOnlySpan<byte> word = text.Slice(token.Offset, token.Length);
        if (_isRawNameReported || Ascii.IsValid(word)) return;
        _isRawNameReported = true;
        string expected =
            ALabelText.Find(word) is { } asked ? $"the A-labels that clients query, {asked}" : "a name in ASCII";
        string found = MasterFileText.Show(word);
        _log.Warn(At(token), $"found \"{found}\", expected {expected} (further ones are not reported)");
    }
}
