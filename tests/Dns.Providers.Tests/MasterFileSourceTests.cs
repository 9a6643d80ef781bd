using System.Collections.Concurrent;

namespace Dns.Providers.Tests;

public sealed class MasterFileSourceTests : IDisposable
{
    private readonly ZoneTree _tree = new();
    private readonly PublishedZones _published = new();
    private readonly Watcher _watcher = new();

    public void Dispose() => _tree.Dispose();

    private ZoneSlot Slot(string name) => _published.Current.FindExact(DomainName.Parse(name))!;

    [Fact]
    public void Every_zone_is_loading_before_any_file_is_read()
    {
        _ = new StartedFiles([_tree.Missing("a.example"), _tree.Missing("b.example")], _published, 1);
        Assert.Equal(ZoneState.Loading, Slot("a.example").State);
        Assert.Equal(ZoneState.Loading, Slot("b.example").State);
    }

    [Fact]
    public void A_loaded_zone_is_served()
    {
        StartedFiles provider = new([_tree.Add("a.example")], _published, 1);
        ZoneLoadSummary summary = provider.Load(_watcher);
        Assert.Equal(ZoneState.Serving, Slot("a.example").State);
        Assert.Equal((1, 0, 2L), (summary.Loaded, summary.Failed, summary.Records));
        Assert.True(summary.MemoryBytes > 0);
    }

    [Fact]
    public void A_broken_zone_fails_with_its_first_error_and_the_others_are_served()
    {
        StartedFiles provider = new(
            [_tree.Add("a.example"), _tree.Add("bad.example", "@ 60 A 192.0.2.999\n"), _tree.Missing("none.example"),
                _tree.Add("z.example")],
            _published, 2);
        ZoneLoadSummary summary = provider.Load(_watcher);
        Assert.Equal((2, 2), (summary.Loaded, summary.Failed));
        Assert.Equal(ZoneState.Serving, Slot("a.example").State);
        Assert.Equal(ZoneState.Serving, Slot("z.example").State);
        Assert.Equal(ZoneState.Failed, Slot("bad.example").State);
        Assert.Contains("bad.example.zone:1:8: error: ", Slot("bad.example").Failure?.Text);
        Assert.Contains("none.example.zone: error: ", Slot("none.example").Failure?.Text);
    }

    [Fact]
    public void The_observer_is_told_of_every_zone_after_it_was_published()
    {
        StartedFiles provider = new([_tree.Add("a.example"), _tree.Add("b.example")], _published, 2);
        _watcher.StateOf = zone => Slot(zone.ToString()).State;
        provider.Load(_watcher);
        Assert.Equal(
            ["a.example.zone Serving", "b.example.zone Serving"],
            _watcher.Read.Order());
    }

    [Theory]
    [InlineData(1)]
    [InlineData(4)]
    [InlineData(1000)]
    public void Many_zones_are_read_once_each_by_any_number_of_threads(int threads)
    {
        ZoneFile[] files = [.. Enumerable.Range(0, 200).Select(i => _tree.Add($"z{i}.example"))];
        ZoneLoadSummary summary = new StartedFiles(files, _published, threads).Load(_watcher);
        Assert.Equal((200, 200), (summary.Loaded, _watcher.Read.Distinct().Count()));
        Assert.Equal(200, _watcher.Read.Count);
    }

    [Fact]
    public void No_zones_are_nothing_to_do() =>
        Assert.Equal(default, new StartedFiles([], _published, 1).Load(_watcher));

    [Fact]
    public void A_zone_beyond_its_limits_is_not_served()
    {
        ZoneFile[] files = [_tree.Add("a.example"), _tree.Add("b.example", ZoneTree.Good + "@ 60 TXT x\n")];
        StartedFiles provider = new(files, _published, 1, limits: new ZoneLimits(1, 2));
        ZoneLoadSummary summary = provider.Load(_watcher);
        Assert.Equal((1, 1), (summary.Loaded, summary.Failed));
        Assert.Contains("expected at most 2 types", provider.Find(files[1].Zone)!.Failure);
    }

    [Fact]
    public void Cancelled_loading_leaves_the_zones_loading()
    {
        StartedFiles provider = new([_tree.Add("a.example")], _published, 1);
        ZoneLoadSummary summary = provider.Load(_watcher, new CancellationToken(canceled: true));
        Assert.Equal(0, summary.Loaded);
        Assert.Equal(ZoneState.Loading, Slot("a.example").State);
    }

    [Fact]
    public void A_file_name_that_no_system_takes_fails_one_zone()
    {
        ZoneFile impossible = new(DomainName.Parse("x.example"), _tree.Root, "a\0b");
        ZoneLoadSummary summary = new StartedFiles([impossible, _tree.Add("a.example")], _published, 1).Load(_watcher);
        Assert.Equal((1, 1), (summary.Loaded, summary.Failed));
        Assert.Equal(ZoneState.Failed, Slot("x.example").State);
    }

    [Fact]
    public void An_exception_on_the_way_of_one_zone_is_told_and_the_next_is_read()
    {
        _watcher.StateOf =
            zone => zone.ToString() == "a.example." ? throw new InvalidOperationException("a fault") : "read";
        ZoneFileReading.Read([_tree.Add("a.example"), _tree.Add("b.example")], 1, _watcher, default);
        Assert.Equal(["a.example.zone crashed: a fault", "b.example.zone read"], _watcher.Read.Order());
    }

    [Fact]
    public void A_zone_whose_reading_crashes_counts_as_failed()
    {
        StartedFiles provider = new([_tree.Add("a.example")], _published, 1, clock: new BrokenClock());
        ZoneLoadSummary summary = provider.Load(_watcher);
        Assert.Equal((0, 1), (summary.Loaded, summary.Failed));
        Assert.Equal(["a.example.zone crashed: no clock"], _watcher.Read);
        Assert.Equal((ZoneState.Failed, "no clock"), (Slot("a.example").State, Slot("a.example").Failure?.Text));
    }

    [Fact]
    public void An_error_in_the_claim_of_a_new_zone_is_reported_and_the_next_is_read()
    {
        StartedFiles provider = new([], _published, 1);
        provider.Registry.Changed += change =>
        {
            if (change.Added.Any(slot => slot.Name.ToString() == "a.example."))
                throw new InvalidOperationException("a fault");
        };
        ZoneLoadSummary summary =
            provider.Update([_tree.Add("a.example"), _tree.Add("b.example")], new(), _watcher).Summary;
        Assert.Equal(["a.example.zone crashed: a fault", "b.example.zone "], _watcher.Read.Order());
        Assert.Equal((1, 1), (summary.Loaded, summary.Failed));
    }

    [Fact]
    public void A_crash_is_reported_before_an_error_in_the_claim_ends_the_update()
    {
        StartedFiles provider = new([], _published, 1, clock: new BrokenClock());
        provider.Registry.Changed += _ => throw new InvalidOperationException("a fault");
        ZoneFile file = _tree.Add("a.example");
        Assert.Equal("a fault",
            Assert.Throws<InvalidOperationException>(() => provider.Update([file], new(), _watcher)).Message);
        Assert.Equal(["a.example.zone crashed: no clock"], _watcher.Read);
    }

    private sealed class BrokenClock : TimeProvider
    {
        public override DateTimeOffset GetUtcNow() => throw new InvalidOperationException("no clock");
    }

    [Fact]
    public void Two_zones_of_one_name_are_refused() =>
        Assert
            .Throws<ArgumentException>(() => new StartedFiles([_tree.Missing("a"), _tree.Missing("A")], _published, 1));

    private sealed class Watcher : IZoneLoadObserver
    {
        public ConcurrentBag<string> Read { get; } = [];

        public Func<DomainName, object> StateOf { get; set; } = _ => "";

        public void OnProgress(DomainName zone, string path, long records)
        {
        }

        public void OnRead(DomainName zone, string path, ZoneLoadResult result, Zone? before) =>
            Read.Add($"{Path.GetFileName(path)} {StateOf(zone)}");

        public void OnCrash(DomainName zone, string path, Exception error) =>
            Read.Add($"{Path.GetFileName(path)} crashed: {error.Message}");
    }
}
