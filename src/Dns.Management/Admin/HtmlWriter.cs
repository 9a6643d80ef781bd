using System.Runtime.CompilerServices;
using System.Text;
using System.Text.Encodings.Web;

namespace Dns.Management;

/// <summary>
/// Writes HTML: the literal parts of an interpolated string are markup, and every value in it is escaped as text, so
/// that no data can become markup.
/// </summary>
internal sealed class HtmlWriter
{
    private readonly StringBuilder _text = new();

    /// <summary>Adds markup with escaped values.</summary>
    public void Add([InterpolatedStringHandlerArgument("")] ref Markup markup) => _ = markup;

    /// <inheritdoc/>
    public override string ToString() => _text.ToString();

    /// <summary>The interpolated string handler.</summary>
    [InterpolatedStringHandler]
    internal readonly struct Markup
    {
        private readonly StringBuilder _text;

        public Markup(int literalLength, int formattedCount, HtmlWriter writer) =>
            (_text, _) = (writer._text, literalLength + formattedCount);

        public void AppendLiteral(string markup) => _text.Append(markup);

        public void AppendFormatted(string? value) => _text.Append(HtmlEncoder.Default.Encode(value ?? ""));

        public void AppendFormatted(int value) =>
            _text.Append(System.Globalization.CultureInfo.InvariantCulture, $"{value}");
    }
}
