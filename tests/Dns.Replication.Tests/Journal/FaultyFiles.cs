using System.Diagnostics.CodeAnalysis;

namespace Dns.Replication.Tests;

/// <summary>Files in memory, on a disk that fills up and whose flushes fail when a test says so.</summary>
internal sealed class FaultyFiles : IJournalFiles
{
    private readonly Dictionary<string, byte[]> _files = [];

    /// <summary>The remaining octets of the disk; a longer write is partial and fails.</summary>
    public long Room { get; set; } = long.MaxValue;

    /// <summary>How many more flushes succeed.</summary>
    public int Flushes { get; set; } = int.MaxValue;

    /// <summary>Whether files can be cut.</summary>
    public bool CanCut { get; set; } = true;

    /// <summary>Whether no file can be created.</summary>
    public bool IsReadOnly { get; set; }

    /// <summary>How many flushes there were.</summary>
    public int Flushed { get; private set; }

    /// <summary>Called before each flush.</summary>
    public Action? BeforeFlush { get; set; }

    /// <summary>Called before each read, with the file.</summary>
    public Action<string>? BeforeRead { get; set; }

    public byte[] this[string path]
    {
        get => _files[path];
        set => _files[path] = value;
    }

    public IEnumerable<string> Paths => _files.Keys;

    public bool Exists(string path) => _files.ContainsKey(path);

    public IReadOnlyList<string> List(string directory) =>
        [.. _files.Keys.Where(path => Path.GetDirectoryName(path) == directory).Select(path => Path.GetFileName(path))];

    public bool TryOpen(string path, [NotNullWhen(true)] out IJournalFile? file)
    {
        file = Exists(path) ? new OpenFile(this, path) : null;
        return file is not null;
    }

    public IJournalFile Create(string path)
    {
        if (IsReadOnly) throw new IOException($"Read-only file system : '{path}'");
        _files.Add(path, []);
        return new OpenFile(this, path);
    }

    public void Move(string from, string to)
    {
        _files[to] = _files[from];
        _files.Remove(from);
    }

    public void Delete(string path) => _files.Remove(path);

    private sealed class OpenFile(FaultyFiles disk, string path) : IJournalFile
    {
        public long Length => disk._files[path].Length;

        public int Read(long position, Span<byte> destination)
        {
            disk.BeforeRead?.Invoke(path);
            ReadOnlySpan<byte> octets = disk._files[path];
            int count = (int)Math.Clamp(octets.Length - position, 0, destination.Length);
            if (count > 0) octets.Slice((int)position, count).CopyTo(destination);
            return count;
        }

        public void Write(long position, ReadOnlySpan<byte> octets)
        {
            int count = (int)Math.Min(octets.Length, disk.Room);
            disk.Room -= count;
            byte[] grown = new byte[Math.Max(Length, position + count)];
            disk._files[path].CopyTo(grown, 0);
            octets[..count].CopyTo(grown.AsSpan((int)position));
            disk._files[path] = grown;
            if (count < octets.Length) throw new IOException("no space left on device");
        }

        public void SetLength(long length)
        {
            if (!disk.CanCut) throw new IOException("input/output error");
            byte[] cut = new byte[length];
            disk._files[path].AsSpan(0, (int)Math.Min(length, Length)).CopyTo(cut);
            disk._files[path] = cut;
        }

        public void Flush()
        {
            disk.BeforeFlush?.Invoke();
            if (disk.Flushes-- <= 0) throw new IOException("input/output error");
            disk.Flushed++;
        }

        public void Dispose()
        {
        }
    }
}
