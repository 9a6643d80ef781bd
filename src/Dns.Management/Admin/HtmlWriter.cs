using System.Text.Encodings.Web;

namespace Dns.Management.Admin;

/// <summary>Writes HTML: literal parts of an interpolated string are markup, every value is escaped as text.</summary>
public sealed class HtmlWriter
{
    private readonly StringBuilder _text = new();

    public void Add([InterpolatedStringHandlerArgument("")] ref Markup markup) => _ = markup;

    public override string ToString() => _text.ToString();

    [InterpolatedStringHandler]
    public readonly struct Markup
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
