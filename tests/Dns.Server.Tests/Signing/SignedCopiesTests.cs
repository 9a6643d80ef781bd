using System.Diagnostics.CodeAnalysis;
using Dns.Testing;

namespace Dns.Server.Tests;

/// <summary>Whether a start knows that versions may be missing.</summary>
public sealed class SignedCopiesTests : IDisposable
{
    private static readonly DomainName Apex = DomainName.Parse("example.test");
    private static readonly DomainName Other = DomainName.Parse("other.test");

    private readonly string _folder = Directory.CreateTempSubdirectory("dnsd-copies-").FullName;
    private readonly Disk _disk = new();

    public SignedCopiesTests()
    {
        SignedCopies first = Start();
        first.Open();
        Save(first, Apex);
        Close(first, Apex);
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private SignedCopies Start() => new(Path.Join(_folder, "signed"), ZoneLimits.Default, _disk);

    private bool MayLackVersions() => Start().MayLackVersions(Apex);

    private static void Save(SignedCopies copies, DomainName zone) =>
        copies.Save(ZoneText.Load($"{zone}", "@ 60 SOA ns h 7 1 1 1 1\n@ 60 NS ns\nns 60 A 192.0.2.1"), []);

    /// <summary>Ends in order, with all versions of a zone saved, and those of the others perhaps not.</summary>
    private static void Close(SignedCopies copies, DomainName saved, params DomainName[] unsaved) =>
        copies.Close(unsaved.Append(saved).ToDictionary(zone => zone, zone => zone == saved));

    [Fact]
    public void A_start_after_a_shutdown_in_order_misses_nothing()
    {
        Assert.False(MayLackVersions());
        Assert.True(MayLackVersions());
    }

    [Fact]
    public void A_copy_is_read_with_what_signing_added_to_a_name_at_its_limits()
    {
        // Of a small zone the whole copy is written again.
        string source = string.Concat(Enumerable.Range(0, 100).Select(i => $"n{i} 60 A 192.0.2.1\n"))
            + "@ 60 NS ns\n@ 60 SOA ns h ";
        SignedCopies copies = new(Path.Join(_folder, "signed"), new ZoneLimits(RecordsPerType: 1, TypesPerName: 2));
        Zone before = ZoneText.Load("example.test", source + "7 1 1 1 1");
        copies.Save(before, []);
        Zone after = ZoneText.Load("example.test", source + "8 1 1 1 1\n@ 60 NSEC @ SOA NS DNSKEY\n"
            + "@ 60 DNSKEY 256 3 13 AAAA\n@ 60 DNSKEY 257 3 13 AAAB");
        copies.Save(after, [ZoneDelta.Between(before, after)]);
        SavedVersion read = copies.Load(Apex, CancellationToken.None);
        Assert.Equal((null, 8u), (read.Damage, read.Signed?.Serial));
    }

    [Fact]
    public void A_zone_that_was_not_signed_since_a_crash_may_still_lack_versions()
    {
        Start().Open();
        for (int start = 0; start < 2; start++)
        {
            // Its source could not be read, for example.
            SignedCopies copies = Start();
            Assert.Equal((true, start == 0), (copies.MayLackVersions(Apex), copies.MayLackVersions(Other)));
            copies.Open();
            Save(copies, Other);
            Close(copies, Other);
        }
        SignedCopies readable = Start();
        Assert.True(readable.MayLackVersions(Apex));
        readable.Open();
        Close(readable, Apex);
        Assert.False(MayLackVersions());
    }

    [Fact]
    public void Only_a_zone_that_could_not_be_saved_lacks_versions()
    {
        SignedCopies copies = Start();
        copies.Open();
        Save(copies, Other);
        Close(copies, Other, unsaved: Apex);
        SignedCopies next = Start();
        Assert.Equal((true, false), (next.MayLackVersions(Apex), next.MayLackVersions(Other)));
    }

    [Fact]
    public void A_server_that_was_replaced_leaves_no_mark_to_one_that_signs_meanwhile()
    {
        SignedCopies before = Start();
        before.Open();
        SignedCopies successor = Start();
        successor.Open();
        before.HandOver();
        Close(before, Apex);
        Assert.True(MayLackVersions());
        Close(successor, Apex);
        Assert.False(MayLackVersions());
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_mark_that_can_be_read_but_not_removed_is_still_one_of_complete_copies(bool isOtherUser)
    {
        (_disk.IsReadOnly, _disk.IsUnreadable) = (true, isOtherUser);
        SignedCopies copies = Start();
        Assert.Equal(isOtherUser, copies.MayLackVersions(Apex));
        Assert.Throws<IOException>(copies.Open);
        Assert.Equal(!isOtherUser, copies.Load(Apex, default).Signed is not null);
        Close(copies, Apex);
        (_disk.IsReadOnly, _disk.IsUnreadable) = (false, false);
        // It is removed as soon as that is possible.
        copies.Open();
        Assert.True(MayLackVersions());
    }

    [Fact]
    public void A_disk_that_becomes_read_only_after_the_start_leaves_no_mark()
    {
        SignedCopies copies = Start();
        Assert.NotNull(copies.Load(Apex, default).Signed);
        _disk.IsReadOnly = true;
        copies.Open();
        Close(copies, Apex);
        _disk.IsReadOnly = false;
        Assert.True(MayLackVersions());
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
