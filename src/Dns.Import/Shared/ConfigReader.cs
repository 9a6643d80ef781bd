namespace Dns.Import.Shared;

/// <summary>Reads a configuration and the files that it includes, each with a position in its text.</summary>
internal abstract class ConfigReader(ConfigFiles files, ImportDiagnostics diagnostics)
{
    private int _depth;

    /// <summary>The file that is being read, as it is shown.</summary>
    protected string File { get; private set; } = "";

    protected string Text { get; private set; } = "";

    /// <summary>The position in <see cref="Text"/>.</summary>
    protected int At { get; set; }

    /// <summary>The line of <see cref="At"/>, from 1.</summary>
    protected int Line { get; set; }

    protected bool IsAtEnd => At >= Text.Length;

    /// <summary>Reads the text of one file.</summary>
    protected abstract void ReadText();

    /// <param name="from">The file that includes it; itself if none does.</param>
    /// <param name="line">The line of the include; 0 = none.</param>
    protected void ReadFile(string file, string from, int line)
    {
        if (files.Read(file, from, line) is not { } text) return;
        // No path may have one.
        if (text.Contains('\0'))
        {
            diagnostics.Broken(file, 0, "it has a NUL octet: it is no configuration");
            return;
        }
        var outer = (File, Text, At, Line);
        (File, Text, At, Line) = (file, text, 0, 1);
        _depth++;
        ReadText();
        _depth--;
        (File, Text, At, Line) = outer;
    }

    /// <summary>Reads the files that an include names.</summary>
    protected void Include(string pattern, int line)
    {
        string from = File;
        foreach (string file in files.Included(pattern, from, line, _depth)) ReadFile(file, from, line);
    }

    protected void Broken(int line, string text) => diagnostics.Broken(File, line, text);

    /// <summary>Whether a text stands at the position.</summary>
    protected bool IsAt(string text) => string.CompareOrdinal(Text, At, text, 0, text.Length) == 0;

    /// <summary>Goes forward, and counts lines.</summary>
    protected void GoTo(int at)
    {
        at = Math.Min(at, Text.Length);
        Line += Text.AsSpan(At, at - At).Count('\n');
        At = at;
    }

    /// <summary>Goes behind a text, or to the end; false if there is none.</summary>
    protected bool GoBehind(string text)
    {
        int found = Text.IndexOf(text, At, StringComparison.Ordinal);
        GoTo(found < 0 ? Text.Length : found + text.Length);
        return found >= 0;
    }

    /// <summary>Goes to the end of the line.</summary>
    protected void GoToLineEnd()
    {
        int end = Text.AsSpan(At).IndexOfAny('\n', '\r');
        At = end < 0 ? Text.Length : At + end;
    }
}
