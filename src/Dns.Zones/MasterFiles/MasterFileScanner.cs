using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using Dns.Protocol;

namespace Dns.Zones;

/// <summary>What <see cref="MasterFileScanner.Next"/> came to.</summary>
internal enum ScanResult : byte
{
    /// <summary>A logical line with at least one token.</summary>
    Line,
    /// <summary>Something that no line can hold; the scanner goes on behind it.</summary>
    Error,
    /// <summary>The end of the file.</summary>
    End,
}

/// <summary>
/// Cuts a master file into logical lines of tokens (RFC 1035 §5.1): joins what parentheses hold together, drops
/// comments, and keeps escapes as they are for whoever takes the token.
/// </summary>
/// <remarks>
/// A logical line is always contiguous in the buffer, which slides over the file and grows for long lines up
/// to <see cref="MaxLineOctets"/>. Tokens and text are valid until the next call. A quote in the middle of a
/// token (<c>alpn="h2 h3"</c>) belongs to the token, with the blanks up to the next quote.
/// </remarks>
internal sealed partial class MasterFileScanner : IDisposable
{
    /// <summary>The longest logical line: the largest RDATA fits with every octet as \DDD on a line of its own.</summary>
    public const int MaxLineOctets = 4 << 20;

    private enum Outcome : byte
    {
        Line, Error, End, NeedsMore,
    }

    private TextToken[] _tokens;
    private int _tokenCount;
    private int _line = 1;
    private int _next;
    private int _nextLine;

    // Where the quote or the outermost parenthesis stands that is open: offset -1 for none.
    private int _openOffset;
    private int _openLine;
    private int _openColumn;
    private bool _openIsQuote;

    /// <summary>The text that the tokens' offsets count in.</summary>
    public ReadOnlySpan<byte> Text => _buffer.AsSpan(0, _end);

    /// <summary>The tokens of the line.</summary>
    public ReadOnlySpan<TextToken> Tokens => _tokens.AsSpan(0, _tokenCount);

    /// <summary>Whether the line began with a blank, and so has no owner of its own.</summary>
    public bool StartsBlank { get; private set; }

    /// <summary>Where the error is, and what it is.</summary>
    public (int Line, int Column, string Message) Error { get; private set; }

    /// <summary>The line the scanner has come to; at the end of the file its last line.</summary>
    public int LastLine => Math.Max(1, _start == _end && IsLineStart(_start) ? _line - 1 : _line);

    /// <summary>Goes to the next logical line that holds anything.</summary>
    public ScanResult Next()
    {
        _start = _next;
        _line = _nextLine;
        _tokenCount = 0;
        if (_isAbandoned || (_resync != Resync.None && !TryResync())) return ScanResult.End;
        for (;;)
        {
            Outcome outcome = Scan();
            if (outcome == Outcome.NeedsMore)
            {
                if (TryFill()) continue;
                outcome = FailUnclosedFar($"a line of more than {MaxLineOctets >> 20} MiB");
            }
            if (outcome == Outcome.End) (_next, _nextLine) = (_start, _line);
            return (ScanResult)outcome;
        }
    }

    private Outcome Scan()
    {
        byte[] text = _buffer;
        int at = _start, line = _line, lineStart = at, depth = 0;
        _tokenCount = 0;
        _openOffset = -1;
        StartsBlank = text[at] is (byte)' ' or (byte)'\t';
        for (;;)
        {
            byte octet = text[at];
            if (octet > (byte)')' && octet != (byte)';')
            {
                Outcome outcome = TakeToken(ref at, ref line, ref lineStart);
                if (outcome != Outcome.Line) return outcome;
                continue;
            }
            switch (octet)
            {
                case (byte)' ' or (byte)'\t' or (byte)'\r':
                    at++;
                    break;
                case (byte)'\n':
                    if (at == _end) return AtEnd(at, line, depth);
                    at++;
                    line++;
                    lineStart = at;
                    if (depth > 0) break;
                    if (_tokenCount > 0)
                    {
                        (_next, _nextLine) = (at, line);
                        return Outcome.Line;
                    }
                    (_start, _line) = (at, line);
                    StartsBlank = text[at] is (byte)' ' or (byte)'\t';
                    break;
                case (byte)';':
                    at += text.AsSpan(at, _end + 1 - at).IndexOfAny((byte)'\n', (byte)0);
                    break;
                case (byte)'(':
                    if (depth++ == 0) SetOpen(at, line, at - lineStart + 1, isQuote: false);
                    at++;
                    break;
                case (byte)')':
                    if (depth == 0) return Fail(at, line, at - lineStart + 1, "found \")\" without a \"(\" before it");
                    if (--depth == 0) _openOffset = -1;
                    at++;
                    break;
                case 0:
                    return Fail(at, line, at - lineStart + 1, "found a NUL byte, expected text (write it as \\000)");
                default:
                    Outcome outcome = octet == (byte)'"'
                        ? TakeQuoted(ref at, ref line, ref lineStart)
                        : TakeToken(ref at, ref line, ref lineStart);
                    if (outcome != Outcome.Line) return outcome;
                    break;
            }
        }
    }

    private Outcome AtEnd(int at, int line, int depth)
    {
        if (!_isFinal) return Outcome.NeedsMore;
        if (depth > 0) return FailUnclosedFar("the end of the file");
        if (_tokenCount == 0)
        {
            (_start, _line) = (at, line);
            return Outcome.End;
        }
        (_next, _nextLine) = (at, line);
        return Outcome.Line;
    }

    private Outcome TakeToken(ref int at, ref int line, ref int lineStart)
    {
        byte[] text = _buffer;
        int offset = at, firstLine = line, column = at - lineStart + 1;
        for (;;)
        {
            at = FindStop(text, at);
            byte stop = text[at];
            if (stop == (byte)'\\')
            {
                if (at + 1 == _end && !_isFinal) return Outcome.NeedsMore;
                // A backslash at the end of a line escapes nothing; whoever takes the token says so.
                at += text[at + 1] is (byte)'\n' or (byte)'\r' or 0 ? 1 : 2;
            }
            else if (stop == (byte)'"')
            {
                Outcome outcome = SkipQuoted(ref at, ref line, ref lineStart);
                if (outcome != Outcome.Line) return outcome;
            }
            else if (stop is > 0 and < (byte)' ' and not ((byte)'\t' or (byte)'\n' or (byte)'\r')) at++;
            else break;
        }
        Push(new TextToken(offset, at - offset, firstLine, column, IsQuoted: false));
        return Outcome.Line;
    }

    private Outcome TakeQuoted(ref int at, ref int line, ref int lineStart)
    {
        int offset = at + 1, firstLine = line, column = at - lineStart + 1;
        Outcome outcome = SkipQuoted(ref at, ref line, ref lineStart);
        if (outcome == Outcome.Line)
            Push(new TextToken(offset, at - 1 - offset, firstLine, column, IsQuoted: true));
        return outcome;
    }

    /// <summary>Moves behind the quote that closes the one at <paramref name="at"/>.</summary>
    private Outcome SkipQuoted(ref int at, ref int line, ref int lineStart)
    {
        byte[] text = _buffer;
        (int Offset, int Line, int Column, bool IsQuote) outer = (_openOffset, _openLine, _openColumn, _openIsQuote);
        int firstLine = line;
        SetOpen(at, line, at - lineStart + 1, isQuote: true);
        at++;
        for (;;)
        {
            at += text.AsSpan(at, _end + 1 - at).IndexOfAny(QuoteStops);
            switch (text[at])
            {
                case (byte)'\\':
                    if (at + 1 < _end && text[at + 1] is not ((byte)'\n' or 0)) at++;
                    at++;
                    break;
                case (byte)'\n':
                    if (at == _end) return _isFinal ? FailUnclosedFar("the end of the file") : Outcome.NeedsMore;
                    at++;
                    line++;
                    lineStart = at;
                    break;
                case 0:
                    return Fail(at, line, at - lineStart + 1, "found a NUL byte, expected text (write it as \\000)");
                default:
                    at++;
                    if (at == _end && !_isFinal) return Outcome.NeedsMore;
                    // A string may span lines (RFC 1035 §5.1). Where text follows its end directly, the quote
                    // that "ends" it much more likely begins another, and the first one was never closed.
                    if (line > firstLine && !IsDelimiter(text[at])) return FailUnclosed("text right behind it");
                    (_openOffset, _openLine, _openColumn, _openIsQuote) = outer;
                    return Outcome.Line;
            }
        }
    }

    /// <summary>
    /// The first octet from <paramref name="at"/> on that may end a token: blank, control, quote, parenthesis,
    /// semicolon or backslash.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int FindStop(byte[] text, int at)
    {
        // The newline behind the text stops the search, and the buffer has Slack octets from there on: every
        // load that begins at or before that newline lies inside the buffer.
        ref byte first = ref MemoryMarshal.GetArrayDataReference(text);
        for (; ; at += Vector128<byte>.Count)
        {
            Vector128<byte> octets = Vector128.LoadUnsafe(ref first, (nuint)at);
            Vector128<byte> stops = Vector128.LessThanOrEqual(octets, Vector128.Create((byte)' '))
                | Vector128.Equals(octets & Vector128.Create((byte)0xFE), Vector128.Create((byte)'('))
                | Vector128.Equals(octets, Vector128.Create((byte)'"'))
                | Vector128.Equals(octets, Vector128.Create((byte)';'))
                | Vector128.Equals(octets, Vector128.Create((byte)'\\'));
            if (stops == Vector128<byte>.Zero) continue;
            return at + System.Numerics.BitOperations.TrailingZeroCount(stops.ExtractMostSignificantBits());
        }
    }

    private static bool IsDelimiter(byte octet) =>
        octet is (byte)' ' or (byte)'\t' or (byte)'\r' or (byte)'\n' or (byte)'(' or (byte)')' or (byte)';';

    private void SetOpen(int offset, int line, int column, bool isQuote) =>
        (_openOffset, _openLine, _openColumn, _openIsQuote) = (offset, line, column, isQuote);

    private void Push(TextToken token)
    {
        if (_tokenCount == _tokens.Length) GrowTokens();
        _tokens[_tokenCount++] = token;
    }
}
