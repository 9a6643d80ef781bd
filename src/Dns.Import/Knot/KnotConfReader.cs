using System.Text.RegularExpressions;

namespace Dns.Import.Knot;

/// <summary>
/// Reads Knot DNS's knot.conf: lines of <c>key: value</c>, below the heading of their section. Those of an item, which
/// begins with <c>-</c>, are indented alike. Every item is a statement of its own with the section's name.
/// </summary>
internal sealed partial class KnotConfReader(ConfigFiles files, ImportDiagnostics diagnostics)
    : SectionConfReader(files, diagnostics)
{
    private const string Escaped = "\\\"";

    /// <summary>Sections without items.</summary>
    private static readonly HashSet<string> Single = ["server", "control", "statistics", "database", "xdp"];

    /// <summary>The first keys of items.</summary>
    private static readonly HashSet<string> Names = ["id", "domain", "target"];

    /// <summary>Keys whose values are added to earlier ones; of others the last value counts.</summary>
    private static readonly HashSet<string> Lists =
        ["listen", "address", "acl", "master", "notify", "remote", "action", "update-type", "update-owner-name",
            "module", "global-module", "whitelist", "parent"];

    // The section, and the columns of its keys and dashes, from 1; 0 = none yet.
    private string _section = "";
    private int _keys, _dashes;
    private bool _isItem;

    protected override void ReadText()
    {
        _section = "";
        while (!IsAtEnd)
        {
            int line = Line, start = At;
            GoToLineEnd();
            string content = Text[start..At];
            if (content.Contains('\t')) Broken(line, "a tabulator: expected blanks");
            else if (Item().Match(content) is { Success: true } item) ReadItem(line, item.Groups);
            else if (!Blank().IsMatch(content)) Broken(line, "expected \"key: value\"");
            GoTo(At + 1);
        }
        _section = "";
    }

    private void ReadItem(int line, GroupCollection groups)
    {
        string key = groups["key"].Value;
        string[] values = [.. groups["value"].Captures.Select(value => ValueOf(value.Value))];
        int column = groups["key"].Index;
        if (column > 0) ReadMember(line, key, values, column, groups["dash"]);
        else if (key == "include" && values is [var pattern]) Include(pattern, line);
        else if (values.Length > 0) Broken(line, $"{key} is in no section");
        else
        {
            (_section, _keys, _dashes, _isItem) = (key, 0, 0, false);
            if (Single.Contains(key)) Begin(key, line);
            else End();
        }
    }

    private void ReadMember(int line, string key, string[] values, int column, Group dash)
    {
        bool isSingle = Single.Contains(_section);
        bool isIndented = dash.Success ? _dashes is 0 || _dashes == dash.Index + 1 : _keys is 0 || _keys == column;
        if (_section.Length == 0) Broken(line, $"{key} is in no section");
        else if (!isIndented) Broken(line, $"{key} is not indented as the lines before it");
        else if (dash.Success ? isSingle || !Names.Contains(key) || values.Length != 1 : !isSingle && !_isItem)
            Broken(line, dash.Success ? $"an item of {_section} does not begin with {key}"
                : $"{key} is in no item of {_section}");
        else
        {
            _keys = column;
            if (dash.Success)
            {
                Begin(_section, line);
                (_dashes, _isItem) = (dash.Index + 1, true);
            }
            Add(line, [key, .. values], Lists.Contains(key) || key == "key" && _section == "acl");
        }
    }

    private static string ValueOf(string text) =>
        (text.StartsWith('"') ? text[1..^1] : text).Replace(Escaped, "\"", StringComparison.Ordinal);

    /// <summary>A word, or a string in quotes.</summary>
    private const string Value =
        """(?<value>(?:[^\s"#\[\],\\\x00-\x1f\x7f]|\\[ -~])+|"(?:[^"\\\x00-\x1f]|\\[ -~])*")""";

    /// <summary>A list of values stands in brackets. A comment needs a blank before it.</summary>
    [GeneratedRegex(@"^ *(?:(?<dash>-) +)?(?<key>[A-Za-z0-9\\/._*][A-Za-z0-9\\/._*-]*) *:(?: +(?:" + Value
        + @"|\[ *" + Value + "(?: *, *" + Value + @")* *\]))?(?: +#.*| *)$")]
    private static partial Regex Item();

    [GeneratedRegex(@"^ *(#.*)?$")]
    private static partial Regex Blank();
}
