namespace Dns.Client;

/// <summary>Reads a key of <c>named.conf</c>, the form of key files for dig and nsupdate.</summary>
public static class BindKeyText
{
    /// <summary>
    /// Reads <c>key "NAME" { algorithm A; secret "S"; };</c>, its statements in any order, with comments. False if the
    /// text is anything else, or more.
    /// </summary>
    public static bool TryRead(string text, out string name, out string algorithm, out string secret)
    {
        name = algorithm = secret = "";
        if (Tokens(text).ToArray() is not ["key", var key, "{", .. var body, "}", ";"]) return false;
        name = Word(key);
        for (; body is [var statement, var value, ";", .. var rest]; body = rest)
            if (statement == "algorithm" && algorithm.Length == 0) algorithm = Word(value);
            else if (statement == "secret" && secret.Length == 0) secret = Word(value);
            else return false;
        return body.Length == 0 && name.Length > 0 && algorithm.Length > 0 && secret.Length > 0;
    }

    /// <summary>Words, quoted ones with their first quote, and punctuation; without comments.</summary>
    private static IEnumerable<string> Tokens(string text)
    {
        for (int at = 0, end; at < text.Length; at = end)
        {
            end = at + 1;
            string two = text[at..Math.Min(at + 2, text.Length)];
            if (two is "//" or "/*" || text[at] == '#') end = EndOf(text, at, two == "/*" ? "*/" : "\n");
            else if (text[at] is '{' or '}' or ';') yield return text[at..end];
            else if (text[at] == '"')
            {
                end = EndOf(text, end, "\"");
                yield return text[at..end].TrimEnd('"');
            }
            else if (!char.IsWhiteSpace(text[at]))
            {
                while (end < text.Length && !char.IsWhiteSpace(text[end]) && !"{};\"".Contains(text[end])) end++;
                yield return text[at..end];
            }
        }
    }

    private static int EndOf(string text, int from, string ending) =>
        text.IndexOf(ending, from, StringComparison.Ordinal) is >= 0 and int at ? at + ending.Length : text.Length;

    private static string Word(string token) => token.TrimStart('"');
}
