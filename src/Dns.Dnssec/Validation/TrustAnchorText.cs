namespace Dns.Dnssec.Validation;

/// <summary>Reads trust anchors from a file: DS and DNSKEY records, one a line or in parentheses.</summary>
public static class TrustAnchorText
{
    private const int MaxOctets = 1 << 20;
    private const int LeastWords = 5;

    /// <summary>Reads a file.</summary>
    /// <param name="anchors">The anchors, at least one.</param>
    /// <param name="error">File, line, column and what was expected.</param>
    public static bool TryRead(string path, [NotNullWhen(true)] out IReadOnlyList<TrustAnchor>? anchors,
        out string error)
    {
        anchors = null;
        try
        {
            if (new FileInfo(path).Length <= MaxOctets)
                return TryParse(File.ReadAllText(path, Encoding.Latin1), path, out anchors, out error);
            error = $"{path}: expected at most {MaxOctets} octets";
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            error = $"{path}: {e.Message}";
        }
        return false;
    }

    /// <summary>Reads the text of a file.</summary>
    public static bool TryParse(string text, string path, [NotNullWhen(true)] out IReadOnlyList<TrustAnchor>? anchors,
        out string error)
    {
        List<TrustAnchor> found = [];
        List<Word> words = [];
        string[] lines = text.Split('\n');
        int depth = 0;
        (anchors, error) = (null, "");
        for (int i = 0; i < lines.Length; i++)
        {
            depth += AddWords(lines[i], i + 1, words);
            if (depth > 0 && i + 1 < lines.Length || words.Count == 0) continue;
            if (!TryAdd(words, path, found, out error)) return false;
            words.Clear();
        }
        if (found.Count == 0) error = $"{path}:1:1: expected a DS or DNSKEY record, found none";
        anchors = found;
        return found.Count > 0;
    }

    private static bool TryAdd(List<Word> words, string path, List<TrustAnchor> found, out string error)
    {
        error = "";
        int at = 1;
        if (!DomainName.TryParse(words[0].Text, out DomainName? zone))
            return Fail(path, words[0], "the name of a zone", out error);
        if (at < words.Count && uint.TryParse(words[at].Text, out _)) at++;
        if (at < words.Count && words[at].Text.Equals("IN", StringComparison.OrdinalIgnoreCase)) at++;
        Word kind = words[Math.Min(at, words.Count - 1)];
        bool isDs = kind.Text.Equals("DS", StringComparison.OrdinalIgnoreCase);
        if (!isDs && !kind.Text.Equals("DNSKEY", StringComparison.OrdinalIgnoreCase))
            return Fail(path, kind, "DS or DNSKEY", out error);
        if (words.Count - at < LeastWords) return Fail(path, kind, "four fields behind the type", out error);
        if (!TryReadRdata(isDs ? RRType.DS : RRType.DNSKEY, words[(at + 1)..], out byte[] rdata, out int fault,
            out string expected))
            return Fail(path, words[Math.Clamp(at + 1 + fault, 0, words.Count - 1)], expected, out error);
        if (isDs) found.Add(TrustAnchor.OfDs(zone, rdata));
        else if (Dnskey.TryRead(rdata, out Dnskey? key)) found.Add(TrustAnchor.OfKey(zone, key));
        return true;
    }

    private static bool TryReadRdata(RRType type, List<Word> words, out byte[] rdata, out int fault,
        out string expected)
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
        bool isRead = Rdata.TryParse(type, ref reader, buffer, out int length, out RdataTextError error);
        (rdata, fault, expected) = (buffer[..length], error.TokenIndex, error.Expected ?? "");
        return isRead;
    }

    /// <summary>Adds the words of a line, and returns the number of parentheses opened less those closed.</summary>
    private static int AddWords(string line, int number, List<Word> words)
    {
        int depth = 0, comment = line.IndexOf(';');
        if (comment >= 0) line = line[..comment];
        for (int i = 0; i < line.Length; i++)
        {
            if (line[i] is '(' or ')') depth += line[i] == '(' ? 1 : -1;
            if (line[i] is '(' or ')' || char.IsWhiteSpace(line[i])) continue;
            int end = i;
            while (end < line.Length && !char.IsWhiteSpace(line[end]) && line[end] is not ('(' or ')')) end++;
            words.Add(new Word(line[i..end], number, i + 1));
            i = end - 1;
        }
        return depth;
    }

    private static bool Fail(string path, Word word, string expected, out string error)
    {
        error = $"{path}:{word.Line}:{word.Column}: expected {expected}, found \"{word.Text}\"";
        return false;
    }

    private readonly record struct Word(string Text, int Line, int Column);
}
