namespace Dns.Zones.MasterFiles;

/// <summary>
/// One <c>$GENERATE start-stop[/step] lhs [ttl] [class] type rhs</c> as in BIND: a line of text for each number of the
/// range, with the counter in place of every <c>$</c> of lhs and rhs.
/// </summary>
internal sealed class GenerateDirective
{
    private readonly List<GeneratePart> _parts = [];
    private readonly long _stop;
    private readonly long _step;
    private long _value;
    private byte[] _line = new byte[256];
    private int _length;

    private GenerateDirective(TextToken directive, GenerateRange range)
    {
        Directive = directive;
        (_value, _stop, _step) = (range.Start, range.Stop, range.Step);
    }

    /// <summary>The directive's token: the position of the generated lines in diagnostics.</summary>
    public TextToken Directive { get; }

    public bool IsAtEnd => _value > _stop;

    /// <summary>The last generated line.</summary>
    public ReadOnlySpan<byte> Text => _line.AsSpan(0, _length);

    public long LinesLeft => IsAtEnd ? 0 : (_stop - _value) / _step + 1;

    /// <param name="tokens">The directive's line, including its name.</param>
    /// <param name="directive">Null with a fault.</param>
    /// <param name="at">The wrong token; the number of tokens if one is missing.</param>
    public static GenerateFault Parse(
        ReadOnlySpan<byte> text, ReadOnlySpan<TextToken> tokens, out GenerateDirective? directive, out int at)
    {
        directive = null;
        at = tokens.Length;
        int typeAt = FindType(text, tokens);
        if (typeAt + 1 >= tokens.Length) return GenerateFault.Form;
        at = 1;
        GenerateFault fault = GenerateRange.Parse(Word(text, tokens[1]), out GenerateRange range);
        if (fault != GenerateFault.None) return fault;
        var made = new GenerateDirective(tokens[0], range);
        for (at = 2; at < tokens.Length; at++)
        {
            // The quotes of a single quoted token are only grouping.
            bool isWholeRdata = at == typeAt + 1 && at == tokens.Length - 1;
            bool keepsQuotes = tokens[at].IsQuoted && !isWholeRdata;
            if (at > 2) made.AppendLiteral(" "u8);
            if (keepsQuotes) made.AppendLiteral("\""u8);
            if (!made.TryAppend(Word(text, tokens[at]))) return GenerateFault.Counter;
            if (keepsQuotes) made.AppendLiteral("\""u8);
        }
        directive = made;
        return GenerateFault.None;
    }

    /// <summary>Generates the line of the next number; false if a counter cannot be formatted.</summary>
    public bool TryWriteNext(out long refused)
    {
        refused = 0;
        _length = 0;
        foreach (GeneratePart part in _parts)
        {
            int room = part.Literal.Length + GenerateCounter.MaxChars;
            if (_line.Length - _length < room) Array.Resize(ref _line, _line.Length * 2 + room);
            part.Literal.CopyTo(_line.AsSpan(_length));
            _length += part.Literal.Length;
            if (part.Counter is not { } counter) continue;
            if (!counter.TryFormat(_value, _line.AsSpan(_length), out int written))
            {
                refused = _value + counter.Offset;
                return false;
            }
            _length += written;
        }
        _value += _step;
        return true;
    }

    private static int FindType(ReadOnlySpan<byte> text, ReadOnlySpan<TextToken> tokens)
    {
        int at = 3;
        while (at < tokens.Length && IsTtlOrClass(Word(text, tokens[at]))) at++;
        return at;
    }

    private static bool IsTtlOrClass(ReadOnlySpan<byte> word) =>
        !word.IsEmpty && (char.IsAsciiDigit((char)word[0]) || MasterFileReader.TryParseClass(word, out _));

    private static ReadOnlySpan<byte> Word(ReadOnlySpan<byte> text, TextToken token) =>
        text.Slice(token.Offset, token.Length);

    private void AppendLiteral(ReadOnlySpan<byte> literal) => _parts.Add(new GeneratePart(literal.ToArray(), null));

    private bool TryAppend(ReadOnlySpan<byte> template)
    {
        int start = 0, at = 0;
        while (at < template.Length)
        {
            byte octet = template[at];
            if (octet == (byte)'\\') at += 2;
            else if (octet != (byte)'$') at++;
            else if (at + 1 < template.Length && template[at + 1] == (byte)'$')
            {
                AppendLiteral(template[start..(at + 1)]);
                start = at += 2;
            }
            else
            {
                ReadOnlySpan<byte> literal = template[start..at];
                at++;
                if (!GenerateCounter.TryParse(template, ref at, out GenerateCounter counter)) return false;
                _parts.Add(new GeneratePart(literal.ToArray(), counter));
                start = at;
            }
        }
        AppendLiteral(template[start..]);
        return true;
    }

    private readonly record struct GeneratePart(byte[] Literal, GenerateCounter? Counter);
}
