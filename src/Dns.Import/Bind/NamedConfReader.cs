namespace Dns.Import.Bind;

/// <summary>
/// Reads BIND's named.conf into statements: words ended by <c>;</c>, blocks in braces, comments of C, C++ and the
/// shell, <c>include</c> followed.
/// </summary>
internal sealed class NamedConfReader(ConfigFiles files, ImportDiagnostics diagnostics)
{
    private const int MaxNesting = 32;

    private string _file = "", _text = "";
    private int _at, _line;
    private int _depth;

    /// <param name="path">The keys of the statements around, each with a space behind it.</param>
    public IReadOnlyList<ConfigStatement> Read(string file, string from = "", int line = 0, string path = "")
    {
        if (files.Read(file, from.Length > 0 ? from : file, line) is not { } text) return [];
        var (oldFile, oldText, oldAt, oldLine) = (_file, _text, _at, _line);
        (_file, _text, _at, _line) = (file, text, 0, 1);
        _depth++;
        List<ConfigStatement> statements = ReadStatements(0, path);
        _depth--;
        (_file, _text, _at, _line) = (oldFile, oldText, oldAt, oldLine);
        return statements;
    }

    /// <param name="path">The keys of the statements around, each with a space behind it.</param>
    private List<ConfigStatement> ReadStatements(int nesting, string path)
    {
        List<ConfigStatement> statements = [];
        List<string> words = [];
        List<ConfigStatement>? block = null;
        int began = 0;
        while (Next() is { } word)
        {
            if (words.Count == 0 && block is null) began = word.Line;
            switch (word)
            {
                case { IsQuoted: false, Text: ";" }:
                    if (words.Count > 0 || block is not null) End(statements, words, block, began, path);
                    (words, block) = ([], null);
                    break;
                case { IsQuoted: false, Text: "{" }:
                    if (nesting >= MaxNesting)
                    {
                        diagnostics.Broken(_file, word.Line, "blocks are nested too deep");
                        return statements;
                    }
                    // A second block of one statement, as in "listen-on { a; } tls { b; }", goes with the first.
                    block = [.. block ?? [], .. ReadStatements(nesting + 1, $"{path}{words.FirstOrDefault()} ")];
                    break;
                case { IsQuoted: false, Text: "}" }:
                    // BIND accepts "server 192.0.2.1 { keys { k1 }; };", and no other block without it.
                    if (path is "server keys " or "view server keys "
                        && statements.Count == 0 && words.Count == 1 && block is null)
                        End(statements, words, block, began, path);
                    else if (words.Count > 0 || block is not null)
                        diagnostics.Broken(_file, word.Line, "\";\" is missing before \"}\"");
                    if (nesting == 0) diagnostics.Broken(_file, word.Line, "\"}\" without \"{\"");
                    else return statements;
                    break;
                default:
                    words.Add(BindKeywords.TextOf(word, words, path));
                    break;
            }
        }
        if (nesting > 0) diagnostics.Broken(_file, _line, "\"}\" is missing at the end");
        else if (words.Count > 0) diagnostics.Broken(_file, _line, "\";\" is missing at the end");
        return statements;
    }

    private void End(List<ConfigStatement> statements, List<string> words, List<ConfigStatement>? block, int line,
        string path)
    {
        ConfigStatement statement = new(_file, line, words, block);
        if (statement is not { Key: "include", Value: { } pattern, Block: null })
        {
            statements.Add(statement);
            return;
        }
        string from = _file;
        foreach (string file in files.Included(pattern, from, line, _depth))
            statements.AddRange(Read(file, from, line, path));
    }

    private ConfigWord? Next()
    {
        SkipBlank();
        if (_at >= _text.Length) return null;
        char first = _text[_at];
        if (first is '{' or '}' or ';')
        {
            _at++;
            return new ConfigWord(first.ToString(), _line, false);
        }
        if (first == '"') return ReadQuoted();
        int start = _at;
        while (_at < _text.Length && !char.IsWhiteSpace(_text[_at]) && !"{};\"".Contains(_text[_at]) && !IsComment())
            _at++;
        return new ConfigWord(_text[start.._at], _line, false);
    }

    private ConfigWord ReadQuoted()
    {
        StringBuilder word = new();
        int line = _line;
        for (_at++; _at < _text.Length && _text[_at] != '"'; _at++)
        {
            if (_text[_at] == '\\' && _at + 1 < _text.Length) _at++;
            if (_text[_at] == '\n') _line++;
            word.Append(_text[_at]);
        }
        if (_at >= _text.Length) diagnostics.Broken(_file, line, "a quote is not closed");
        _at++;
        return new ConfigWord(word.ToString(), line, true);
    }

    /// <summary>Whether a comment of C or C++ begins here; a slash inside an address does not.</summary>
    private bool IsComment() => _text[_at] == '/' && _at + 1 < _text.Length && _text[_at + 1] is '/' or '*';

    private void SkipBlank()
    {
        while (_at < _text.Length)
        {
            if (_text[_at] == '#' || (IsComment() && _text[_at + 1] == '/')) SkipTo("\n");
            else if (IsComment()) SkipTo("*/");
            else if (!char.IsWhiteSpace(_text[_at])) return;
            else if (_text[_at++] == '\n') _line++;
        }
    }

    /// <summary>Goes behind what ends a comment; a line's end stays, to be counted.</summary>
    private void SkipTo(string end)
    {
        int found = _text.IndexOf(end, Math.Min(_at + 2, _text.Length), StringComparison.Ordinal);
        if (end == "\n") found = _text.IndexOf('\n', _at);
        int behind = found < 0 ? _text.Length : end == "\n" ? found : found + end.Length;
        _line += _text.AsSpan(_at, behind - _at).Count('\n');
        _at = behind;
    }
}
