namespace Dns.Dnssec.Keys;

/// <summary>A word in a file.</summary>
/// <param name="Text">Empty = the end of the file; null = a place without a word.</param>
internal readonly record struct TextWord(string Text, int Line, int Column)
{
    internal static TextWord LineAt(int line, int column = 1) => new(null!, line, column);

    /// <summary>Adds the words of a line, and returns the number of parentheses opened less those closed.</summary>
    internal static int AddAll(string line, int number, List<TextWord> words)
    {
        int depth = 0, comment = line.IndexOf(';');
        if (comment >= 0) line = line[..comment];
        for (int i = 0; i < line.Length; i++)
        {
            if (line[i] is '(' or ')') depth += line[i] == '(' ? 1 : -1;
            if (line[i] is '(' or ')' || char.IsWhiteSpace(line[i])) continue;
            int end = i;
            while (end < line.Length && !char.IsWhiteSpace(line[end]) && line[end] is not ('(' or ')')) end++;
            words.Add(new TextWord(line[i..end], number, i + 1));
            i = end - 1;
        }
        return depth;
    }
}
