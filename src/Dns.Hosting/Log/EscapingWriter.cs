using System.Globalization;
using System.Text;

namespace Dns.Hosting;

/// <summary>
/// Writes the output of commands, with control characters escaped as <c>\u001b</c>: data of a server, a file or a
/// network cannot move the cursor of a terminal, retitle it, or change text direction. Line ends and tabs pass.
/// </summary>
/// <remarks>The escapes are those of JSON, so JSON stays valid.</remarks>
internal sealed class EscapingWriter(TextWriter inner) : TextWriter(CultureInfo.InvariantCulture)
{
    /// <inheritdoc/>
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

    /// <summary>The escaped text.</summary>
    public static string Escape(string text)
    {
        StringWriter plain = new();
        new EscapingWriter(plain).Write(text);
        return plain.ToString();
    }

    /// <inheritdoc/>
    public override void Write(char value) => Write([value]);

    /// <inheritdoc/>
    public override void Write(string? value) => Write(value.AsSpan());

    /// <inheritdoc/>
    public override void Write(char[] buffer, int index, int count) => Write(buffer.AsSpan(index, count));

    /// <inheritdoc/>
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

    /// <inheritdoc/>
    public override void WriteLine(string? value)
    {
        Write(value.AsSpan());
        WriteLine();
    }

    /// <inheritdoc/>
    public override void WriteLine() => inner.WriteLine();

    /// <inheritdoc/>
    public override void Flush() => inner.Flush();

    private static bool IsPlain(char c) => c is '\n' or '\t' || c == '\r' && OperatingSystem.IsWindows()
        || char.GetUnicodeCategory(c) is not (UnicodeCategory.Control or UnicodeCategory.Format
            or UnicodeCategory.LineSeparator or UnicodeCategory.ParagraphSeparator);
}
