namespace Dns.Hosting.Log;

/// <summary>
/// Escapes control characters in the output of commands as JSON does, which stays valid: <c>\u001b</c>. Data from
/// elsewhere cannot move the cursor of a terminal, retitle it, or change text direction. Line ends and tabs pass.
/// </summary>
/// <param name="isOneLine">Whether they are escaped too: the text is part of a line.</param>
public sealed class EscapingWriter(TextWriter inner, bool isOneLine = false)
    : TextWriter(CultureInfo.InvariantCulture)
{
    public override Encoding Encoding => inner.Encoding;

    /// <summary>Whether a text needs no escapes as part of a line.</summary>
    public static bool IsPlainPart(ReadOnlySpan<char> text)
    {
        while (text.IndexOfAnyExceptInRange(' ', '~') is >= 0 and int at)
        {
            if (!IsPrinted(text[at])) return false;
            text = text[(at + 1)..];
        }
        return true;
    }

    /// <summary>Escapes a text as part of a line: with a line end of its own it could forge the next one.</summary>
    public static string EscapePart(string text)
    {
        StringWriter plain = new();
        new EscapingWriter(plain, isOneLine: true).Write(text);
        return plain.ToString();
    }

    public override void Write(char value) => Write([value]);

    public override void Write(string? value) => Write(value.AsSpan());

    public override void Write(char[] buffer, int index, int count) => Write(buffer.AsSpan(index, count));

    public override void Write(ReadOnlySpan<char> buffer)
    {
        while (buffer.IndexOfAnyExceptInRange(' ', '~') is >= 0 and int at)
        {
            if (at > 0) inner.Write(buffer[..at]);
            if (IsPrinted(buffer[at]) || !isOneLine && IsLineEndOrTab(buffer[at])) inner.Write(buffer[at]);
            else inner.Write($"\\u{(int)buffer[at]:x4}");
            buffer = buffer[(at + 1)..];
        }
        inner.Write(buffer);
    }

    public override void WriteLine(string? value)
    {
        Write(value.AsSpan());
        WriteLine();
    }

    public override void WriteLine() => inner.WriteLine();

    public override void Flush() => inner.Flush();

    private static bool IsLineEndOrTab(char c) => c is '\n' or '\t' || c == '\r' && OperatingSystem.IsWindows();

    private static bool IsPrinted(char c) =>
        char.GetUnicodeCategory(c) is not (UnicodeCategory.Control or UnicodeCategory.Format
            or UnicodeCategory.LineSeparator or UnicodeCategory.ParagraphSeparator);
}
