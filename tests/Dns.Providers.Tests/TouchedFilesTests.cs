using Dns.Testing;

namespace Dns.Providers.Tests;

public sealed class TouchedFilesTests : IDisposable
{
    private const string Head = "@ 60 SOA ns.x. h.x. 1 2 3 4 5\n@ 60 NS ns.x.\n";
    private static readonly DateTime LongAgo = new(2020, 1, 1, 0, 0, 0, DateTimeKind.Utc);

    private readonly ZoneTree _tree = new();
    private readonly PublishedZones _published = new();

    public void Dispose() => _tree.Dispose();

    private ZoneFile Write(string zone, string fileName, string text = Head)
    {
        ZoneFile file = new(DomainName.Parse(zone), _tree.Root, fileName);
        File.WriteAllText(file.Path, text);
        File.SetLastWriteTimeUtc(file.Path, LongAgo);
        return file;
    }

    private StartedFiles Load(params ZoneFile[] files)
    {
        StartedFiles provider = new(files, _published, 1);
        provider.Load(new SilentObserver());
        return provider;
    }

    private (bool IsKnown, string Zones) Find(StartedFiles provider, string fileName)
    {
        List<DomainName> zones = [];
        bool isKnown = provider.FindTouched(_tree.Root, fileName, zones);
        return (isKnown, string.Join(' ', zones.Select(zone => zone.ToString()).Order()));
    }

    private void Touch(string fileName) =>
        File.SetLastWriteTimeUtc(Path.Combine(_tree.Root, fileName), LongAgo.AddDays(1));

    [Theory]
    [InlineData("a.example", "a.example.zone")]
    [InlineData("a.example", "db.a.example")]
    [InlineData("a.example", "a.example")]
    [InlineData("a.example", "whatever")]
    [InlineData("0/25.2.0.192.in-addr.arpa", "0%2F25.2.0.192.in-addr.arpa.zone")]
    [InlineData("0/25.2.0.192.in-addr.arpa", "0%2f25.2.0.192.in-addr.arpa.zone")]
    [InlineData("100%.example", "100%25.example.zone")]
    [InlineData("a\\.b.example", "a%5C046b.example.zone")]
    [InlineData("A.example", "a.example.zone")]
    [InlineData("com", "icom.zone")]
    [InlineData(".", "root.zone")]
    public void The_name_of_a_file_is_found_again(string zone, string fileName)
    {
        StartedFiles provider = Load(Write(zone, fileName), Write("other.example", "other.example.zone"));
        Assert.Equal(Path.Combine(_tree.Root, fileName), provider.Find(DomainName.Parse(zone))!.File.Path);
        Assert.Equal((true, ""), Find(provider, fileName));
        Touch(fileName);
        Assert.Equal((true, DomainName.Parse(zone).ToString()), Find(provider, fileName));
    }

    [Fact]
    public void The_zones_that_have_or_include_a_file_are_found_through_symlinks()
    {
        ZoneFile own = Write("own.example", "shared"), same = own with { Zone = DomainName.Parse("same.example") };
        foreach (string link in (string[])["link", "linked.inc"])
            File.CreateSymbolicLink(Path.Combine(_tree.Root, link), own.Path);
        ZoneFile linked = new(DomainName.Parse("linked.example"), _tree.Root, "link");
        StartedFiles provider = Load(own, same, linked, Write("copy.example", "copy"),
            Write("including.example", "including", "$INCLUDE shared\n"),
            Write("including.too.example", "including.too", "$INCLUDE linked.inc\n"),
            Write("gone.example", "gone"), new(DomainName.Parse("gone.too.example"), _tree.Root, "gone"));
        Assert.Equal("including.example. including.too.example. linked.example. own.example. same.example.",
            FindUsers(provider, "shared"));
        Assert.Equal("including.example. including.too.example. linked.example. own.example. same.example.",
            FindUsers(provider, "link"));
        Assert.Equal("copy.example.", FindUsers(provider, "copy"));
        File.Delete(Path.Combine(_tree.Root, "gone"));
        Assert.Equal("gone.example. gone.too.example.", FindUsers(provider, "gone"));
        Assert.Equal("", FindUsers(provider, "none"));
    }

    private string FindUsers(StartedFiles provider, string fileName) => string.Join(' ',
        provider.Source.FindUsers(Path.Combine(_tree.Root, fileName)).Select(zone => zone.ToString()).Order());

    [Fact]
    public void A_file_of_no_zone_is_not_known()
    {
        StartedFiles provider = Load(Write("a.example", "a.example.zone"), Write("b.example", "db.b.example"));
        Assert.False(Find(provider, "c.example.zone").IsKnown);
        Assert.False(Find(provider, "db.a.example").IsKnown);
        Assert.False(Find(provider, "b.example.zone").IsKnown);
        Assert.False(provider.FindTouched(Path.Combine(_tree.Root, "x"), "a.example.zone", []));
    }

    [Fact]
    public void Names_of_many_kinds_in_one_directory_are_all_kept()
    {
        ZoneFile[] files = [.. Enumerable.Range(0, 100).Select(i => Write($"z{i}.example", $"{i}-z{i}.example"))];
        StartedFiles provider = Load(files);
        Assert.All(files, file => Assert.Equal(file.Path, provider.Find(file.Zone)!.File.Path));
        Touch("77-z77.example");
        Assert.Equal((true, "z77.example."), Find(provider, "77-z77.example"));
    }

    [Fact]
    public void Zones_that_share_a_file_are_all_read_again()
    {
        StartedFiles provider =
            Load(Write("a.example", "parked"), Write("b.example", "parked"), Write("c.example", "c"));
        Touch("parked");
        Assert.Equal((true, "a.example. b.example."), Find(provider, "parked"));
    }

    [Fact]
    public void An_included_file_that_changes_changes_its_zones()
    {
        Write("x.example", "common.inc", "www 60 A 192.0.2.1\n");
        Write("x.example", "inner.inc", "www 60 AAAA ::1\n");
        StartedFiles provider = Load(
            Write("a.example", "a.example.zone", Head + "$INCLUDE common.inc\n"),
            Write("b.example", "b.example.zone", Head + "$INCLUDE common.inc\n$INCLUDE inner.inc\n"),
            Write("c.example", "c.example.zone"));
        Touch("common.inc");
        Assert.Equal((true, "a.example. b.example."), Find(provider, "common.inc"));
        provider.Reload([DomainName.Parse("a.example"), DomainName.Parse("b.example")], new SilentObserver());
        Assert.Equal((true, ""), Find(provider, "common.inc"));
        File.Delete(Path.Combine(_tree.Root, "inner.inc"));
        Assert.Equal((true, "b.example."), Find(provider, "inner.inc"));
    }

    [Fact]
    public void An_included_file_that_was_missing_makes_its_zone_whole_when_it_comes()
    {
        ZoneFile a = Write("a.example", "a.example.zone", Head + "$INCLUDE late.inc\n");
        StartedFiles provider = Load(a);
        Assert.Equal(ZoneState.Failed, provider.Find(a.Zone)!.State);
        Write("x.example", "late.inc", "www 60 A 192.0.2.1\n");
        Assert.Equal((true, "a.example."), Find(provider, "late.inc"));
        provider.Update([a], new ZoneUpdate(), new SilentObserver());
        Assert.Equal(ZoneState.Serving, provider.Find(a.Zone)!.State);
    }

    [Fact]
    public void Directories_of_included_files_matter_too()
    {
        string inner = Directory.CreateDirectory(Path.Combine(_tree.Root, "inner")).FullName;
        File.WriteAllText(Path.Combine(inner, "x.inc"), "");
        StartedFiles provider = Load(Write("a.example", "a.example.zone", Head + "$INCLUDE inner/x.inc\n"));
        Assert.Equal([_tree.Root, inner], provider.Directories.Order());
    }

    [Fact]
    public void A_file_written_in_the_moment_it_was_read_in_counts_as_changed()
    {
        ZoneFile a = Write("a.example", "a.example.zone");
        File.SetLastWriteTimeUtc(a.Path, DateTime.MaxValue.AddYears(-1));
        Assert.Equal((true, "a.example."), Find(Load(a), "a.example.zone"));
    }

    [Fact]
    public void A_file_written_after_its_stamp_was_taken_counts_as_changed()
    {
        ZoneFile a = Write("a.example", "a.example.zone");
        WritingClock clock = new(() => Write("a.example", "a.example.zone", Head + "www 60 A 192.0.2.1\n"));
        StartedFiles provider = new([a], _published, 1, clock: clock);
        provider.Load(new SilentObserver());
        Assert.Equal((true, "a.example."), Find(provider, "a.example.zone"));
        provider.Reload([a.Zone], new SilentObserver());
        Assert.Equal((true, ""), Find(provider, "a.example.zone"));
    }

    /// <summary>
    /// Writes a file when it is read for the first time, which is between stamping and reading a zone file.
    /// </summary>
    private sealed class WritingClock(Action write) : TimeProvider
    {
        private Action? _write = write;

        public override DateTimeOffset GetUtcNow()
        {
            Interlocked.Exchange(ref _write, null)?.Invoke();
            return base.GetUtcNow();
        }
    }

    [Fact]
    public void An_included_file_written_while_its_zone_was_read_counts_as_changed()
    {
        Write("x.example", "quiet.inc", "www 60 A 192.0.2.1\n");
        Write("x.example", "busy.inc", "www 60 A 192.0.2.1\n");
        File.SetLastWriteTimeUtc(Path.Combine(_tree.Root, "busy.inc"), DateTime.MaxValue.AddYears(-1));
        ZoneFile quiet = Write("a.example", "a.example.zone", Head + "$INCLUDE quiet.inc\n");
        ZoneFile busy = Write("b.example", "b.example.zone", Head + "$INCLUDE busy.inc\n");
        StartedFiles provider = Load(quiet, busy);
        Assert.Equal(["b.example."],
            provider.Update([quiet, busy], new ZoneUpdate(), new SilentObserver())
                .Changed.Select(zone => zone.ToString()));
    }

    [Fact]
    public void A_file_moved_into_the_place_of_one_of_the_same_length_and_time_is_a_change()
    {
        ZoneFile a = Write("a.example", "a.example.zone", Head + "www 60 A 192.0.2.1\n");
        StartedFiles provider = Load(a);
        Assert.Empty(provider.Update([a], new ZoneUpdate(), new SilentObserver()).Changed);
        string other = Path.Combine(_tree.Root, "other");
        File.WriteAllText(other, Head + "www 60 A 192.0.2.2\n");
        File.SetLastWriteTimeUtc(other, LongAgo);
        File.Move(other, a.Path, overwrite: true);
        Assert.Single(provider.Update([a], new ZoneUpdate(), new SilentObserver()).Changed);
    }

    [Fact]
    public void A_file_written_in_its_place_with_its_time_kept_is_a_change_by_its_length()
    {
        ZoneFile a = Write("a.example", "a.example.zone");
        StartedFiles provider = Load(a);
        Assert.Empty(provider.Update([a], new ZoneUpdate(), new SilentObserver()).Changed);
        File.AppendAllText(a.Path, "www 60 A 192.0.2.1\n");
        File.SetLastWriteTimeUtc(a.Path, LongAgo);
        Assert.Single(provider.Update([a], new ZoneUpdate(), new SilentObserver()).Changed);
    }

    [LinuxFact]
    public void A_file_written_in_its_place_with_its_length_and_time_kept_is_a_change()
    {
        ZoneFile a = Write("a.example", "a.example.zone", Head + "www 60 A 192.0.2.1\n");
        StartedFiles provider = Load(a);
        Assert.Empty(provider.Update([a], new ZoneUpdate(), new SilentObserver()).Changed);
        // The clock of the file system ticks every few milliseconds.
        Assert.Contains(Enumerable.Range(0, 10_000), _ =>
        {
            Write("a.example", "a.example.zone", Head + "www 60 A 192.0.2.2\n");
            return provider.Update([a], new ZoneUpdate(), new SilentObserver()).Changed.Count == 1;
        });
    }

    [Fact]
    public void A_link_that_is_turned_elsewhere_is_a_change()
    {
        Write("x.example", "first", Head);
        Write("x.example", "second", Head + "www 60 A 192.0.2.1\n");
        ZoneFile a = new(DomainName.Parse("a.example"), _tree.Root, "a.example.zone");
        File.CreateSymbolicLink(a.Path, "first");
        StartedFiles provider = Load(a);
        Assert.Empty(provider.Update([a], new ZoneUpdate(), new SilentObserver()).Changed);
        File.Delete(a.Path);
        File.CreateSymbolicLink(a.Path, "second");
        Assert.Single(provider.Update([a], new ZoneUpdate(), new SilentObserver()).Changed);
        Assert.Equal(3, provider.Find(a.Zone)!.Data!.RecordCount);
    }

    [Fact]
    public void What_is_written_behind_a_link_is_a_change()
    {
        Write("x.example", "target", Head);
        ZoneFile a = new(DomainName.Parse("a.example"), _tree.Root, "a.example.zone");
        File.CreateSymbolicLink(a.Path, "target");
        StartedFiles provider = Load(a);
        Write("x.example", "target", Head + "www 60 A 192.0.2.1\n");
        Assert.Single(provider.Update([a], new ZoneUpdate(), new SilentObserver()).Changed);
    }
}
