using System.Runtime.Intrinsics;

namespace Dns.Zones.MasterFiles;

/// <summary>The result of <see cref="MasterFileScanner.Next"/>.</summary>
internal enum ScanResult : byte
{
    /// <summary>A logical line with at least one token.</summary>
    Line,
    /// <summary>A syntax error; the scanner continues after it.</summary>
    Error,
    /// <summary>The end of the file.</summary>
    End,
}

/// <summary>
/// Cuts a master file into logical lines of tokens (RFC 1035 §5.1): joins lines within parentheses, drops comments, and
/// leaves escapes to the parser of the token.
/// </summary>
/// <remarks>
/// A logical line is always contiguous in the buffer, which slides over the file and grows for long lines up
/// to <see cref="MaxLineOctets"/>. Tokens and text are valid until the next call. A quote in the middle of a
/// token (<c>alpn="h2 h3"</c>) belongs to the token, with the blanks up to the next quote.
/// </remarks>
internal sealed partial class MasterFileScanner : IDisposable
{
    /// <summary>Maximum octets of a logical line: the largest RDATA fits, each octet as \DDD on its own line.</summary>
    public const int MaxLineOctets = 4 << 20;

    private const string NulMessage = "found a NUL byte, expected text (write it as \\000)";

    private enum Outcome : byte
    {
        Line, Error, End, NeedsMore, Continue,
    }

    private TextToken[] _tokens;
    private int _tokenCount;
    private int _line = 1;
    private int _next;
    private int _nextLine;

    // How far the line has been scanned: offset, line number, start of that line, and open parentheses.
    private int _at;
    private int _scanLine;
    private int _lineStart;
    private int _depth;

    // The position of the open quote or outermost parenthesis: offset -1 for none.
    private int _openOffset;
    private int _openLine;
    private int _openColumn;
    private bool _openIsQuote;

    /// <summary>The text to which the tokens' offsets refer.</summary>
    public ReadOnlySpan<byte> Text => _buffer.AsSpan(0, _end);

    public ReadOnlySpan<TextToken> Tokens => _tokens.AsSpan(0, _tokenCount);

    /// <summary>Whether the line began with a blank, and so inherits its owner.</summary>
    public bool StartsBlank { get; private set; }

    public (int Line, int Column, string Message) Error { get; private set; }

    /// <summary>The current line; at the end of the file the last one.</summary>
    public int LastLine => Math.Max(1, _start == _end && IsLineStart(_start) ? _line - 1 : _line);

    /// <summary>Moves to the next logical line with tokens.</summary>
    public ScanResult Next()
    {
        _start = _next;
        _line = _nextLine;
        _tokenCount = 0;
        if (_isUtf16 && !_isAbandoned)
        {
            // Else each line would be an error, since every other octet is NUL.
            _isAbandoned = true;
            Error = (1, 1, "found UTF-16, expected UTF-8");
            return ScanResult.Error;
        }
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

    // The first pass over a file must be fast too, so tiered compilation is skipped.
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private Outcome Scan()
    {
        byte[] text = _buffer;
        int at = _start;
        _tokenCount = 0;
        _openOffset = -1;
        _depth = 0;
        (_scanLine, _lineStart) = (_line, at);
        StartsBlank = text[at] is (byte)' ' or (byte)'\t';
        for (;;)
        {
            byte octet = text[at];
            if (octet is (byte)' ' or (byte)'\t')
            {
                at++;
                continue;
            }
            if (octet > (byte)')' && octet != (byte)';')
            {
                int stop = FindStop(text, at);
                if (IsDelimiter(text[stop]))
                {
                    Push(new TextToken(at, stop - at, _scanLine, at - _lineStart + 1, IsQuoted: false));
                    at = stop;
                    continue;
                }
            }
            else if (octet == (byte)'\n' && _depth == 0 && at < _end)
            {
                at++;
                _scanLine++;
                if (_tokenCount > 0)
                {
                    (_next, _nextLine) = (at, _scanLine);
                    return Outcome.Line;
                }
                (_start, _line, _lineStart) = (at, _scanLine, at);
                StartsBlank = text[at] is (byte)' ' or (byte)'\t';
                continue;
            }
            _at = at;
            Outcome outcome = ScanSlow(octet);
            if (outcome != Outcome.Continue) return outcome;
            at = _at;
        }
    }

    private Outcome ScanSlow(byte octet)
    {
        switch (octet)
        {
            case (byte)'\r':
                _at++;
                return Outcome.Continue;
            case (byte)'\n':
                if (_at == _end) return AtEnd();
                PassNewline();
                return Outcome.Continue;
            case (byte)';':
                _at += _buffer.AsSpan(_at, _end + 1 - _at).IndexOf((byte)'\n');
                return Outcome.Continue;
            case (byte)'(':
                if (_depth++ == 0) SetOpen(isQuote: false);
                _at++;
                return Outcome.Continue;
            case (byte)')':
                if (_depth == 0) return Fail("found \")\" without a \"(\" before it");
                if (--_depth == 0) _openOffset = -1;
                _at++;
                return Outcome.Continue;
            case 0:
                return Fail(NulMessage);
            case (byte)'"':
                return TakeQuoted();
            default:
                return TakeToken();
        }
    }

    private Outcome AtEnd()
    {
        if (!_isFinal) return Outcome.NeedsMore;
        if (_depth > 0) return FailUnclosedFar("the end of the file");
        if (_tokenCount == 0)
        {
            (_start, _line) = (_at, _scanLine);
            return Outcome.End;
        }
        (_next, _nextLine) = (_at, _scanLine);
        return Outcome.Line;
    }

    /// <summary>Reads a token with escapes, quotes or control characters.</summary>
    private Outcome TakeToken()
    {
        byte[] text = _buffer;
        int offset = _at, line = _scanLine, column = Column;
        for (;;)
        {
            _at = FindStop(text, _at);
            byte stop = text[_at];
            if (stop == (byte)'\\')
            {
                if (_at + 1 == _end && !_isFinal) return Outcome.NeedsMore;
                // A backslash at the end of a line escapes nothing; the parser of the token reports it.
                _at += text[_at + 1] is (byte)'\n' or (byte)'\r' or 0 ? 1 : 2;
            }
            else if (stop == (byte)'"')
            {
                Outcome outcome = SkipQuoted();
                if (outcome != Outcome.Continue) return outcome;
            }
            else if (stop > 0 && stop < (byte)' ' && !IsDelimiter(stop)) _at++;
            else break;
        }
        Push(new TextToken(offset, _at - offset, line, column, IsQuoted: false));
        return Outcome.Continue;
    }

    private Outcome TakeQuoted()
    {
        int offset = _at + 1, line = _scanLine, column = Column;
        Outcome outcome = SkipQuoted();
        if (outcome == Outcome.Continue)
            Push(new TextToken(offset, _at - 1 - offset, line, column, IsQuoted: true));
        return outcome;
    }

    /// <summary>Moves past the quote that closes this one.</summary>
    private Outcome SkipQuoted()
    {
        byte[] text = _buffer;
        (int Offset, int Line, int Column, bool IsQuote) outer = (_openOffset, _openLine, _openColumn, _openIsQuote);
        int firstLine = _scanLine;
        SetOpen(isQuote: true);
        _at++;
        for (;;)
        {
            _at += text.AsSpan(_at, _end + 1 - _at).IndexOfAny(QuoteStops);
            switch (text[_at])
            {
                case (byte)'\\':
                    if (_at + 1 < _end && text[_at + 1] is not ((byte)'\n' or 0)) _at++;
                    _at++;
                    break;
                case (byte)'\n':
                    if (_at == _end) return _isFinal ? FailUnclosedFar("the end of the file") : Outcome.NeedsMore;
                    PassNewline();
                    break;
                case 0:
                    return Fail(NulMessage);
                default:
                    _at++;
                    if (_at == _end && !_isFinal) return Outcome.NeedsMore;
                    // A string may span lines (RFC 1035 §5.1). If text directly follows its end, the quote that "ends"
                    // it probably begins another, and the first one was never closed.
                    if (_scanLine > firstLine && !IsDelimiter(text[_at])) return FailUnclosed("text right behind it");
                    (_openOffset, _openLine, _openColumn, _openIsQuote) = outer;
                    return Outcome.Continue;
            }
        }
    }

    private int Column => _at - _lineStart + 1;

    private void PassNewline()
    {
        _at++;
        _scanLine++;
        _lineStart = _at;
    }

    /// <summary>Finds what may end a token: blank, control, quote, parenthesis, semicolon or backslash.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int FindStop(byte[] text, int at)
    {
        // The newline after the text stops the search, and the buffer has Slack octets from there on: every load that
        // begins at or before that newline is inside the buffer.
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

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool IsDelimiter(byte octet) =>
        octet is (byte)' ' or (byte)'\t' or (byte)'\r' or (byte)'\n' or (byte)'(' or (byte)')' or (byte)';';

    private void SetOpen(bool isQuote) =>
        (_openOffset, _openLine, _openColumn, _openIsQuote) = (_at, _scanLine, Column, isQuote);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Push(TextToken token)
    {
        if (_tokenCount == _tokens.Length) GrowTokens();
        _tokens[_tokenCount++] = token;
    }
}
