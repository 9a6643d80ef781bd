namespace Dns.Dnssec.Keys;

/// <summary>
/// The text of a <c>.key</c> file: comments with times, and one DNSKEY record, possibly over several lines.
/// </summary>
internal sealed class DnskeyText(string path)
{
    private const int FixedWords = 4;

    private readonly List<TextWord> _words = [];

    internal string Path => path;

    internal DomainName Zone { get; private set; } = DomainName.Root;

    internal Dnskey Key { get; private set; } = null!;

    internal uint? Ttl { get; private set; }

    internal KeyTimes Times { get; private set; } = new();

    /// <summary>Reads the text; returns what is wrong with it, or null.</summary>
    internal TextFault? FindFault(string text)
    {
        string[] lines = text.Split('\n');
        for (int i = 0; i < lines.Length; i++) ReadLine(lines[i], i + 1);
        int at = 0;
        if (!DomainName.TryParse(WordAt(at), out DomainName? zone) || _words.Count == 0)
            return Fault(at, TextFaultKind.ZoneName);
        Zone = zone;
        at++;
        if (uint.TryParse(WordAt(at), NumberStyles.None, CultureInfo.InvariantCulture, out uint ttl))
            (Ttl, at) = (ttl, at + 1);
        if (Is(at, "IN")) at++;
        if (Ttl is null && uint.TryParse(WordAt(at), NumberStyles.None, CultureInfo.InvariantCulture, out ttl))
            (Ttl, at) = (ttl, at + 1);
        return Is(at, "DNSKEY") ? FindKeyFault(at + 1) : Fault(at, TextFaultKind.DnskeyType);
    }

    private TextFault? FindKeyFault(int at)
    {
        if (!ushort.TryParse(WordAt(at), NumberStyles.None, CultureInfo.InvariantCulture, out ushort flags))
            return Fault(at, TextFaultKind.Flags);
        if (WordAt(at + 1) != "3") return Fault(at + 1, TextFaultKind.ProtocolNumber);
        string word = WordAt(at + 2);
        if (!byte.TryParse(word, NumberStyles.None, CultureInfo.InvariantCulture, out byte algorithm))
        {
            if (!DnssecAlgorithms.TryParse(word, out DnssecAlgorithm named))
                return Fault(at + 2, TextFaultKind.Algorithm);
            algorithm = (byte)named;
        }
        string digits = string.Concat(_words.Skip(at + FixedWords - 1).Select(part => part.Text));
        byte[] octets = new byte[digits.Length];
        if (!Convert.TryFromBase64String(digits, octets, out int length) || length == 0)
            return Fault(at + FixedWords - 1, TextFaultKind.PublicKey);
        Key = Dnskey.Of(flags, (DnssecAlgorithm)algorithm, octets.AsSpan(0, length));
        return null;
    }

    private void ReadLine(string line, int number)
    {
        int comment = line.IndexOf(';');
        if (comment >= 0) ReadComment(line[(comment + 1)..].Trim());
        TextWord.AddAll(line, number, _words);
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

    private string WordAt(int index) => index < _words.Count ? _words[index].Text : "";

    private bool Is(int index, string word) => WordAt(index).Equals(word, StringComparison.OrdinalIgnoreCase);

    private TextFault Fault(int index, TextFaultKind kind)
    {
        TextWord end = new("", _words.Count == 0 ? 1 : _words[^1].Line, 1);
        return new TextFault(kind, path, index < _words.Count ? _words[index] : end);
    }
}
