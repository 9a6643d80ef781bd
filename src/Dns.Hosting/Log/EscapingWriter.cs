namespace Dns.Hosting.Log;

/// <summary>
/// Escapes control characters in the output of commands as JSON does, which stays valid: <c>\u001b</c>. Data from
/// elsewhere cannot move the cursor of a terminal, retitle it, or change text direction. Line ends and tabs pass.
/// </summary>
internal sealed class EscapingWriter(TextWriter inner) : TextWriter(CultureInfo.InvariantCulture)
{
    public override Encoding Encoding => inner.Encoding;

    /// <summary>Whether a text needs no escapes.</summary>
    public static bool IsPlain(ReadOnlySpan<char> text)
    {
        while (text.IndexOfAnyExceptInRange(' ', '~') is >= 0 and int at)
        {
            if (!IsPlain(text[at])) return false;
            text = text[(at + 1)..];
        }
        return true;
    }

    public static string Escape(string text)
    {
        StringWriter plain = new();
        new EscapingWriter(plain).Write(text);
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
            if (IsPlain(buffer[at])) inner.Write(buffer[at]);
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

    private static bool IsPlain(char c) => c is '\n' or '\t' || c == '\r' && OperatingSystem.IsWindows()
        || char.GetUnicodeCategory(c) is not (UnicodeCategory.Control or UnicodeCategory.Format
            or UnicodeCategory.LineSeparator or UnicodeCategory.ParagraphSeparator);
}
