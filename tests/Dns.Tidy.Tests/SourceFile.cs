using System.Text.RegularExpressions;

namespace Dns.Tidy.Tests;

/// <summary>
/// One C# file in the four views that the rules look at. Each view has the length and the line ends of the text.
/// </summary>
internal sealed class SourceFile
{
    public SourceFile(string path, string text)
    {
        Path = path;
        Text = text;
        (Code, Comments) = CSharpText.Split(text);
        Strings = string.Create(text.Length, this, static (view, file) =>
        {
            for (int i = 0; i < view.Length; i++)
                view[i] = file.Code[i] == ' ' && file.Comments[i] == ' ' || file.Text[i] == '\n' ? file.Text[i] : ' ';
        });
    }

    public string Path { get; }

    public string Text { get; }

    /// <summary>The text with comments and the inside of strings blanked.</summary>
    public string Code { get; }

    /// <summary>The text with all but the comments blanked.</summary>
    public string Comments { get; }

    /// <summary>The text with all but the inside of strings blanked.</summary>
    public string Strings { get; }

    public int LineCount => Text.Count(c => c == '\n') + (Text.Length == 0 || Text[^1] == '\n' ? 0 : 1);

    /// <summary>One line per match in <paramref name="view"/>, as <c>path:line: text</c>.</summary>
    public IEnumerable<string> Find(Regex pattern, string view) =>
        pattern.Matches(view).Select(match => $"{Path}:{LineAt(match.Index)}: {OneLine(match.Value)}");

    public int LineAt(int index) => 1 + Text.AsSpan(0, index).Count('\n');

    private static string OneLine(string value) => Regex.Replace(value.Trim(), @"\s+", " ");
}
