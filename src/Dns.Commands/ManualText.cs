namespace Dns.Commands;

/// <summary>Writes a page for man(1) in the macros of man(7).</summary>
internal sealed class ManualText
{
    private readonly StringBuilder _page = new();

    public ManualText(string title, int section)
    {
        string version = typeof(ManualText).Assembly.GetName().Version!.ToString(3);
        _page.Append($".TH {title} {section} \"\" \"dnsd {version}\"\n");
    }

    public ManualText Section(string heading) => Raw($".SH \"{Escape(heading)}\"");

    public ManualText Subsection(string heading) => Raw($".SS \"{Escape(heading)}\"");

    public ManualText Paragraph(string text) => Raw(".PP").Raw(Escape(text));

    /// <summary>A term with its indented definition.</summary>
    public ManualText Term(string term, string meaning) =>
        Raw(".TP").Raw($"\\fB{Escape(term)}\\fR").Raw(Escape(meaning));

    /// <summary>Preformatted lines.</summary>
    public ManualText Verbatim(IEnumerable<string> lines)
    {
        Raw(".PP").Raw(".nf");
        foreach (string line in lines) Raw(Escape(line));
        return Raw(".fi");
    }

    public override string ToString() => _page.ToString();

    /// <summary>Escapes text: no request at the start of a line, no escape sequences, copyable minus signs.</summary>
    private static string Escape(string text)
    {
        string escaped = text.ReplaceLineEndings(" ").Replace("\\", "\\e").Replace("-", "\\-").Replace("\"", "\\(dq");
        return escaped.StartsWith('.') || escaped.StartsWith('\'') ? "\\&" + escaped : escaped;
    }

    private ManualText Raw(string line)
    {
        _page.Append(line).Append('\n');
        return this;
    }
}
