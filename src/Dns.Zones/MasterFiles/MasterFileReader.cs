using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using Dns.Protocol;

namespace Dns.Zones;

/// <summary>
/// Reads the records of a master file, and of the files it includes, one after the other (RFC 1035 §5,
/// RFC 2308 §4): the spans it shows are valid until the next <see cref="Read"/>.
/// </summary>
/// <remarks>
/// Errors go to the log, and reading goes on at the next logical line. Nothing is allocated per record.
/// A directive is a method in one of the other parts of this class.
/// </remarks>
internal sealed partial class MasterFileReader : IDisposable
{
    private const int MaxTtl = int.MaxValue;

    // An endless file of errors, a device for example, has to come to an end.
    private const int MaxErrors = 100_000;

    private readonly DiagnosticLog _log;
    private readonly int _bufferOctets;
    private readonly byte[] _rdata = ArrayPool<byte>.Shared.Rent(ushort.MaxValue);
    private MasterFileScanner _scanner;
    private int _rdataLength;
    private ReaderContext _context;

    private MasterFileReader(
        ReadOnlySpan<byte> origin, string file, MasterFileScanner scanner, DiagnosticLog log, int bufferOctets)
    {
        _log = log;
        _bufferOctets = bufferOctets;
        _context = new ReaderContext(origin);
        _scanner = scanner;
        File = file;
    }

    /// <summary>Makes a reader at the start of <paramref name="file"/>.</summary>
    /// <returns>False, with the reason in the log, if the file cannot be read.</returns>
    public static bool TryOpen(
        ReadOnlySpan<byte> origin, string file, DiagnosticLog log, [NotNullWhen(true)] out MasterFileReader? reader,
        int bufferOctets = MasterFileScanner.InitialBufferOctets)
    {
        log.Open(file);
        try
        {
            var scanner = new MasterFileScanner(MasterFileHandle.Open(file), bufferOctets);
            reader = new MasterFileReader(origin, file, scanner, log, bufferOctets);
            return true;
        }
        catch (Exception exception) when (MasterFileHandle.IsFailure(exception))
        {
            log.Error(file, 0, 0, $"cannot be read: {MasterFileHandle.Describe(exception, file)}");
            reader = null;
            return false;
        }
    }

    /// <summary>The file that the record stands in.</summary>
    public string File { get; private set; }

    /// <summary>The line on which the record begins.</summary>
    public int Line { get; private set; }

    /// <summary>The column on which the record begins.</summary>
    public int Column { get; private set; }

    /// <summary>The owner in its own spelling: a valid wire name.</summary>
    public ReadOnlySpan<byte> Owner => _context.Owner;

    /// <summary>Whether the owner's octets are those of the record before.</summary>
    public bool IsSameOwner { get; private set; }

    /// <summary>The record's type.</summary>
    public RRType Type { get; private set; }

    /// <summary>The record's class.</summary>
    public RRClass Class { get; private set; }

    /// <summary>The TTL as written or inherited, in seconds: up to 2^32-1.</summary>
    public uint Ttl { get; private set; }

    /// <summary>The RDATA: valid for the type, uncompressed.</summary>
    public ReadOnlySpan<byte> Rdata => _rdata.AsSpan(0, _rdataLength);

    /// <summary>Whether a record of type SOA was met, be it a broken one.</summary>
    public bool HasMetSoa { get; private set; }

    /// <summary>The last line of the first file, once everything is read.</summary>
    public int LastLine => _scanner.LastLine;

    /// <summary>Closes every file that is open.</summary>
    public void Dispose()
    {
        _scanner.Dispose();
        foreach (SuspendedFile file in _suspended) file.Scanner.Dispose();
        _suspended.Clear();
        _generatedText?.Dispose();
        ArrayPool<byte>.Shared.Return(_rdata);
    }

    /// <summary>Goes to the next record.</summary>
    /// <returns>False at the end of the first file.</returns>
    public bool Read()
    {
        for (;;)
        {
            if (_generate is not null)
            {
                if (TryReadGenerated()) return true;
                continue;
            }
            ScanResult result = NextLine();
            if (result == ScanResult.Line)
            {
                if (TryReadLine()) return true;
            }
            else if (result == ScanResult.Error)
            {
                (int line, int column, string message) = _scanner.Error;
                _log.Error(File, line, column, message);
            }
            else if (!TryCloseInclude()) return false;
        }
    }

    private ScanResult NextLine()
    {
        if (_log.ErrorCount >= MaxErrors) return ScanResult.End;
        try
        {
            return _scanner.Next();
        }
        catch (IOException exception)
        {
            _log.Error(File, _scanner.LastLine, 0, $"cannot be read further: {exception.Message}");
            return ScanResult.End;
        }
    }

    private bool TryReadLine()
    {
        ReadOnlySpan<byte> text = _scanner.Text;
        ReadOnlySpan<TextToken> tokens = _scanner.Tokens;
        TextToken first = tokens[0];
        if (_scanner.StartsBlank)
        {
            if (_context.HasOwner) return TryReadRecord(text, tokens, 0);
            // Behind a broken owner only its own error is worth a line.
            return !_context.IsOwnerBroken && Fail(first, "found a record without an owner, expected an owner before it");
        }
        if (!first.IsQuoted && first.Length > 0 && text[first.Offset] == (byte)'$')
        {
            ReadDirective(text, tokens);
            return false;
        }
        return TrySetOwner(text, first) && TryReadRecord(text, tokens, 1);
    }

    private bool TrySetOwner(ReadOnlySpan<byte> text, TextToken token)
    {
        ReadOnlySpan<byte> owner = text.Slice(token.Offset, token.Length);
        if (_context.IsOwnerText(owner) && !token.IsQuoted) return true;
        NameTextError error = token.IsQuoted ? NameTextError.Empty : _context.SetOwner(owner);
        if (error == NameTextError.None) return true;
        _context.BreakOwner();
        return Fail(text, token, token.IsQuoted ? "an owner without quotes" : $"an owner: {NameText.Describe(error)}");
    }

    private bool TryReadRecord(ReadOnlySpan<byte> text, ReadOnlySpan<TextToken> tokens, int position)
    {
        (Line, Column) = (tokens[0].Line, tokens[0].Column);
        if (!TryReadPrefix(text, tokens, ref position, out bool hasTtl)) return false;
        if (Type == RRType.SOA) HasMetSoa = true;
        var rdata = new TokenReader(text, tokens[position..], _context.Origin);
        if (!Protocol.Rdata.TryParse(Type, ref rdata, _rdata, out _rdataLength, out RdataTextError error))
            return FailRdata(text, tokens[position..], error);
        if (!hasTtl && !TryFindTtl()) return false;
        IsSameOwner = _context.IsOwnerDelivered;
        _context.IsOwnerDelivered = true;
        return true;
    }

    /// <summary>Reads TTL and class, either of which may come first or be missing, and the type.</summary>
    private bool TryReadPrefix(
        ReadOnlySpan<byte> text, ReadOnlySpan<TextToken> tokens, ref int position, out bool hasTtl)
    {
        hasTtl = false;
        bool hasClass = false;
        Class = _context.Class;
        for (; position < tokens.Length; position++)
        {
            TextToken token = tokens[position];
            ReadOnlySpan<byte> word = text.Slice(token.Offset, token.Length);
            if (!hasTtl && !word.IsEmpty && char.IsAsciiDigit((char)word[0]))
            {
                if (!TryReadTtl(text, token)) return false;
                hasTtl = true;
            }
            else if (!hasClass && TryParseClass(word, out RRClass rrClass))
            {
                Class = _context.Class = rrClass;
                hasClass = true;
            }
            else return TryReadType(text, token, ref position);
        }
        return FailMissing(tokens, "a record type");
    }

    private bool TryReadType(ReadOnlySpan<byte> text, TextToken token, ref int position)
    {
        if (token.IsQuoted || !RRTypeText.TryParse(text.Slice(token.Offset, token.Length), out RRType type))
            return Fail(text, token, "a record type");
        if (Protocol.Rdata.IsMeta(type)) return Fail(text, token, "a type that a zone can hold");
        Type = type;
        position++;
        return true;
    }

    private bool TryReadTtl(ReadOnlySpan<byte> text, TextToken token)
    {
        if (!TryParseTtl(text, token, out uint ttl)) return false;
        Ttl = _context.LastTtl = ttl;
        _context.HasLastTtl = true;
        return true;
    }

    private bool TryParseTtl(ReadOnlySpan<byte> text, TextToken token, out uint ttl)
    {
        ReadOnlySpan<byte> word = text.Slice(token.Offset, token.Length);
        if (token.IsQuoted || !TtlText.TryParse(word, out ttl))
        {
            ttl = 0;
            return Fail(text, token, "a TTL of up to 4294967295 seconds, such as 3600 or 1h30m");
        }
        if (ttl > MaxTtl) WarnOfTtl(ttl, token.Line, token.Column);
        return true;
    }

    /// <summary>
    /// The TTL of a record without one: that of <c>$TTL</c>, else the last one stated, else the minimum of this
    /// SOA, which then holds for the records after it too.
    /// </summary>
    private bool TryFindTtl()
    {
        if (_context.HasDefaultTtl) Ttl = _context.DefaultTtl;
        else if (_context.HasLastTtl) Ttl = _context.LastTtl;
        else if (Type == RRType.SOA)
        {
            Ttl = _context.DefaultTtl = System.Buffers.Binary.BinaryPrimitives.ReadUInt32BigEndian(Rdata[^4..]);
            _context.HasDefaultTtl = true;
            if (Ttl > MaxTtl) WarnOfTtl(Ttl, Line, Column);
        }
        else
        {
            _log.Error(File, Line, Column, "found a record without a TTL, expected one here or $TTL before it");
            return false;
        }
        return true;
    }

    /// <summary>Reads a class as a record has it: IN, CH, HS or CLASS123.</summary>
    internal static bool TryParseClass(ReadOnlySpan<byte> word, out RRClass rrClass)
    {
        // Nearly every class is IN, and nothing else but class and type stands here.
        if (word.Length == 2 && (word[0] | 0x20) == 'i' && (word[1] | 0x20) == 'n')
        {
            rrClass = RRClass.IN;
            return true;
        }
        bool maybe = word.Length == 2 || (word.Length > 5 && System.Text.Ascii.EqualsIgnoreCase(word[..5], "CLASS"u8));
        rrClass = default;
        return maybe && RRClassText.TryParse(word, out rrClass);
    }
}
