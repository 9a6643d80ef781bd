namespace Dns.Tidy.Tests;

/// <summary>
/// Tells code, comments and string contents of a C# text apart, well enough for the rules here: strings of every kind
/// (verbatim, raw, interpolated with code in the holes), characters, line and block comments.
/// </summary>
internal ref struct CSharpText
{
    private readonly ReadOnlySpan<char> text;
    private readonly char[] code;
    private readonly char[] comments;
    private int position;

    private CSharpText(string text)
    {
        this.text = text;
        code = text.ToCharArray();
        comments = text.ToCharArray();
        for (int i = 0; i < text.Length; i++)
        {
            Blank(comments, i);
        }
    }

    public static (string Code, string Comments) Split(string text)
    {
        CSharpText reader = new(text);
        reader.ReadCode(holeEnd: false);
        return (new string(reader.code), new string(reader.comments));
    }

    private readonly char At(int index) => index < text.Length ? text[index] : '\0';

    private readonly int CountRun(char c)
    {
        int n = 0;
        while (At(position + n) == c)
        {
            n++;
        }
        return n;
    }

    private static void Blank(char[] view, int index)
    {
        if (view[index] is not ('\n' or '\r'))
        {
            view[index] = ' ';
        }
    }

    /// <summary>Reads code up to the end, or up to the brace that ends an interpolation hole.</summary>
    private void ReadCode(bool holeEnd)
    {
        int depth = 0;
        while (position < text.Length)
        {
            char c = text[position];
            if (holeEnd && c == '}' && depth == 0)
            {
                return;
            }
            depth += c == '{' ? 1 : c == '}' ? -1 : 0;
            if (c == '/' && At(position + 1) == '/')
            {
                ReadComment("\n");
            }
            else if (c == '/' && At(position + 1) == '*')
            {
                ReadComment("*/");
            }
            else if (c == '\'')
            {
                ReadCharacter();
            }
            else if (c is '"' or '$' or '@' && TryReadString())
            {
                continue;
            }
            else
            {
                position++;
            }
        }
    }

    private void ReadComment(string terminator)
    {
        int start = position;
        int found = text[(start + 2)..].IndexOf(terminator);
        position = found < 0 ? text.Length : start + 2 + found + (terminator == "\n" ? 0 : terminator.Length);
        for (int i = start; i < position; i++)
        {
            comments[i] = text[i];
            Blank(code, i);
        }
    }

    private void ReadCharacter()
    {
        for (position++; position < text.Length && text[position] is not ('\'' or '\n'); position++)
        {
            Blank(code, position);
            if (text[position] == '\\')
            {
                Blank(code, ++position);
            }
        }
        position++;
    }

    private bool TryReadString()
    {
        int start = position;
        int dollars = 0;
        bool verbatim = false;
        for (; At(position) is '$' or '@'; position++)
        {
            dollars += text[position] == '$' ? 1 : 0;
            verbatim |= text[position] == '@';
        }
        int quotes = CountRun('"');
        if (quotes == 0)
        {
            position = start + 1;
            return true;
        }
        bool raw = quotes >= 3;
        position += raw ? quotes : 1;
        ReadStringBody(raw ? quotes : 1, raw, verbatim, dollars);
        return true;
    }

    private void ReadStringBody(int quotes, bool raw, bool verbatim, int dollars)
    {
        while (position < text.Length)
        {
            char c = text[position];
            if (c == '"')
            {
                int run = CountRun('"');
                if (raw ? run >= quotes : !verbatim || run % 2 == 1)
                {
                    position += raw || verbatim ? run : 1;
                    return;
                }
                BlankRun(raw || verbatim ? run : 1);
            }
            else if (c == '{' && dollars > 0)
            {
                ReadBrace(raw, dollars);
            }
            else
            {
                BlankRun(c == '\\' && !raw && !verbatim ? 2 : 1);
            }
        }
    }

    private void ReadBrace(bool raw, int dollars)
    {
        int run = CountRun('{');
        int needed = raw ? dollars : 1;
        if (raw ? run < needed : run % 2 == 0)
        {
            BlankRun(run);
            return;
        }
        position += run;
        ReadCode(holeEnd: true);
        position += needed;
    }

    private void BlankRun(int count)
    {
        for (; count > 0 && position < text.Length; count--)
        {
            Blank(code, position++);
        }
    }
}
