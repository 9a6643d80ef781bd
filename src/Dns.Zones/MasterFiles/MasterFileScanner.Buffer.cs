using System.Buffers;
using Microsoft.Win32.SafeHandles;

namespace Dns.Zones.MasterFiles;

/// <content>The sliding buffer, and the resumption after an error.</content>
internal sealed partial class MasterFileScanner
{
    /// <summary>Octets of the first buffer: enough for small zones, the read size for large ones.</summary>
    public const int InitialBufferOctets = (64 << 10) - Slack;

    // The newline that ends every search, and a whole vector from there.
    private const int Slack = 32;

    // How often an unclosed quote or parenthesis at the end of the file may rewind the scanner, and how much it skips
    // in search of a line's end: bounds the time for a file of "(" or NUL only.
    private const int MaxRewinds = 16;
    private const long MaxSkippedOctets = 64 << 20;

    private static readonly SearchValues<byte> QuoteStops = SearchValues.Create("\"\\\n\0"u8);

    private enum Resync : byte
    {
        None,
        /// <summary>At the next line.</summary>
        Line,
        /// <summary>At the next line that begins with an owner or a directive.</summary>
        Record,
    }

    private readonly SafeFileHandle? _handle;
    private FileStream? _pipe;
    private byte[] _buffer;
    private int _start;
    private int _end;
    private long _fileOffset;
    private readonly long _lengthOctets;
    private bool _isFinal;
    private Resync _resync;
    private int _rewinds;
    private bool _isAbandoned;
    private readonly bool _isUtf16;

    /// <summary>Creates a scanner that owns the handle of a file.</summary>
    /// <exception cref="IOException">The file cannot be read.</exception>
    public MasterFileScanner(SafeFileHandle handle, int bufferOctets)
    {
        _handle = handle;
        _buffer = Rent(bufferOctets);
        _tokens = ArrayPool<TextToken>.Shared.Rent(64);
        _nextLine = 1;
        _buffer[0] = (byte)'\n';
        while (_end < 3 && !_isFinal) TryFill();
        if (_pipe is null) _lengthOctets = RandomAccess.GetLength(handle);
        if (Text is [0xEF, 0xBB, 0xBF, ..]) _next = 3;
        _isUtf16 = Text is [0xFF, 0xFE, ..] or [0xFE, 0xFF, ..];
    }

    /// <summary>Creates a scanner over text in memory: see <see cref="SetText"/>.</summary>
    public MasterFileScanner()
    {
        _buffer = Rent(1024);
        _tokens = ArrayPool<TextToken>.Shared.Rent(64);
        _isFinal = true;
    }

    /// <summary>Restarts with <paramref name="text"/>, on line <paramref name="line"/>.</summary>
    public void SetText(ReadOnlySpan<byte> text, int line)
    {
        if (_buffer.Length < text.Length + Slack)
        {
            ArrayPool<byte>.Shared.Return(_buffer);
            _buffer = Rent(text.Length);
        }
        text.CopyTo(_buffer);
        _buffer[text.Length] = (byte)'\n';
        (_next, _end, _nextLine, _resync, _rewinds) = (0, text.Length, line, Resync.None, 0);
    }

    /// <summary>Whether an octet above 127 was read, possibly in a comment.</summary>
    public bool HasHighOctets { get; private set; }

    /// <summary>The share of the file that has been read, from 0 to 1; 0 if its length is unknown.</summary>
    public double PartRead => _lengthOctets > 0 ? (double)(_fileOffset - _end + _next) / _lengthOctets : 0;

    public void Dispose()
    {
        _handle?.Dispose();
        if (_buffer.Length == 0) return;
        ArrayPool<byte>.Shared.Return(_buffer);
        ArrayPool<TextToken>.Shared.Return(_tokens);
        (_buffer, _tokens, _tokenCount, _end) = ([], [], 0, 0);
    }

    private static byte[] Rent(int octets) => ArrayPool<byte>.Shared.Rent(octets + Slack);

    /// <summary>Moves the line to the start of the buffer, which grows if it is full, and reads on.</summary>
    /// <returns>False if the line exceeds the maximum length.</returns>
    private bool TryFill()
    {
        int kept = _end - _start;
        if (kept >= MaxLineOctets) return false;
        byte[] target = _buffer;
        if (kept > target.Length - Slack - (target.Length >> 2))
            target = ArrayPool<byte>.Shared.Rent(_buffer.Length * 2);
        _buffer.AsSpan(_start, kept).CopyTo(target);
        if (target != _buffer) ArrayPool<byte>.Shared.Return(_buffer);
        _buffer = target;
        (_start, _end) = (0, kept);
        int read = Read(target.AsSpan(kept, target.Length - Slack - kept));
        HasHighOctets = HasHighOctets || !System.Text.Ascii.IsValid(target.AsSpan(kept, read));
        _isFinal = read == 0;
        _fileOffset += read;
        _end += read;
        target[_end] = (byte)'\n';
        return true;
    }

    private int Read(Span<byte> target)
    {
        if (_pipe is not null) return _pipe.Read(target);
        try
        {
            return RandomAccess.Read(_handle!, target, _fileOffset);
        }
        catch (NotSupportedException)
        {
            // A pipe has no offsets: it is read sequentially.
            _pipe = new FileStream(_handle!, FileAccess.Read, bufferSize: 0);
            return _pipe.Read(target);
        }
    }

    private void GrowTokens()
    {
        TextToken[] larger = ArrayPool<TextToken>.Shared.Rent(_tokens.Length * 2);
        _tokens.CopyTo(larger, 0);
        ArrayPool<TextToken>.Shared.Return(_tokens);
        _tokens = larger;
    }

    private Outcome Fail(string message) => Fail(_at, _scanLine, Column, message);

    private Outcome Fail(int at, int line, int column, string message)
    {
        Error = (line, column, message);
        _resync = _openOffset >= 0 ? Resync.Record : Resync.Line;
        (_next, _nextLine) = (at, line);
        return Outcome.Error;
    }

    /// <summary>Reports the open quote or parenthesis at its position; later lines are scanned again.</summary>
    private Outcome FailUnclosed(string found)
    {
        if (_openOffset < 0) return Fail(_end, _line, 1, $"found {found}, expected its end");
        return Fail(_openOffset, _openLine, _openColumn, _openIsQuote
            ? $"unbalanced quote: found {found}, expected the quote that closes this one"
            : $"unbalanced parenthesis: found {found}, expected the \")\" that closes this one");
    }

    /// <summary>The same after the rest of the file, or a whole buffer, was read in vain.</summary>
    private Outcome FailUnclosedFar(string found)
    {
        Outcome outcome = FailUnclosed(found);
        _isAbandoned = ++_rewinds > MaxRewinds;
        return outcome;
    }

    private bool TryResync()
    {
        long skipped = 0;
        for (bool found = false; !found || (_resync == Resync.Record && ContinuesRecord(_buffer[_start]));)
        {
            int newline = _buffer.AsSpan(_start, _end - _start).IndexOf((byte)'\n');
            found = newline >= 0;
            if (found)
            {
                _start += newline + 1;
                _line++;
            }
            else
            {
                skipped += _end - _start;
                _start = _end;
            }
            if (_start < _end) continue;
            if (!_isFinal && skipped < MaxSkippedOctets) TryFill();
            if (_start < _end) continue;
            if (_isFinal || skipped >= MaxSkippedOctets) return Abandon();
        }
        _resync = Resync.None;
        return true;
    }

    // A blank, an empty line, a comment or a lone ")" belongs to the abandoned record.
    private static bool ContinuesRecord(byte first) =>
        first is (byte)' ' or (byte)'\t' or (byte)'\r' or (byte)'\n' or (byte)';' or (byte)')';

    private bool Abandon()
    {
        (_start, _next, _nextLine, _isFinal) = (_end, _end, _line, true);
        _resync = Resync.None;
        return false;
    }

    private bool IsLineStart(int at) => at == 0 || _buffer[at - 1] == (byte)'\n';
}
