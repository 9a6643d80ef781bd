using System.Text.RegularExpressions;

namespace Dns.Import.Shared;

/// <summary>
/// Reads NSD's nsd.conf, Unbound's unbound.conf and Knot DNS's knot.conf: sections of <c>key: value</c>, in Knot's also
/// lists, an item of which begins with <c>-</c>. Every item is a statement of its own with the section's name. Includes
/// are followed.
/// </summary>
/// <param name="ignoresCase">Whether keys are read in any case, as by NSD: the others refuse capitals.</param>
internal sealed partial class KeyedConfReader(
    ConfigFiles files, ImportDiagnostics diagnostics, bool ignoresCase = false)
{
    private readonly List<(string File, int Line, List<string> Words, List<ConfigStatement> Members)> _sections = [];
    private string _file = "";
    private int _depth;

    public IReadOnlyList<ConfigStatement> Read(string file)
    {
        ReadFile(file, file, 0);
        return [.. _sections
            .Select(section => new ConfigStatement(section.File, section.Line, section.Words, section.Members))];
    }

    private void ReadFile(string file, string from, int line)
    {
        if (files.Read(file, from, line) is not { } text) return;
        string outer = _file;
        _file = file;
        _depth++;
        int number = 0;
        foreach (string content in text.Split('\n'))
        {
            number++;
            List<ConfigWord> words = WordsOf(content, number);
            SeparateKey(words);
            if (words.Count > 0) ReadLine(words, isIndented: char.IsWhiteSpace(content[0]));
        }
        _depth--;
        _file = outer;
    }

    /// <summary>NSD and Unbound take a key without a blank behind it.</summary>
    private void SeparateKey(List<ConfigWord> words)
    {
        if (words is not [{ IsQuoted: false } first, ..] ||
            JoinedKey().Match(first.Text) is not { Success: true } joined || !IsKey(joined.Groups[1].Value)) return;
        words[0] = first with { Text = joined.Groups[1].Value };
        words.Insert(1, first with { Text = joined.Groups[2].Value });
    }

    private void ReadLine(List<ConfigWord> words, bool isIndented)
    {
        bool isItem = words[0] is { IsQuoted: false, Text: "-" };
        if (isItem) words.RemoveAt(0);
        if (words.Count == 0 || !IsKey(words[0]))
        {
            // Neither server reads a map in braces: taken for a value, it would be a zone that is lost.
            bool isMap = words.Count > 0 && words[0] is { IsQuoted: false, Text: ['{', ..] };
            // A value on a line of its own belongs to the key above.
            if (isItem && !isMap && words.Count > 0 && Append(words)) return;
            diagnostics.Broken(_file, words.Count > 0 ? words[0].Line : 0, "expected \"key:\"");
            return;
        }
        if (isItem && _sections.Count > 0) BeginItem(words[0].Line);
        for (int at = 0; at < words.Count;)
        {
            int next = at + 1;
            while (next < words.Count && !IsKey(words[next])) next++;
            ReadPair(words[at].Line, [.. words[at..next].Select(word => word.Text)], isIndented || isItem || at > 0);
            at = next;
        }
    }

    private void ReadPair(int line, List<string> words, bool isInside)
    {
        words[0] = words[0][..^1].ToLowerInvariant();
        if (words is ["include" or "include-toplevel", { } pattern])
        {
            string from = _file;
            foreach (string file in files.Included(pattern, from, line, _depth)) ReadFile(file, from, line);
        }
        else if (words.Count == 1 && (!isInside || Sections.Contains(words[0])))
            _sections.Add((_file, line, words, []));
        else if (_sections.Count == 0)
            diagnostics.Broken(_file, line, $"{words[0]} is in no section");
        else
            _sections[^1].Members.Add(new ConfigStatement(_file, line, words, null));
    }

    /// <summary>An item of the section begins: the first fills the section itself.</summary>
    private void BeginItem(int line)
    {
        var (_, _, words, members) = _sections[^1];
        if (members.Count == 0) _sections.RemoveAt(_sections.Count - 1);
        _sections.Add((_file, line, words, []));
    }

    private bool Append(List<ConfigWord> words)
    {
        if (_sections.Count == 0 || _sections[^1].Members is not [.., { } last]) return false;
        _sections[^1].Members[^1] = last with { Words = [.. last.Words, .. words.Select(word => word.Text)] };
        return true;
    }

    private bool IsKey(ConfigWord word) => !word.IsQuoted && IsKey(word.Text);

    private bool IsKey(string text) =>
        KeyWord().IsMatch(text) && (ignoresCase || !text.Any(char.IsAsciiLetterUpper));

    /// <summary>The words of a line: quotes taken off, brackets and commas of a list left out, comments too.</summary>
    private List<ConfigWord> WordsOf(string line, int number)
    {
        List<ConfigWord> words = [];
        StringBuilder word = new();
        bool isInWord = false;
        for (int at = 0; at < line.Length; at++)
        {
            char c = line[at];
            if (c is '"' or '\'' && word.Length == 0)
            {
                int close = line.IndexOf(c, at + 1);
                if (close < 0) diagnostics.Broken(_file, number, "a quote is not closed");
                if (close < 0) close = line.Length;
                words.Add(new ConfigWord(line[(at + 1)..close], number, true));
                at = close;
            }
            else if (c == '#' && word.Length == 0) break;
            // A bracket within a word belongs to it: %l[0].
            else if ((c == '[' && word.Length > 0) || (c == ']' && isInWord))
            {
                word.Append(c);
                isInWord = c == '[';
            }
            else if (char.IsWhiteSpace(c) || c is ',' or '[' or ']') Flush();
            else word.Append(c);
        }
        Flush();
        return words;

        void Flush()
        {
            if (word.Length > 0) words.Add(new ConfigWord(word.ToString(), number, false));
            word.Clear();
            isInWord = false;
        }
    }

    /// <summary>Sections of nsd.conf and unbound.conf may be indented.</summary>
    private static readonly HashSet<string> Sections = ["server", "zone", "pattern", "key",
        "remote-control", "tls-auth", "verify", "xdp"];

    [GeneratedRegex(@"^([A-Za-z][A-Za-z0-9-]*:)([^:]\S*)$")]
    private static partial Regex JoinedKey();

    [GeneratedRegex(@"^[A-Za-z][A-Za-z0-9-]*:$")]
    private static partial Regex KeyWord();
}
