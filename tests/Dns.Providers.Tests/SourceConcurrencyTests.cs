using Dns.Testing;

namespace Dns.Providers.Tests;

/// <summary>Concurrency: a zone that is slow to read, and other work meanwhile.</summary>
public sealed class SourceConcurrencyTests : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);
    private readonly ZoneTree _tree = new();
    private readonly VirtualClock _clock = new();
    private readonly ZoneRegistry _registry = new(new PublishedZones());
    private readonly Gate _gate;
    private readonly MasterFileSource _source;
    private readonly ZoneFile _large;

    public SourceConcurrencyTests()
    {
        _large = _tree.Add("large.example") with { IsNamed = true };
        _gate = new(_large.Zone);
        _source = new("files", [_large], new ZoneReaders(1, _clock)) { Overlay = _gate };
    }

    public void Dispose()
    {
        _gate.Open.Set();
        _tree.Dispose();
    }

    private Zone? Served(string name) => _registry.Find(DomainName.Parse(name))?.Zone;

    /// <summary>Begins to read the large zone, until the gate opens.</summary>
    private Task<ZoneLoadSummary> Begin()
    {
        Task<ZoneLoadSummary> start = _source.StartAsync(_registry, new SilentObserver(), default);
        Assert.True(_gate.Reached.Wait(Patience));
        _clock.Advance(ZoneReaders.LongAfter);
        return start;
    }

    [Fact]
    public async Task A_zone_that_takes_long_holds_up_neither_a_new_one_nor_a_reload()
    {
        Task<ZoneLoadSummary> start = Begin();
        ZoneFile small = _tree.Add("small.example") with { IsNamed = true };
        ReadZone read = await _source.ReadAsync(small, new SilentObserver(), default).WaitAsync(Patience);
        Assert.Equal(1, _source.Add(read).Added);
        Assert.NotNull(Served("small.example"));
        Assert.Equal(1,
            (await _source.ReloadAsync([small.Zone], new SilentObserver(), default).WaitAsync(Patience)).Loaded);
        ZoneUpdateResult update = await _source.UpdateAsync([_large, small], new(), new SilentObserver(), default)
            .WaitAsync(Patience);
        Assert.Empty(update.Changed);
        Assert.Equal(1, _source.Remove(small.Zone).Removed);
        Assert.False(start.IsCompleted);
        _gate.Open.Set();
        Assert.Equal(1, (await start.WaitAsync(Patience)).Loaded);
        Assert.NotNull(Served("large.example"));
    }

    [Fact]
    public async Task Two_comparisons_while_a_new_zone_is_read_add_it_once()
    {
        await StartEmptyAsync();
        Task<ZoneUpdateResult> first = _source.UpdateAsync([_large], new(), new SilentObserver(), default);
        Assert.True(_gate.Reached.Wait(Patience));
        Assert.Null(_registry.Find(_large.Zone));
        _clock.Advance(ZoneReaders.LongAfter);
        ZoneUpdateResult second =
            await _source.UpdateAsync([_large], new(), new SilentObserver(), default).WaitAsync(Patience);
        Assert.Empty(second.Added);
        _gate.Open.Set();
        Assert.Equal(1, (await first.WaitAsync(Patience)).Summary.Added);
        Assert.NotNull(Served("large.example"));
        Assert.Equal(1, _source.ZoneCount);
    }

    [Fact]
    public async Task A_new_zone_that_is_taken_out_while_it_is_read_does_not_come()
    {
        await StartEmptyAsync();
        Task<ZoneUpdateResult> first = _source.UpdateAsync([_large], new(), new SilentObserver(), default);
        Assert.True(_gate.Reached.Wait(Patience));
        _clock.Advance(ZoneReaders.LongAfter);
        await _source.UpdateAsync([], new(), new SilentObserver(), default).WaitAsync(Patience);
        _gate.Open.Set();
        Assert.Equal(0, (await first.WaitAsync(Patience)).Summary.Added);
        Assert.Null(_registry.Find(_large.Zone));
    }

    [Fact]
    public async Task A_reload_that_reads_a_new_zone_first_adds_it_before_it_is_reported_as_read()
    {
        await StartEmptyAsync();
        ZoneFile b = _tree.Add("b.example") with { IsNamed = true }, c = _tree.Add("c.example") with { IsNamed = true };
        Task<ZoneUpdateResult> update = _source.UpdateAsync([_large, b, c], new(), new SilentObserver(), default);
        Assert.True(_gate.Reached.Wait(Patience));
        // The only reader has the large zone; lists take turns, so c.example is read by the reload first.
        Reports reports = new(() => Served("c.example") is not null);
        Task<ZoneLoadSummary> reload = _source.ReloadAsync([c.Zone], reports, default);
        _gate.Open.Set();
        Assert.Equal(1, (await reload.WaitAsync(Patience)).Added);
        Assert.Equal([true], reports.Served);
        Assert.Equal(2, (await update.WaitAsync(Patience)).Summary.Added);
    }

    /// <summary>With no zones: the large one is taken out before it is read.</summary>
    private async Task StartEmptyAsync()
    {
        await _source.StartAsync(_registry, new SilentObserver(), new CancellationToken(canceled: true));
        _source.Remove(_large.Zone);
    }

    [Fact]
    public async Task A_stop_ends_what_is_read_and_waits_for_it()
    {
        Task<ZoneLoadSummary> start = Begin();
        Task<ZoneLoadSummary> waiting = _source.ReloadAsync([_large.Zone], new SilentObserver(), default);
        Task stop = _source.StopAsync(default);
        Assert.False(stop.IsCompleted);
        _gate.Open.Set();
        await stop.WaitAsync(Patience);
        await Task.WhenAll(start, waiting).WaitAsync(Patience);
        Assert.Equal(0, (await waiting).Loaded);
    }

    [Fact]
    public async Task A_loser_is_loaded_and_served_when_the_winner_is_withdrawn()
    {
        _gate.Open.Set();
        MasterFileSource commands = new("commands", [_large with { IsNamed = true }], new ZoneReaders(1))
            { Precedence = ZonePrecedence.Command };
        await commands.StartAsync(_registry, new SilentObserver(), default);
        await _source.StartAsync(_registry, new SilentObserver(), default);
        Assert.Same(_source, _registry.Find(_large.Zone)!.Source);
        Assert.Equal(
            $"zone large.example. comes from files, {_large.Path}; that of commands, {_large.Path} is not served as " +
                $"long as it does",
            Assert.Single(_registry.Conflicts).ToString());
        _source.Remove(_large.Zone);
        Assert.Same(commands, _registry.Find(_large.Zone)!.Source);
        Assert.NotNull(Served("large.example"));
    }

    /// <summary>Records whether a zone is served when a read is reported.</summary>
    private sealed class Reports(Func<bool> isServed) : IZoneLoadObserver
    {
        public List<bool> Served { get; } = [];

        public void OnProgress(DomainName zone, string path, long records)
        {
        }

        public void OnRead(DomainName zone, string path, ZoneLoadResult result, Zone? before) =>
            Served.Add(isServed());

        public void OnCrash(DomainName zone, string path, Exception error) => throw error;
    }

    /// <summary>Signals when the read of a zone begins, and blocks it until the gate opens.</summary>
    private sealed class Gate(DomainName zone) : IZoneOverlay
    {
        public ManualResetEventSlim Reached { get; } = new();

        public ManualResetEventSlim Open { get; } = new();

        /// <summary>Called once for each read.</summary>
        public bool Covers(ZoneSlot slot)
        {
            if (!slot.Name.Equals(zone)) return false;
            Reached.Set();
            Assert.True(Open.Wait(Patience));
            return false;
        }

        public ZoneLoadResult Publish(ZoneSlot slot, ZoneLoadResult read, string path, DateTimeOffset now) =>
            throw new InvalidOperationException("covers no zone");

        public string? FindConflict(DomainName zone, Zone read, string path) => null;

        public void Abandon(DomainName zone)
        {
        }
    }
}
