using System.Diagnostics.CodeAnalysis;
using Dns.Testing;

namespace Dns.Server.Tests;

/// <summary>Whether a start knows that versions may be missing.</summary>
public sealed class SignedCopiesTests : IDisposable
{
    private static readonly DomainName Apex = DomainName.Parse("example.test");

    private readonly string _folder = Directory.CreateTempSubdirectory("dnsd-copies-").FullName;
    private readonly Disk _disk = new();

    public SignedCopiesTests()
    {
        SignedCopies first = Start();
        first.Open();
        first.Save(ZoneText.Load("example.test", "@ 60 SOA ns h 7 1 1 1 1\n@ 60 NS ns\nns 60 A 192.0.2.1"), []);
        first.Close();
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private SignedCopies Start() => new(Path.Join(_folder, "signed"), ZoneLimits.Default, _disk);

    [Fact]
    public void A_start_after_a_shutdown_in_order_misses_nothing()
    {
        Assert.False(Start().MayLackVersions);
        Assert.True(Start().MayLackVersions);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_mark_that_cannot_be_removed_is_still_one_of_complete_copies(bool isOtherUser)
    {
        (_disk.IsReadOnly, _disk.IsUnreadable) = (true, isOtherUser);
        SignedCopies copies = Start();
        Assert.False(copies.MayLackVersions);
        Assert.Throws<IOException>(copies.Open);
        Assert.Equal(!isOtherUser, copies.TryLoad(Apex, out _, out _, out _, default));
        copies.Close();
        (_disk.IsReadOnly, _disk.IsUnreadable) = (false, false);
        // It is removed as soon as that is possible.
        copies.Open();
        Assert.True(Start().MayLackVersions);
    }

    [Fact]
    public void A_disk_that_becomes_read_only_after_the_start_leaves_no_mark()
    {
        SignedCopies copies = Start();
        Assert.True(copies.TryLoad(Apex, out _, out _, out _, default));
        _disk.IsReadOnly = true;
        copies.Open();
        copies.Close();
        _disk.IsReadOnly = false;
        Assert.True(Start().MayLackVersions);
    }

    /// <summary>The disk, which may be mounted to read only, or belong to another user.</summary>
    private sealed class Disk : IJournalFiles
    {
        private readonly DiskFiles _files = new();

        public bool IsReadOnly { get; set; }

        public bool IsUnreadable { get; set; }

        public bool Exists(string path) => _files.Exists(path);

        public IReadOnlyList<string> List(string directory) => _files.List(directory);

        public bool TryOpen(string path, [NotNullWhen(true)] out IJournalFile? file) =>
            IsUnreadable ? throw new IOException($"{path}: no access") : _files.TryOpen(path, out file);

        public IJournalFile Create(string path) => _files.Create(Writable(path));

        public void Move(string from, string to) => _files.Move(Writable(from), to);

        public void Delete(string path) => _files.Delete(Writable(path));

        private string Writable(string path) =>
            IsReadOnly ? throw new IOException($"{path}: read-only file system") : path;
    }
}
