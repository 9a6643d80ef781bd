namespace Dns.Import.Shared;

/// <summary>
/// Reads nsd.conf and unbound.conf: keys that end in a colon, each with its values. Lines and indentation mean nothing:
/// a section lasts until the next heading.
/// </summary>
internal abstract class KeywordConfReader(ConfigFiles files, ImportDiagnostics diagnostics)
    : SectionConfReader(files, diagnostics)
{
    private const string Blanks = " \t\r\n";

    /// <summary>The characters that a string may stand in.</summary>
    protected abstract string Quotes { get; }

    /// <summary>Whether a string in quotes may have line ends.</summary>
    protected abstract bool HasLongStrings { get; }

    protected abstract bool IsHeading(string key);

    /// <summary>Reads a key, in lower case and without its colon; null if what stands here is none.</summary>
    protected abstract string? ReadKey();

    /// <summary>Reads the values of a key; null, and a diagnostic, if it has too few or too many.</summary>
    protected abstract IReadOnlyList<string>? ReadValues(string key);

    protected sealed override void ReadText()
    {
        while (SkipBlanks())
        {
            int line = Line;
            string? key = ReadKey();
            if (key is "include" or "include-toplevel")
            {
                bool isTop = key == "include-toplevel";
                if (isTop) End();
                if (ReadWord() is { } pattern) Include(pattern.Text, line);
                else Broken(line, $"{key} without a file");
                if (isTop) End();
            }
            else if (key is null)
            {
                Broken(line, "expected \"key:\"");
                GoToLineEnd();
            }
            else if (IsHeading(key)) Begin(key, line);
            else if (ReadValues(key) is { } values) Add(line, [key, .. values]);
        }
    }

    /// <summary>Goes to what is neither blank nor a comment; false at the end.</summary>
    protected bool SkipBlanks()
    {
        while (!IsAtEnd)
            if (Text[At] == '#') GoToLineEnd();
            else if (Blanks.Contains(Text[At])) GoTo(At + 1);
            else return true;
        return false;
    }

    /// <summary>Reads a string, in quotes or without; null at the end or before a character that is in none.</summary>
    protected ConfigWord? ReadWord()
    {
        if (!SkipBlanks()) return null;
        int line = Line, start = At;
        if (Quotes.Contains(Text[At])) return ReadQuoted(Text[At]);
        while (!IsAtEnd && !Blanks.Contains(Text[At]) && !Quotes.Contains(Text[At]) && TakeCharacter()) { }
        return At > start ? new ConfigWord(Text[start..At], line, false) : null;
    }

    /// <summary>A backslash belongs to the string with the character behind it, which is no quote then.</summary>
    private bool TakeCharacter()
    {
        int length = Text[At] == '\\' ? 2 : 1;
        if (length == 2 && (At + 1 >= Text.Length || Text[At + 1] == '\n')) return false;
        GoTo(At + length);
        return true;
    }

    private ConfigWord? ReadQuoted(char quote)
    {
        int line = Line, start = ++At;
        while (!IsAtEnd && Text[At] != quote && (HasLongStrings || Text[At] is not ('\r' or '\n'))
            && TakeCharacter()) { }
        if (IsAtEnd || Text[At] != quote)
        {
            Broken(line, "a quote is not closed");
            GoToLineEnd();
            return null;
        }
        return new ConfigWord(Text[start..At++], line, true);
    }
}
