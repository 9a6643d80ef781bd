using System.Collections.Concurrent;

namespace Dns.Server.Commands;

/// <summary>
/// The files of a state directory, whose changes stay in memory: for a trial of a start. A file is used by one thread
/// at a time.
/// </summary>
/// <param name="disk">Is only read.</param>
internal sealed class ShadowFiles(IJournalFiles disk) : IJournalFiles
{
    // What was written; null = deleted.
    private readonly ConcurrentDictionary<string, Shadow?> _written = [];

    public bool Exists(string path) =>
        _written.TryGetValue(path, out Shadow? shadow) ? shadow is not null : disk.Exists(path);

    public IReadOnlyList<string> List(string directory) => disk.List(directory);

    public bool TryOpen(string path, [NotNullWhen(true)] out IJournalFile? file)
    {
        if (_written.TryGetValue(path, out Shadow? shadow)) file = shadow;
        else if (disk.TryOpen(path, out IJournalFile? read)) file = new Opened(this, path, read);
        else file = null;
        return file is not null;
    }

    public IJournalFile Create(string path)
    {
        Shadow created = new();
        _written[path] = created;
        return created;
    }

    public void Move(string from, string to)
    {
        if (!TryOpen(from, out IJournalFile? file)) throw new FileNotFoundException(from);
        using (file) _written[to] = file as Shadow ?? Shadow.Of(file);
        _written[from] = null;
    }

    public void Delete(string path) => _written[path] = null;

    /// <summary>A file in memory.</summary>
    private sealed class Shadow : IJournalFile
    {
        private byte[] _octets = [];

        public long Length => _octets.Length;

        public static Shadow Of(IJournalFile file)
        {
            Shadow shadow = new() { _octets = new byte[file.Length] };
            file.Read(0, shadow._octets);
            return shadow;
        }

        public int Read(long position, Span<byte> destination)
        {
            ReadOnlySpan<byte> rest = _octets.AsSpan((int)Math.Min(position, _octets.Length));
            rest = rest[..Math.Min(rest.Length, destination.Length)];
            rest.CopyTo(destination);
            return rest.Length;
        }

        public void Write(long position, ReadOnlySpan<byte> octets)
        {
            if (position + octets.Length > Length) SetLength(position + octets.Length);
            octets.CopyTo(_octets.AsSpan((int)position));
        }

        public void SetLength(long length) => Array.Resize(ref _octets, checked((int)length));

        public void Flush()
        {
        }

        public void Dispose()
        {
        }
    }

    /// <summary>A file of the disk, until it is written to.</summary>
    private sealed class Opened(ShadowFiles owner, string path, IJournalFile read) : IJournalFile
    {
        private Shadow? _shadow;

        public long Length => _shadow?.Length ?? read.Length;

        private Shadow Written
        {
            get
            {
                if (_shadow is null) owner._written[path] = _shadow = Shadow.Of(read);
                return _shadow;
            }
        }

        public int Read(long position, Span<byte> destination) =>
            _shadow?.Read(position, destination) ?? read.Read(position, destination);

        public void Write(long position, ReadOnlySpan<byte> octets) => Written.Write(position, octets);

        public void SetLength(long length) => Written.SetLength(length);

        public void Flush()
        {
        }

        public void Dispose() => read.Dispose();
    }
}
