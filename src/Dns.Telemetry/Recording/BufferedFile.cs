using System.Buffers;

namespace Dns.Telemetry.Recording;

/// <summary>
/// A file that is appended to in large pieces. After a rename (log rotation) it is created again within
/// a second; one that cannot be opened is retried. <c>/dev/stdout</c> and <c>/dev/stderr</c> are those of the process.
/// </summary>
public sealed class BufferedFile(string path, TimeProvider clock) : IDisposable
{
    private const int PieceOctets = 64 * 1024;
    private static readonly TimeSpan CheckInterval = TimeSpan.FromSeconds(1);

    private readonly ArrayBufferWriter<byte> _buffer = new(PieceOctets);
    private readonly bool _isStandard = StandardStreams.IsOne(path);
    private Stream? _file;
    private long _lookedAt, _saved;

    /// <summary>What a new file begins with; nothing if it is empty.</summary>
    public ReadOnlyMemory<byte> Beginning { get; init; }

    /// <summary>Whether a file that has the same <see cref="Beginning"/> is moved aside, never appended to.</summary>
    public bool Rotates { get; init; }

    /// <summary>Why a file that is there is not written to; null if it may be.</summary>
    public Func<string, string?>? FindFault { get; init; }

    /// <summary>Where to write to; <see cref="Save"/> hands it over.</summary>
    public IBufferWriter<byte> Writer => _buffer;

    public bool IsFull => _buffer.WrittenCount >= PieceOctets;

    /// <summary>Writes the buffer to the file.</summary>
    /// <exception cref="IOException">It cannot be; what was written is gone.</exception>
    public void Save()
    {
        try
        {
            if (_file is not null && clock.GetElapsedTime(_lookedAt) >= CheckInterval)
            {
                _lookedAt = clock.GetTimestamp();
                if (!_isStandard && !File.Exists(path)) Close();
            }
            if (_file is null) Open();
            Stream file = _file!;
            if (_isStandard) StandardStreams.WriteLines(file, _buffer.WrittenSpan);
            else file.Write(_buffer.WrittenSpan);
            _saved = LengthOf(file);
        }
        catch
        {
            TruncatePartialWrite();
            throw;
        }
        finally
        {
            _buffer.ResetWrittenCount();
        }
    }

    /// <summary>Ends the file with its last octets; nothing happens if it never was opened.</summary>
    public void End(ReadOnlySpan<byte> ending)
    {
        try
        {
            if (!ending.IsEmpty) _file?.Write(ending);
        }
        catch (IOException)
        {
            // It ends without them.
        }
        Close();
    }

    public void Dispose() => Close();

    /// <summary>A piece may be there in part: the next one must not follow that.</summary>
    private void TruncatePartialWrite()
    {
        try
        {
            if (_file is not { CanSeek: true })
            {
                Close();
                return;
            }
            _file.SetLength(_saved);
            _file.Seek(_saved, SeekOrigin.Begin);
        }
        catch (IOException)
        {
            Close();
        }
    }

    private void Open()
    {
        if (!_isStandard && FindFault?.Invoke(path) is { } fault) throw new IOException(fault);
        if (Rotates) ExclusiveFile.Rotate(path, Beginning.Span, clock.GetUtcNow());
        _file = _isStandard ? StandardStreams.Open(path) : ExclusiveFile.OpenToAppend(path);
        if (Rotates && LengthOf(_file) > 0)
        {
            // What is in it is not ours to take back.
            Close();
            throw new IOException("it was made by another program meanwhile");
        }
        try
        {
            _lookedAt = clock.GetTimestamp();
            _file.Write(Beginning.Span);
            _saved = LengthOf(_file);
        }
        catch
        {
            // The file must start with its beginning: a partial one is removed, and the next piece starts again.
            if (Rotates) Empty();
            Close();
            throw;
        }
    }

    private void Empty()
    {
        try
        {
            if (_file is { CanSeek: true }) _file.SetLength(0);
        }
        catch (IOException)
        {
            // A device has no length.
        }
    }

    private static long LengthOf(Stream file) => file.CanSeek ? file.Length : 0;

    private void Close()
    {
        try
        {
            _file?.Dispose();
        }
        catch (IOException)
        {
            // Nothing is kept back that could still be written.
        }
        _file = null;
    }
}
