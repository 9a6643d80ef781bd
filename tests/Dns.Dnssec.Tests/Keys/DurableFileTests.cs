using System.Diagnostics.CodeAnalysis;

namespace Dns.Dnssec.Tests;

/// <summary>Files that are replaced atomically.</summary>
public sealed class DurableFileTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("dnsd-durable-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void A_full_disk_leaves_the_previous_file_and_nothing_beside_it()
    {
        string path = Path.Combine(_folder, "state");
        DurableFile.Write(path, "before"u8, isPrivate: true, new DiskFiles());
        Assert.Equal("No space left on device",
            Assert.Throws<IOException>(() => DurableFile.Write(path, "after"u8, isPrivate: true, new FullDisk()))
                .Message);
        Assert.Equal([path], Directory.GetFiles(_folder));
        Assert.Equal("before", File.ReadAllText(path));
    }

    /// <summary>A disk that has room for names and none for octets.</summary>
    private sealed class FullDisk : IJournalFiles
    {
        private readonly DiskFiles _disk = new();

        public bool Exists(string path) => _disk.Exists(path);

        public IReadOnlyList<string> List(string directory) => _disk.List(directory);

        public bool TryOpen(string path, [NotNullWhen(true)] out IJournalFile? file) => _disk.TryOpen(path, out file);

        public IJournalFile Create(string path) => new FullFile(_disk.Create(path));

        public void Move(string from, string to) => _disk.Move(from, to);

        public void Delete(string path) => _disk.Delete(path);
    }

    private sealed class FullFile(IJournalFile file) : IJournalFile
    {
        public long Length => file.Length;

        public int Read(long position, Span<byte> destination) => file.Read(position, destination);

        public void Write(long position, ReadOnlySpan<byte> octets) => throw new IOException("No space left on device");

        public void SetLength(long length) => file.SetLength(length);

        public void Flush() => file.Flush();

        public void Dispose() => file.Dispose();
    }
}
