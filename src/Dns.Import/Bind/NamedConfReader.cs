namespace Dns.Import.Bind;

/// <summary>
/// Reads BIND's named.conf into statements: words ended by <c>;</c>, blocks in braces, comments of C, C++ and the
/// shell, <c>include</c> followed.
/// </summary>
internal sealed class NamedConfReader(ConfigFiles files, ImportDiagnostics diagnostics)
    : ConfigReader(files, diagnostics)
{
    private const int MaxNesting = 32;

    /// <summary>Statements with words behind their block.</summary>
    private static readonly HashSet<string> Continued = ["inet", "unix", "catalog-zones", "response-policy",
        "deny-answer-addresses", "deny-answer-aliases"];

    // What is read goes here; the keys of the statements around it, each with a space behind it.
    private List<ConfigStatement> _statements = [];
    private string _path = "";
    private int _nesting;

    public IReadOnlyList<ConfigStatement> Read(string file)
    {
        ReadFile(file, file, 0);
        return _statements;
    }

    protected override void ReadText() => ReadStatements(isBlock: false);

    private List<ConfigStatement> ReadBlock(string key)
    {
        var outer = (_statements, _path);
        (_statements, _path) = ([], $"{_path}{key} ");
        _nesting++;
        ReadStatements(isBlock: true);
        _nesting--;
        List<ConfigStatement> block = _statements;
        (_statements, _path) = outer;
        return block;
    }

    private void ReadStatements(bool isBlock)
    {
        List<string> words = [];
        List<ConfigStatement>? block = null;
        string marks = "";
        int began = 0;
        while (Next() is { } word)
        {
            bool isEmpty = words.Count == 0 && block is null;
            if (isEmpty && marks.Length == 0) began = word.Line;
            switch (word)
            {
                case { IsQuoted: false, Text: "!" }:
                    if (!isEmpty) Broken(word.Line, "\"!\" does not begin an element");
                    marks += '!';
                    break;
                case { IsQuoted: false, Text: ";" }:
                    if (isEmpty) Broken(word.Line, "\";\" without a statement");
                    else End(words, block, began);
                    (words, block, marks) = ([], null, "");
                    break;
                case { IsQuoted: false, Text: "{" }:
                    if (_nesting >= MaxNesting)
                    {
                        Broken(word.Line, "blocks are nested too deep");
                        At = Text.Length;
                        return;
                    }
                    if (marks.Length > 0) words.Add(marks);
                    marks = "";
                    // A second block of one statement, as of "inet", goes with the first.
                    (block ??= []).AddRange(ReadBlock(words.FirstOrDefault() ?? ""));
                    break;
                case { IsQuoted: false, Text: "}" }:
                    // BIND accepts "server 192.0.2.1 { keys { k1 }; };", and no other block without it.
                    if (_path is "server keys " or "view server keys "
                        && _statements.Count == 0 && words.Count == 1 && block is null) End(words, block, began);
                    else if (!isEmpty || marks.Length > 0) Broken(word.Line, "\";\" is missing before \"}\"");
                    if (isBlock) return;
                    Broken(word.Line, "\"}\" without \"{\"");
                    break;
                default:
                    if (block is not null && !Continued.Contains(words.FirstOrDefault() ?? "") && _path is not
                        ("options catalog-zones " or "view catalog-zones "))
                        Broken(word.Line, "\";\" is missing behind \"}\"");
                    words.Add(marks + BindKeywords.TextOf(word, words, _path));
                    marks = "";
                    break;
            }
        }
        if (isBlock) Broken(Line, "\"}\" is missing at the end");
        else if (words.Count > 0 || block is not null) Broken(Line, "\";\" is missing at the end");
    }

    private void End(List<string> words, List<ConfigStatement>? block, int line)
    {
        ConfigStatement statement = new(File, line, words, block);
        if (statement is { Key: "include", Value: { } pattern, Block: null }) Include(pattern, line);
        else _statements.Add(statement);
    }

    private ConfigWord? Next()
    {
        SkipBlank();
        if (IsAtEnd) return null;
        int line = Line, start = At;
        if (Text[At] == '"') return ReadQuoted();
        if ("{};!".Contains(Text[At])) return new ConfigWord(Text[At++].ToString(), line, false);
        if (Text[At] == '/')
        {
            Broken(line, "a name with a slash needs quotes");
            At++;
        }
        GoToWordEnd();
        string word = Text[start..At];
        if (IsAt("/*")) Broken(line, "a comment needs a blank before it");
        SkipBlank();
        // A slash is a word of its own there, which only networks have: "10.0.0.0 / 8".
        bool isNetwork = !IsAtEnd && Text[At] == '/' && word.All(c => char.IsAsciiHexDigit(c) || c is '.' or ':');
        if (!isNetwork) return new ConfigWord(word, line, false);
        At++;
        SkipBlank();
        start = At;
        GoToWordEnd();
        return new ConfigWord($"{word}/{Text[start..At]}", line, false);
    }

    private void GoToWordEnd()
    {
        while (!IsAtEnd && !char.IsWhiteSpace(Text[At]) && !"{};!\"/#".Contains(Text[At])) At++;
    }

    /// <summary>A backslash before a quote is for that; any other is a character of the string.</summary>
    private ConfigWord ReadQuoted()
    {
        StringBuilder word = new();
        int line = Line;
        for (At++; !IsAtEnd && Text[At] != '"'; GoTo(At + 1))
        {
            if (Text[At] == '\\' && At + 1 < Text.Length && Text[++At] != '"') word.Append('\\');
            word.Append(Text[At]);
        }
        if (IsAtEnd) Broken(line, "a quote is not closed");
        else At++;
        return new ConfigWord(word.ToString(), line, true);
    }

    private void SkipBlank()
    {
        while (!IsAtEnd)
        {
            int line = Line;
            if (Text[At] == '#' || IsAt("//")) GoToLineEnd();
            else if (IsAt("/*"))
            {
                if (!GoBehind("*/")) Broken(line, "a comment is not closed");
            }
            else if (char.IsWhiteSpace(Text[At])) GoTo(At + 1);
            else return;
        }
    }
}
