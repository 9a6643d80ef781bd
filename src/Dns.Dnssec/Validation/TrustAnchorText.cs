namespace Dns.Dnssec.Validation;

/// <summary>Reads trust anchors from a file: DS and DNSKEY records, one a line or in parentheses.</summary>
public static class TrustAnchorText
{
    private const int MaxOctets = 1 << 20;
    private const int LeastWords = 5;

    /// <summary>Reads a file.</summary>
    /// <param name="anchors">The anchors, at least one.</param>
    public static bool TryRead(
        string path, [NotNullWhen(true)] out IReadOnlyList<TrustAnchor>? anchors,
        [NotNullWhen(false)] out TextFault? fault)
    {
        List<TrustAnchor> found = [];
        try
        {
            fault = new FileInfo(path).Length <= MaxOctets
                ? FindFault(File.ReadAllText(path, Encoding.Latin1), path, found)
                : new TextFault(TextFaultKind.TooLong, path, detail: $"{MaxOctets}");
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            fault = new TextFault(TextFaultKind.Unreadable, path, detail: e.Message);
        }
        anchors = fault is null ? found : null;
        return anchors is not null;
    }

    private static TextFault? FindFault(string text, string path, List<TrustAnchor> found)
    {
        List<TextWord> words = [];
        string[] lines = text.Split('\n');
        int depth = 0;
        for (int i = 0; i < lines.Length; i++)
        {
            depth += TextWord.AddAll(lines[i], i + 1, words);
            if (depth > 0 && i + 1 < lines.Length || words.Count == 0) continue;
            if (FindFault(words, path, found) is { } fault) return fault;
            words.Clear();
        }
        return found.Count == 0 ? new TextFault(TextFaultKind.Anchor, path, TextWord.LineAt(1)) : null;
    }

    private static TextFault? FindFault(List<TextWord> words, string path, List<TrustAnchor> found)
    {
        int at = 1;
        if (!DomainName.TryParse(words[0].Text, out DomainName? zone))
            return new TextFault(TextFaultKind.ZoneName, path, words[0]);
        if (at < words.Count && uint.TryParse(words[at].Text, out _)) at++;
        if (at < words.Count && words[at].Text.Equals("IN", StringComparison.OrdinalIgnoreCase)) at++;
        TextWord kind = words[Math.Min(at, words.Count - 1)];
        bool isDs = kind.Text.Equals("DS", StringComparison.OrdinalIgnoreCase);
        if (!isDs && !kind.Text.Equals("DNSKEY", StringComparison.OrdinalIgnoreCase))
            return new TextFault(TextFaultKind.AnchorType, path, kind);
        if (words.Count - at < LeastWords) return new TextFault(TextFaultKind.AnchorFields, path, kind);
        if (!TryReadRdata(isDs ? RRType.DS : RRType.DNSKEY, words[(at + 1)..], out byte[] rdata,
            out RdataTextError error))
        {
            TextWord word = words[Math.Clamp(at + 1 + error.TokenIndex, 0, words.Count - 1)];
            return new TextFault(TextFaultKind.AnchorRdata, path, word, error.Expected);
        }
        if (isDs) found.Add(TrustAnchor.OfDs(zone, rdata));
        else if (Dnskey.TryRead(rdata, out Dnskey? key)) found.Add(TrustAnchor.OfKey(zone, key));
        return null;
    }

    private static bool TryReadRdata(RRType type, List<TextWord> words, out byte[] rdata, out RdataTextError error)
    {
        StringBuilder text = new();
        TextToken[] tokens = new TextToken[words.Count];
        for (int i = 0; i < tokens.Length; i++)
        {
            tokens[i] =
                new TextToken(text.Length, words[i].Text.Length, words[i].Line, words[i].Column, IsQuoted: false);
            text.Append(words[i].Text).Append(' ');
        }
        TokenReader reader = new(Encoding.Latin1.GetBytes(text.ToString()), tokens, WireName.Root);
        byte[] buffer = new byte[Rdata.MaxOctets];
        bool isRead = Rdata.TryParse(type, ref reader, buffer, out int length, out error);
        rdata = buffer[..length];
        return isRead;
    }
}
