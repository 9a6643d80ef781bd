namespace Dns.Dnssec.Keys;

/// <summary>
/// The text of a <c>.key</c> file: comments with times, and one DNSKEY record, possibly over several lines.
/// </summary>
internal sealed class DnskeyText(string path)
{
    private const int FixedWords = 4;

    private readonly List<(string Word, int Line, int Column)> _words = [];

    internal string Path => path;

    internal DomainName Zone { get; private set; } = DomainName.Root;

    internal Dnskey Key { get; private set; } = null!;

    internal uint? Ttl { get; private set; }

    internal KeyTimes Times { get; private set; } = new();

    internal bool TryRead(string text, out string error)
    {
        string[] lines = text.Split('\n');
        for (int i = 0; i < lines.Length; i++) ReadLine(lines[i].TrimEnd('\r'), i + 1);
        error = "";
        int at = 0;
        if (!DomainName.TryParse(WordAt(at), out DomainName? zone) || _words.Count == 0)
            return Fail(at, "the name of a zone", out error);
        Zone = zone;
        at++;
        if (uint.TryParse(WordAt(at), NumberStyles.None, CultureInfo.InvariantCulture, out uint ttl))
            (Ttl, at) = (ttl, at + 1);
        if (Is(at, "IN")) at++;
        if (Ttl is null && uint.TryParse(WordAt(at), NumberStyles.None, CultureInfo.InvariantCulture, out ttl))
            (Ttl, at) = (ttl, at + 1);
        if (!Is(at, "DNSKEY")) return Fail(at, "DNSKEY", out error);
        return TryReadKey(at + 1, out error);
    }

    private bool TryReadKey(int at, out string error)
    {
        error = "";
        if (!ushort.TryParse(WordAt(at), NumberStyles.None, CultureInfo.InvariantCulture, out ushort flags))
            return Fail(at, "flags, a number up to 65535", out error);
        if (WordAt(at + 1) != "3") return Fail(at + 1, "the protocol 3", out error);
        string word = WordAt(at + 2);
        if (!byte.TryParse(word, NumberStyles.None, CultureInfo.InvariantCulture, out byte algorithm))
        {
            if (!DnssecAlgorithms.TryParse(word, out DnssecAlgorithm named))
                return Fail(at + 2, "an algorithm", out error);
            algorithm = (byte)named;
        }
        StringBuilder digits = new();
        for (int i = at + FixedWords - 1; i < _words.Count; i++) digits.Append(_words[i].Word);
        byte[] octets = new byte[digits.Length];
        if (!Convert.TryFromBase64String(digits.ToString(), octets, out int length) || length == 0)
            return Fail(at + FixedWords - 1, "a public key in base 64", out error);
        Key = Dnskey.Of(flags, (DnssecAlgorithm)algorithm, octets.AsSpan(0, length));
        return true;
    }

    private void ReadLine(string line, int number)
    {
        int comment = line.IndexOf(';');
        if (comment >= 0) ReadComment(line[(comment + 1)..].Trim());
        if (comment >= 0) line = line[..comment];
        for (int i = 0; i < line.Length;)
        {
            int end = i;
            while (end < line.Length && line[end] is not (' ' or '\t' or '(' or ')')) end++;
            if (end > i) _words.Add((line[i..end], number, i + 1));
            i = end + 1;
        }
    }

    private void ReadComment(string text)
    {
        foreach (var (name, _, with) in KeyTimeFields.All)
        {
            if (!text.StartsWith(name + ": ", StringComparison.Ordinal)) continue;
            string value = text[(name.Length + 2)..];
            if (KeyTimeFields.TryParse(value.Split(' ')[0], out DateTimeOffset time)) Times = with(Times, time);
        }
    }

    private string WordAt(int index) => index < _words.Count ? _words[index].Word : "";

    private bool Is(int index, string word) => WordAt(index).Equals(word, StringComparison.OrdinalIgnoreCase);

    private bool Fail(int index, string expected, out string error)
    {
        (string word, int line, int column) =
            index < _words.Count ? _words[index] : ("", _words.Count == 0 ? 1 : _words[^1].Line, 1);
        error = $"{path}:{line}:{column}: expected {expected}, found {(word.Length == 0 ? "the end" : $"\"{word}\"")}";
        return false;
    }
}
