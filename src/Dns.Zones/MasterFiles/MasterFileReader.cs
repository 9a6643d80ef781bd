using System.Buffers;
using Microsoft.Win32.SafeHandles;

namespace Dns.Zones.MasterFiles;

/// <summary>
/// Reads the records of a master file and of the files that it includes (RFC 1035 §5, RFC 2308 §4): its spans are valid
/// until the next <see cref="Read"/>.
/// </summary>
/// <remarks>
/// Errors go to the log, and reading continues at the next logical line. Nothing is allocated per record. A directive
/// is a method in another part of this class.
/// </remarks>
internal sealed partial class MasterFileReader : IDisposable
{
    // Reading endless errors, for example of a device, must end.
    private const int MaxErrors = 100_000;

    private readonly DiagnosticLog _log;
    private readonly int _bufferOctets;
    private readonly byte[] _rdata = ArrayPool<byte>.Shared.Rent(ushort.MaxValue);
    private MasterFileScanner _scanner;
    private int _rdataLength;
    private TextToken _first;
    private TextToken _firstOfRdata;
    private ReaderContext _context;
    // TTLs and class hold for all records that follow, also behind an included file (RFC 1035 §5.1, RFC 2308 §4).
    private uint? _defaultTtl;
    private uint? _lastTtl;
    private RRClass _lastClass = RRClass.IN;

    private MasterFileReader(ReadOnlySpan<byte> origin, string file, MasterFileScanner scanner, DiagnosticLog log,
        int bufferOctets)
    {
        _log = log;
        _bufferOctets = bufferOctets;
        _context = new ReaderContext(origin);
        _scanner = scanner;
        File = file;
    }

    /// <summary>Creates a reader at the start of <paramref name="file"/>.</summary>
    /// <param name="ofCommand">Whether it is read for a command on that file: it may be a pipe or a device.</param>
    /// <returns>False, with the reason in the log, if the file cannot be read.</returns>
    public static bool TryOpen(
        ReadOnlySpan<byte> origin, string file, DiagnosticLog log, [NotNullWhen(true)] out MasterFileReader? reader,
        bool ofCommand = false, int bufferOctets = MasterFileScanner.InitialBufferOctets)
    {
        log.Open(file);
        try
        {
            SafeFileHandle handle = MasterFileHandle.Open(file, ofCommand, out bool isSymlink);
            // A zone file itself shows its text whatever its mode, as its operators need it. A symlink may be made by
            // those who may write its directory, and lead to any file that the server may read.
            if (isSymlink && MasterFileHandle.IsPrivate(handle)) log.Hide(file);
            var scanner = new MasterFileScanner(handle, bufferOctets);
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

    /// <summary>The file of the record.</summary>
    public string File { get; private set; }

    /// <summary>The start of the record: its owner, or the first token of a line without one.</summary>
    public FileLocation Location => At(_first);

    /// <summary>The start of its RDATA; of the record if it has none.</summary>
    public FileLocation RdataLocation => At(_firstOfRdata);

    /// <summary>The owner in its original letter case: a valid wire name.</summary>
    public ReadOnlySpan<byte> Owner => _context.Owner;

    /// <summary>Whether the owner's octets are those of the previous record.</summary>
    public bool IsSameOwner { get; private set; }

    public RRType Type { get; private set; }

    public RRClass Class { get; private set; }

    /// <summary>Whether the record states its class; else it has that of a line before it.</summary>
    public bool IsClassStated { get; private set; }

    /// <summary>The TTL, written or inherited, in seconds: up to 2^32-1.</summary>
    public uint Ttl { get; private set; }

    /// <summary>The RDATA: valid for the type, uncompressed.</summary>
    public ReadOnlySpan<byte> Rdata => _rdata.AsSpan(0, _rdataLength);

    /// <summary>The share of the first file that was read, from 0 to 1; 0 if unknown, as within another file.</summary>
    public double PartRead => _suspended.Count == 0 ? Math.Min(_scanner.PartRead, 1) : 0;

    public void Dispose()
    {
        _scanner.Dispose();
        foreach (SuspendedFile file in _suspended) file.Scanner.Dispose();
        _suspended.Clear();
        _generatedText?.Dispose();
        ArrayPool<byte>.Shared.Return(_rdata);
    }

    /// <summary>Moves to the next record; false at the end of the first file.</summary>
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
            // After a broken owner only its own error is reported.
            return !_context.IsOwnerBroken &&
                Fail(first, "found a record without an owner, expected an owner before it");
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
}
