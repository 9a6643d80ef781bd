namespace Dns.Protocol.Presentation;

/// <summary>A token of a logical line in a master file, between blanks or quotes; its escapes are unresolved.</summary>
/// <param name="Offset">Its offset in the text, in octets; behind the opening quote if quoted.</param>
/// <param name="Length">Its length in octets, quotes not counted.</param>
/// <param name="Line">The line it starts on, from 1.</param>
/// <param name="Column">The column it starts on in octets, from 1; that of the opening quote if quoted.</param>
/// <param name="IsQuoted">Whether it was quoted: blanks and dots in it are then plain characters.</param>
public readonly record struct TextToken(int Offset, int Length, int Line, int Column, bool IsQuoted);

/// <summary>A cursor over the tokens of one logical line, to parse RDATA.</summary>
/// <remarks>Borrows the text and the tokens; neither allocates nor throws.</remarks>
public ref struct TokenReader
{
    private readonly ReadOnlySpan<byte> _text;
    private readonly ReadOnlySpan<TextToken> _tokens;

    /// <summary>A reader at the first of <paramref name="tokens"/>.</summary>
    /// <param name="text">The text that the tokens' offsets refer to.</param>
    /// <param name="origin">The origin of relative names: a valid wire name, or empty for none.</param>
    public TokenReader(ReadOnlySpan<byte> text, ReadOnlySpan<TextToken> tokens, ReadOnlySpan<byte> origin)
    {
        _text = text;
        _tokens = tokens;
        Origin = origin;
    }

    /// <summary>The origin of relative names; empty for none.</summary>
    public ReadOnlySpan<byte> Origin { get; }

    /// <summary>Index of the next token; settable to go back.</summary>
    public int Position { get; set; }

    /// <summary>The number of tokens left.</summary>
    public readonly int Remaining => _tokens.Length - Position;

    /// <summary>Takes the next token.</summary>
    /// <returns>False at the end of the line.</returns>
    public bool TryNext(out ReadOnlySpan<byte> text, out bool isQuoted)
    {
        if (!TryPeek(out text, out isQuoted)) return false;
        Position++;
        return true;
    }

    /// <summary>Reads the next token without moving on.</summary>
    public readonly bool TryPeek(out ReadOnlySpan<byte> text, out bool isQuoted)
    {
        if ((uint)Position >= (uint)_tokens.Length)
        {
            text = default;
            isQuoted = false;
            return false;
        }
        TextToken token = _tokens[Position];
        text = _text.Slice(token.Offset, token.Length);
        isQuoted = token.IsQuoted;
        return true;
    }
}
