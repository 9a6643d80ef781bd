using System.Net;
using Dns.Testing;

namespace Dns.Providers.Tests;

public sealed class ReloadTests : IDisposable
{
    private readonly ZoneTree _tree = new();
    private readonly PublishedZones _published = new();
    private readonly Recorder _told = new();

    public void Dispose() => _tree.Dispose();

    /// <summary>
    /// A zone with a serial; every other one has another length too, so that no clock is too coarse to see it.
    /// </summary>
    private static string Zone(uint serial, string more = "") =>
        $"@ 60 SOA ns.x. h.x. {serial} 2 3 4 5\n@ 60 NS ns.x.\n{more};{new string('x', (int)(serial % 7))}\n";

    private ZoneFile Add(string name, uint serial = 1, string more = "") => _tree.Add(name, Zone(serial, more));

    private StartedFiles Load(params ZoneFile[] files)
    {
        StartedFiles provider = new(files, _published, 2);
        provider.Load(_told);
        _told.Lines.Clear();
        return provider;
    }

    private static DomainName[] Names(params string[] names) => [.. names.Select(DomainName.Parse)];

    private uint? Serial(string name) => _published.Current.FindExact(DomainName.Parse(name))?.Zone?.Serial;

    private ZoneUpdateResult Update(StartedFiles provider, ZoneUpdate update, params ZoneFile[] files) =>
        provider.Update(files, update, _told);

    private ZoneUpdateResult UpdateDirectories(StartedFiles provider, params ZoneFile[] files) =>
        provider.UpdateDirectories(_ => new ZoneFileList(files, IsIncomplete: false), new(), _told);

    [Fact]
    public void A_listing_leaves_out_what_is_known_and_finds_what_is_not()
    {
        StartedFiles provider = Load(
            Add("a.example"), Add("b.example"),
            _tree.Add("0%2F25.example", Zone(1)) with { Zone = DomainName.Parse("0/25.example") });
        Add("c.example");
        File.Delete(Path.Combine(_tree.Root, "b.example.zone"));
        string[] listed = [];
        ZoneUpdateResult result = provider.UpdateDirectories(List, new() { ReadsChanged = false }, _told);
        // Percent-encoded names are always listed, and recognised as known.
        Assert.Equal(["0%2F25.example.zone", "c.example.zone"], listed);
        Assert.Equal(Names("c.example"), result.Added);
        Assert.Equal(Names("b.example"), result.Removed);

        ZoneFileList List(KnownZoneFile isKnown)
        {
            List<ZoneFile> files = [];
            ZoneDirectory.Read(_tree.Root, "*.zone", files, [], isKnown);
            listed = [.. files.Select(file => file.FileName)];
            return new ZoneFileList(files, IsIncomplete: false);
        }
    }

    [Fact]
    public void Files_are_known_by_sixteen_patterns_and_listed_again_beyond_them()
    {
        ZoneFile[] files = [.. Enumerable.Range(0, 18).Select(i =>
            new ZoneFile(DomainName.Parse($"z{i}.example"), _tree.Root, $"{(char)('a' + i)}-z{i}.example"))];
        foreach (ZoneFile file in files) File.WriteAllText(file.Path, Zone(1));
        StartedFiles provider = Load(files);
        Assert.Equal(files[..16].Select(file => file.FileName), KnownOf(provider, files));
        Assert.Equal(18, provider.ZoneCount);
    }

    [Fact]
    public void A_file_is_known_by_its_name_only_where_the_name_of_the_zone_stands_apart_in_it()
    {
        ZoneFile[] files = [.. new[] { "icom.zone", "i-com.zone", "com2.zone", "x_com" }.Select(fileName =>
            new ZoneFile(DomainName.Parse("com"), _tree.Root, fileName))];
        foreach (ZoneFile file in files)
        {
            File.WriteAllText(file.Path, Zone(1));
            bool stands = file.FileName is "i-com.zone" or "x_com";
            Assert.Equal(stands ? [file.FileName] : [], KnownOf(Load(file), file));
        }
    }

    /// <summary>The names of those files that a provider knows without being given their zones.</summary>
    private string[] KnownOf(StartedFiles provider, params ZoneFile[] files)
    {
        string[] known = [];
        provider.UpdateDirectories(List, new(), _told);
        return known;

        ZoneFileList List(KnownZoneFile isKnown)
        {
            known = [.. files.Select(file => file.FileName).Where(fileName => isKnown(_tree.Root, fileName))];
            return new ZoneFileList(files, IsIncomplete: false);
        }
    }

    [Fact]
    public void An_update_that_is_cancelled_adds_and_removes_no_zone()
    {
        StartedFiles provider = Load(Add("a.example"));
        ZoneSet before = _published.Current;
        provider.Update([Add("b.example")], new(), _told, new CancellationToken(canceled: true));
        Assert.Same(before, _published.Current);
        provider.Update([Add("b.example")], new(), _told);
        Assert.Equal((null, 1u), (Serial("a.example"), Serial("b.example")));
    }

    [Fact]
    public void Of_two_new_files_for_one_zone_the_first_is_served_and_the_other_a_conflict()
    {
        StartedFiles provider = Load();
        ZoneFile capital = _tree.Add("A.EXAMPLE", Zone(1)), small = _tree.Add("a.example", Zone(2));
        ZoneUpdateResult result = UpdateDirectories(provider, capital, small);
        Assert.Equal((1, 1u), (result.Summary.Added, Serial("a.example")));
        Assert.Contains("a.example.zone is not served: zone A.EXAMPLE. is that of", Assert.Single(result.Conflicts));
    }

    [Fact]
    public void A_file_whose_name_differs_in_case_is_another_file_and_takes_over_when_the_first_is_gone()
    {
        ZoneFile capital = _tree.Add("A.EXAMPLE", Zone(1)), small = _tree.Add("a.example", Zone(2));
        StartedFiles provider = Load(capital);
        Assert.Single(provider.UpdateDirectories(List, new(), _told).Conflicts);
        Assert.Equal(1u, Serial("a.example"));
        File.Delete(capital.Path);
        Assert.Empty(provider.UpdateDirectories(List, new(), _told).Conflicts);
        Assert.Equal((small.Path, 2u), (provider.Find(small.Zone)!.File.Path, Serial("a.example")));

        ZoneFileList List(KnownZoneFile isKnown)
        {
            List<ZoneFile> files = [];
            ZoneDirectory.Read(_tree.Root, "*.zone", files, [], isKnown);
            return new ZoneFileList(files, IsIncomplete: false);
        }
    }

    [Fact]
    public void A_zone_that_is_named_from_now_on_has_that_precedence_and_its_data()
    {
        ZoneFile found = Add("a.example", 3);
        StartedFiles provider = Load(found);
        ZoneSlot before = provider.Registry.Find(found.Zone)!;
        Assert.Equal(ZonePrecedence.Directory, before.Precedence);
        Assert.Empty(Update(provider, new(), found with { IsNamed = true }).Changed);
        ZoneSlot after = provider.Registry.Find(found.Zone)!;
        Assert.Equal((ZonePrecedence.Settings, ZoneState.Serving), (after.Precedence, after.State));
        Assert.Same(before.Zone, after.Zone);
        Assert.Empty(_told.Lines);
    }

    [Fact]
    public void A_second_file_for_a_zone_that_was_seen_is_a_conflict()
    {
        ZoneFile a = Add("a.example");
        StartedFiles provider = Load(a);
        ZoneFile second = a with { FileName = "db.a.example" };
        ZoneUpdateResult result = provider.UpdateDirectories(List, new(), _told);
        Assert.Contains("db.a.example is not served: zone a.example. is that of", Assert.Single(result.Conflicts));
        Assert.Equal(a.FileName, provider.Find(a.Zone)!.File.FileName);

        ZoneFileList List(KnownZoneFile isKnown)
        {
            Assert.True(isKnown(a.Directory, a.FileName));
            Assert.False(isKnown(a.Directory, second.FileName));
            return new ZoneFileList([second], IsIncomplete: false);
        }
    }

    [Fact]
    public void Only_files_that_changed_are_read_again()
    {
        ZoneFile a = Add("a.example"), b = Add("b.example");
        StartedFiles provider = Load(a, b);
        Add("b.example", 2);
        ZoneUpdateResult result = Update(provider, new(), a, b);
        Assert.Equal(["b.example. 1 -> 2"], _told.Lines);
        Assert.Equal((1, 0), (result.Summary.Loaded, result.Summary.Failed));
        Assert.Equal(Names("b.example"), result.Changed);
        Assert.Empty(Update(provider, new(), a, b).Changed);
    }

    [Fact]
    public void The_list_of_a_zone_changes_with_a_reload_and_is_never_forgotten()
    {
        ClientNetworks one = new([IPNetwork.Parse("192.0.2.0/24")]), other = new([]);
        ZoneFile a = Add("a.example") with { AllowQuery = one, IsNamed = true }, b = Add("b.example");
        StartedFiles provider = Load(a, b);
        Assert.Equal((one, null), (Clients("a.example"), Clients("b.example")));
        provider.Reload(Names("a.example"), _told);
        UpdateDirectories(provider, a with { AllowQuery = null, IsNamed = false }, b);
        Update(provider, new() { IsTrial = true }, a with { AllowQuery = null }, b);
        Assert.Equal((one, null), (Clients("a.example"), Clients("b.example")));
        Add("a.example", 2);
        Update(provider, new(), a with { AllowQuery = other }, b with { AllowQuery = one },
            Add("c.example") with { AllowQuery = one });
        Assert.Equal((other, one), (Clients("a.example"), Clients("b.example")));
        Assert.Equal(one, Clients("c.example"));
        provider.Add(Add("d.example") with { AllowQuery = one }, _told);
        Assert.Equal(one, Clients("d.example"));
        Update(provider, new(), a with { AllowQuery = null }, b);
        Assert.Null(Clients("a.example"));
    }

    [Fact]
    public void A_zone_whose_file_has_errors_is_not_added()
    {
        StartedFiles provider = Load(Add("a.example"));
        ZoneSet before = _published.Current;
        ZoneLoadSummary summary = provider.Add(Add("b.example", 5, "@ 60 A 192.0.2.999\n"), _told);
        Assert.Equal((0, 1, 0), (summary.Loaded, summary.Failed, summary.Added));
        Assert.Same(before, _published.Current);
        Assert.Null(provider.Find(DomainName.Parse("b.example")));
    }

    [Fact]
    public void A_zone_keeps_its_file_when_another_one_has_errors_and_changes_to_one_without()
    {
        ZoneFile a = Add("a.example") with { IsNamed = true };
        StartedFiles provider = Load(a);
        provider.Add(Add("b.example", 5, "@ 60 A 192.0.2.999\n") with { Zone = a.Zone }, _told);
        StartedFiles.Known status = provider.Find(a.Zone)!;
        Assert.Equal((a.Path, 1u, null), (status.File.Path, status.Data!.Serial, status.Failure));
        ZoneFile other = Add("c.example", 7) with { Zone = a.Zone };
        ZoneLoadSummary summary = provider.Add(other, _told);
        Assert.Equal((1, 0, 0), (summary.Loaded, summary.Added, summary.Removed));
        Assert.Equal((other.Path, 7u), (provider.Find(a.Zone)!.File.Path, Serial("a.example")));
        Assert.Equal(["a.example. 1 -> errors", "a.example. 1 -> 7"], _told.Lines);
        Assert.Empty(Update(provider, new(), other).Changed);
    }

    private ClientNetworks? Clients(string name) => _published.Current.FindExact(DomainName.Parse(name))!.AllowQuery;

    [Fact]
    public void Zones_come_and_go_and_the_others_keep_their_slots()
    {
        ZoneFile a = Add("a.example"), b = Add("b.example");
        StartedFiles provider = Load(a, b);
        ZoneSet before = _published.Current;
        ZoneSlot kept = before.FindExact(a.Zone)!;
        ZoneUpdateResult result = Update(provider, new(), a, Add("c.example", 7));
        Assert.Equal((1, 1), (result.Summary.Added, result.Summary.Removed));
        Assert.Same(kept, _published.Current.FindExact(a.Zone));
        Assert.Equal((1u, null, 7u), (Serial("a.example"), Serial("b.example"), Serial("c.example")));
        Assert.NotNull(before.FindExact(b.Zone));
        Assert.Null(before.FindExact(DomainName.Parse("c.example")));
    }

    [Fact]
    public void The_set_is_another_only_when_names_come_or_go()
    {
        ZoneFile a = Add("a.example");
        StartedFiles provider = Load(a);
        ZoneSet before = _published.Current;
        Add("a.example", 2);
        Update(provider, new(), a);
        Assert.Same(before, _published.Current);
        Assert.Equal(2u, Serial("a.example"));
    }

    [Fact]
    public void A_new_zone_is_served_when_it_is_reported_as_read()
    {
        ZoneFile a = Add("a.example");
        StartedFiles provider = Load(a);
        List<uint?> served = [];
        _told.OnEach = () => served.Add(Serial("b.example"));
        Assert.Equal(1, UpdateDirectories(provider, a, Add("b.example", 2)).Summary.Added);
        Assert.Equal([2u], served);
    }

    [Fact]
    public void A_new_zone_is_seen_only_with_its_data()
    {
        StartedFiles provider = Load(Add("a.example"));
        bool wasSeenEmpty = false, wasAsked = false;
        _told.OnEach = () =>
        {
            wasAsked = true;
            wasSeenEmpty |= _published.Current.FindExact(DomainName.Parse("sub.a.example")) is { Zone: null };
        };
        Update(provider, new(), Add("a.example"), Add("sub.a.example"));
        Assert.Equal((true, false), (wasAsked, wasSeenEmpty));
        Assert.Equal(1u, Serial("sub.a.example"));
    }

    [Fact]
    public void A_broken_file_keeps_the_data_and_says_why()
    {
        ZoneFile a = Add("a.example", 5);
        StartedFiles provider = Load(a);
        Add("a.example", 6, "@ 60 A 192.0.2.999\n");
        Update(provider, new(), a);
        Assert.Equal(["a.example. 5 -> errors"], _told.Lines);
        StartedFiles.Known status = provider.Find(a.Zone)!;
        Assert.Equal((ZoneState.Stale, 5u), (status.State, status.Data!.Serial));
        Assert.Contains("a.example.zone:3:8: error: ", status.Failure);
        Assert.Empty(Update(provider, new(), a).Changed);
        Assert.Equal(Names("a.example"), Update(provider, new() { ReadsFailed = true }, a).Changed);
        Add("a.example", 7);
        Update(provider, new(), a);
        Assert.Null(provider.Find(a.Zone)!.Failure);
    }

    [Fact]
    public void Data_that_is_good_again_and_was_served_all_the_time_is_reported_as_mended()
    {
        ZoneFile a = Add("a.example", 5);
        StartedFiles provider = Load(a);
        Add("a.example", 6, "@ 60 A 192.0.2.999\n");
        Update(provider, new(), a);
        Add("a.example", 5);
        Update(provider, new(), a);
        Assert.Equal(["a.example. 5 -> errors", "a.example. 5 -> 5", "a.example. mended 5"], _told.Lines);
        _told.Lines.Clear();
        provider.Reload([a.Zone], _told);
        Assert.Equal(["a.example. 5 -> 5"], _told.Lines);
    }

    [Fact]
    public void Other_data_after_an_error_and_a_second_error_are_not_reported_as_mended()
    {
        ZoneFile a = Add("a.example", 5);
        StartedFiles provider = Load(a);
        Add("a.example", 6, "@ 60 A 192.0.2.999\n");
        Update(provider, new(), a);
        provider.Reload([a.Zone], _told);
        Add("a.example", 7);
        Update(provider, new(), a);
        Assert.Equal(["a.example. 5 -> errors", "a.example. 5 -> errors", "a.example. 5 -> 7"], _told.Lines);
    }

    [Fact]
    public void A_file_that_vanishes_keeps_the_data_while_its_zone_is_wanted()
    {
        ZoneFile a = Add("a.example", 5);
        StartedFiles provider = Load(a);
        File.Delete(a.Path);
        Update(provider, new(), a);
        Assert.Equal(5u, Serial("a.example"));
        Assert.Contains("there is no such file", provider.Find(a.Zone)!.Failure);
        Add("a.example", 5);
        Update(provider, new(), a);
        Assert.Null(provider.Find(a.Zone)!.Failure);
    }

    [Fact]
    public void A_zone_that_moves_to_another_file_keeps_its_data_until_that_is_read()
    {
        ZoneFile a = Add("a.example", 5);
        StartedFiles provider = Load(a);
        ZoneFile other = a with { FileName = "elsewhere" };
        Update(provider, new(), other);
        Assert.Equal(5u, Serial("a.example"));
        Assert.Equal("elsewhere", provider.Find(a.Zone)!.File.FileName);
        File.WriteAllText(other.Path, Zone(6));
        Update(provider, new(), other);
        Assert.Equal(6u, Serial("a.example"));
    }

    [Fact]
    public void A_trial_tells_and_does_nothing()
    {
        ZoneFile a = Add("a.example"), b = Add("b.example");
        StartedFiles provider = Load(a, b);
        ZoneSet before = _published.Current;
        Add("a.example", 2);
        ZoneUpdateResult result = Update(provider, new() { IsTrial = true }, a, Add("c.example"));
        Assert.Equal(Names("c.example"), result.Added);
        Assert.Equal(Names("b.example"), result.Removed);
        Assert.Equal(Names("a.example"), result.Changed);
        Assert.Same(before, _published.Current);
        Assert.Equal(1u, Serial("a.example"));
        Assert.Empty(_told.Lines);
    }

    [Fact]
    public void A_list_of_directories_leaves_zones_given_by_name_alone()
    {
        ZoneFile named = Add("a.example") with { IsNamed = true }, b = Add("b.example");
        StartedFiles provider = Load(named, b);
        ZoneFile same = named with { IsNamed = false }, other = same with { FileName = "other" };
        Assert.Equal(Names("b.example"), UpdateDirectories(provider, same).Removed);
        Assert.True(provider.Find(named.Zone)!.File.IsNamed);
        ZoneUpdateResult conflict = UpdateDirectories(provider, other);
        Assert.Contains("zone a.example. is that of", Assert.Single(conflict.Conflicts));
        Assert.Equal(named.FileName, provider.Find(named.Zone)!.File.FileName);
        Assert.Empty(UpdateDirectories(provider).Removed);
    }

    [Fact]
    public void A_list_that_may_lack_zones_removes_none()
    {
        StartedFiles provider = Load(Add("a.example"));
        ZoneUpdateResult result =
            provider.UpdateDirectories(_ => new ZoneFileList([], IsIncomplete: true), new(), _told);
        Assert.Empty(result.Removed);
        Assert.Equal(Names("a.example"), UpdateDirectories(provider).Removed);
    }

    [Fact]
    public void Zones_are_added_and_removed_one_by_one()
    {
        StartedFiles provider = Load(Add("a.example"));
        Assert.Equal((1, 1),
            provider.Add(Add("b.example", 3), _told) is var added ? (added.Loaded, added.Added) : default);
        Assert.Equal((3u, 2), (Serial("b.example"), provider.ZoneCount));
        long bytes = provider.Find(DomainName.Parse("a.example"))!.Data!.MemoryBytes;
        Assert.Equal(new ZoneLoadSummary { Removed = 1, RemovedBytes = bytes },
            provider.Remove(DomainName.Parse("A.example")));
        Assert.Equal(default, provider.Remove(DomainName.Parse("a.example")));
        Assert.Null(_published.Current.FindExact(DomainName.Parse("a.example")));
        Assert.Equal(1, provider.ZoneCount);
    }

    [Fact]
    public void Zones_of_files_take_the_place_of_local_names_at_or_below_them_while_they_are_there()
    {
        StartedFiles provider = new([Add("d.f.ip6.arpa")], _published, 1, hasLocalNames: true);
        Assert.Equal((true, null), (IsLocal("10.in-addr.arpa"), IsLocal("in-addr.arpa")));
        provider.Add(Add("10.in-addr.arpa"), _told);
        Assert.Equal((false, true, false),
            (IsLocal("10.in-addr.arpa"), IsLocal("127.in-addr.arpa"), IsLocal("d.f.ip6.arpa")));
        provider.Add(Add("in-addr.arpa"), _told);
        Assert.Equal((false, null), (IsLocal("10.in-addr.arpa"), IsLocal("127.in-addr.arpa")));
        provider.Remove(DomainName.Parse("10.in-addr.arpa"));
        Assert.Null(IsLocal("10.in-addr.arpa"));
        provider.Remove(DomainName.Parse("in-addr.arpa"));
        provider.Remove(DomainName.Parse("d.f.ip6.arpa"));
        Assert.Equal((true, true, true),
            (IsLocal("10.in-addr.arpa"), IsLocal("127.in-addr.arpa"), IsLocal("d.f.ip6.arpa")));
    }

    /// <summary>Whether a name is a zone without a file; null if it is not a zone.</summary>
    private bool? IsLocal(string name) =>
        _published.Current.FindExact(DomainName.Parse(name)) is { } slot ? slot.GetType() == typeof(ZoneSlot) : null;

    [Theory]
    [InlineData(-400)]
    [InlineData(-1)]
    [InlineData(1)]
    [InlineData(400)]
    public void A_clock_that_jumps_hides_no_change_and_makes_none(int days)
    {
        VirtualClock clock = new(DateTimeOffset.UtcNow);
        ZoneFile[] files = [Add("a.example"), Add("b.example")];
        StartedFiles provider = new(files, _published, 1, clock: clock);
        provider.Load(_told);
        clock.Advance(TimeSpan.FromDays(days));
        Assert.Empty(Update(provider, new(), files).Changed);
        Add("a.example", 2);
        Assert.Equal(Names("a.example"), Update(provider, new(), files).Changed);
        Assert.Empty(Update(provider, new(), files).Changed);
        Add("b.example", 2);
        List<DomainName> touched = [];
        Assert.True(provider.FindTouched(_tree.Root, "b.example.zone", touched));
        Assert.Equal(Names("b.example"), touched);
        provider.Reload(touched, _told);
        Assert.Equal((2u, 2u), (Serial("a.example"), Serial("b.example")));
        clock.Advance(TimeSpan.FromDays(-days));
        Assert.Empty(Update(provider, new(), files).Changed);
    }

    [Fact]
    public void A_zone_can_be_read_again_though_nothing_changed()
    {
        StartedFiles provider = Load(Add("a.example"), Add("b.example"));
        provider.Reload(Names("b.example", "none.example"), _told);
        Assert.Equal(["b.example. 1 -> 1"], _told.Lines);
    }

    [Fact]
    public void A_file_that_says_the_same_leaves_the_data_that_is_there()
    {
        StartedFiles provider = Load(Add("a.example", 3, "www 60 TXT x\n"));
        Zone before = provider.Find(DomainName.Parse("a.example"))!.Data!;
        Add("a.example", 3, "www 60 TXT x\n");
        provider.Reload(Names("a.example"), _told);
        Assert.Same(before, provider.Find(DomainName.Parse("a.example"))!.Data);
        Add("a.example", 3, "www 60 TXT y\n");
        provider.Reload(Names("a.example"), _told);
        Assert.NotSame(before, provider.Find(DomainName.Parse("a.example"))!.Data);
    }

    [Fact]
    public void What_has_not_settled_is_taken_the_next_time()
    {
        ZoneFile a = Add("a.example"), b = Add("b.example"), c = Add("c.example");
        StartedFiles provider = Load(a, b);
        Add("a.example", 2);
        Dictionary<string, ulong> seen = [];
        ZoneUpdate first = new() { IsSettled = (zone, stamp) => !seen.TryAdd(zone.ToString(), stamp) };
        ZoneUpdateResult nothing = Update(provider, first, a, c);
        Assert.Equal((0, 0, 0), (nothing.Added.Count, nothing.Removed.Count, nothing.Changed.Count));
        Assert.Equal(["a.example.", "b.example.", "c.example."], seen.Keys.Order());
        Assert.Equal((0ul, false), (seen["b.example."], seen["a.example."] == 0));
        ZoneUpdateResult all = Update(provider, first, a, c);
        Assert.Equal((1, 1, 1), (all.Added.Count, all.Removed.Count, all.Changed.Count));
    }

    private sealed class Recorder : IZoneLoadObserver
    {
        public List<string> Lines { get; } = [];

        public Action OnEach { get; set; } = () => { };

        public void OnProgress(DomainName zone, string path, long records)
        {
        }

        public void OnRead(DomainName zone, string path, ZoneLoadResult result, Zone? before)
        {
            OnEach();
            lock (Lines)
                Lines.Add(
                    $"{zone} {before?.Serial.ToString() ?? "nothing"} -> {result.Zone?.Serial.ToString() ?? "errors"}");
        }

        public void OnValidAgain(DomainName zone, string path, Zone data)
        {
            lock (Lines) Lines.Add($"{zone} mended {data.Serial}");
        }

        public void OnCrash(DomainName zone, string path, Exception error) => throw error;
    }
}
