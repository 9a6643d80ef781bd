using System.Diagnostics.CodeAnalysis;
using System.Net;
using Dns.Testing;

namespace Dns.Replication.Tests;

/// <summary>What happens to a secondary zone while its stored copy is being read.</summary>
public sealed class SecondaryLoadingTests : IDisposable
{
    private const string Text = "@ 300 SOA ns h 5 1000 100 5000 60\n@ 300 NS ns\nns 300 A 192.0.2.1";

    private static readonly IPEndPoint First = new(IPAddress.Parse("192.0.2.1"), 53),
        Second = new(IPAddress.Parse("192.0.2.2"), 53);
    private static readonly DomainName Name = DomainName.Parse("z.test");

    private readonly VirtualClock _clock = new();
    private readonly SimulatedNetwork _network;
    private readonly SimulatedServer _first, _second, _ours;
    private readonly FaultyFiles _disk = new();
    private readonly List<uint> _served = [];
    private readonly SlowCopies _copies;
    private readonly RecordingObserver _observer = new();
    private readonly SecondarySource _source;

    public SecondaryLoadingTests()
    {
        _network = new SimulatedNetwork(_clock);
        _first = Primary(First);
        _second = Primary(Second);
        _ours = new SimulatedServer(_clock);
        _ours.Registry.VersionPublished += (_, change) => _served.Add(change.Now.Serial);
        _copies = new SlowCopies(new ZoneCopyFolder("/zones", _disk));
        _source = NewSource(_copies);
    }

    public void Dispose() => _source.Dispose();

    private SecondaryZone Zone => _source.Find(Name)!;

    [Theory]
    [InlineData("NOTIFY", false)]
    [InlineData("NOTIFY", true)]
    [InlineData("a command", false)]
    [InlineData("a command", true)]
    [InlineData("other primaries", false)]
    [InlineData("other primaries", true)]
    public async Task A_refresh_requested_while_the_copy_is_read_follows_it_and_serials_rise(string by, bool isSlow)
    {
        KeepCopy();
        _first.Change("z.test", static _ => { });
        _second.Change("z.test", static _ => { });
        Task<TransferFailure?> refresh = Task.FromResult<TransferFailure?>(null);
        _copies.Read += () =>
        {
            if (by == "NOTIFY") Notify(First.Address);
            else if (by == "a command") refresh = _source.RefreshAsync(Zone, isRetransfer: false, default);
            else _source.UseAsync([Options(Second)], default);
            // A transfer would end before the copy is read.
            if (isSlow) Run(10);
        };
        Start(First);
        Run(1);
        Assert.Equal([5u, 6u], _served);
        Assert.Null(await refresh.WaitAsync(TimeSpan.FromMinutes(1)));
    }

    [Theory]
    [InlineData(null, 5u)]
    [InlineData("the journal ends within a change", 6u)]
    public void A_copy_that_lacks_versions_is_served_and_its_primary_is_queried_at_once(string? problem, uint served)
    {
        KeepCopy();
        _first.Change("z.test", static _ => { });
        _copies.Damage = problem is null ? null : new(CopyFault.Other, problem);
        Start(First);
        Run(1);
        Assert.Equal(5u, _served[0]);
        Assert.Equal(served, _served[^1]);
    }

    [Fact]
    public void Without_a_copy_the_primary_that_notified_while_it_was_looked_for_is_queried_first()
    {
        _copies.Read += () => Notify(Second.Address);
        Start(First, Second);
        Run(1);
        Assert.Equal([5u], _served);
        Assert.Empty(_first.Asked);
    }

    [Fact]
    public async Task A_zone_that_is_removed_while_its_copy_is_read_leaves_nothing_behind()
    {
        KeepCopy();
        Task<TransferFailure?> refresh = Task.FromResult<TransferFailure?>(null);
        _copies.Read += () =>
        {
            refresh = _source.RefreshAsync(Zone, isRetransfer: false, default);
            _source.UseAsync([], default);
        };
        Start(First);
        Run(10);
        Assert.Equal(TransferFailureKind.Cancelled, (await refresh.WaitAsync(TimeSpan.FromMinutes(1)))!.Kind);
        Assert.Equal(0, _copies.DeletedWhileReading);
        Assert.Empty(_served);
        Assert.Empty(_disk.Paths);
    }

    [Fact]
    public async Task A_refresh_ends_where_the_server_stops_while_the_copy_is_read()
    {
        KeepCopy();
        using CancellationTokenSource stopping = new();
        Task<TransferFailure?> refresh = Task.FromResult<TransferFailure?>(null);
        _copies.Read += () =>
        {
            refresh = _source.RefreshAsync(Zone, isRetransfer: false, default);
            stopping.Cancel();
            stopping.Token.ThrowIfCancellationRequested();
        };
        int queries = _network.DatagramsSent;
        _ = _source.UseAsync([Options(First)], default);
        _ = _source.StartAsync(_ours.Registry, null!, stopping.Token);
        Run(10);
        Assert.Equal(TransferFailureKind.Cancelled, (await refresh.WaitAsync(TimeSpan.FromMinutes(1)))!.Kind);
        Assert.Equal(queries, _network.DatagramsSent);
    }

    [Fact]
    public async Task A_change_of_zones_that_fails_is_undone_and_the_next_one_repeats_it()
    {
        Start(First);
        Run(1);
        SecondaryZone removed = Zone;
        DomainName other = DomainName.Parse("y.test");
        ZoneSlot obstacle = new(other);
        _ours.Registry.Change(_source, [], [obstacle]);
        SecondaryZoneOptions[] next = [Options(First) with { Name = other }];
        await Assert.ThrowsAsync<ArgumentException>(() => _source.UseAsync(next, default));
        Assert.Null(_source.Find(other));
        Assert.Same(removed, _ours.Registry.Find(Name));
        _ours.Registry.Change(_source, [obstacle], []);
        await _source.UseAsync(next, default);
        Assert.Null(_source.Find(Name));
        Assert.Null(_ours.Registry.Find(Name));
        Assert.Same(_source.Find(other), _ours.Registry.Find(other));
    }

    [Fact]
    public async Task A_zone_whose_removal_failed_is_served_anew_where_it_returns()
    {
        Start(First);
        Run(1);
        ZoneSlot obstacle = new(DomainName.Parse("y.test"));
        _ours.Registry.Change(_source, [], [obstacle]);
        await Assert.ThrowsAsync<ArgumentException>(
            () => _source.UseAsync([Options(First) with { Name = obstacle.Name }], default));
        await _source.UseAsync([Options(First)], default);
        Run(10);
        Assert.False(Zone.IsGone);
        Assert.Same(Zone, _ours.Registry.Find(Name));
        Assert.Equal(5u, Zone.Zone!.Serial);
    }

    [Fact]
    public void A_handler_that_fails_behind_a_change_is_reported_and_the_zone_is_loaded()
    {
        _observer.Faults = [];
        _ours.Registry.Changed += _ => throw new InvalidOperationException("handler");
        Start(First);
        Run(1);
        Assert.Equal([5u], _served);
        Assert.Equal(["handler"], _observer.Faults);
    }

    [Fact]
    public void A_copy_that_cannot_be_read_because_of_an_exception_is_reported_and_its_primary_is_queried()
    {
        KeepCopy();
        _observer.Faults = [];
        _copies.Read += () => throw new InvalidOperationException("copy");
        Start(First);
        Run(1);
        Assert.Equal([5u], _served);
        Assert.Equal(["copy"], _observer.Faults);
    }

    private SimulatedServer Primary(IPEndPoint address)
    {
        SimulatedServer server = new(_clock);
        server.Publish("z.test", Text);
        _network.Serve(address, server.Answer);
        return server;
    }

    private SecondarySource NewSource(IZoneCopies copies) => new(
        "the test", new SecondaryOptions(), copies, _network.Of(IPAddress.Parse("192.0.2.9")), _observer,
        _clock, new Random(1), work => work());

    private static SecondaryZoneOptions Options(params IPEndPoint[] primaries) =>
        new(Name, [.. primaries.Select(primary => new PeerAddress(primary))]);

    /// <summary>An earlier process leaves its copy.</summary>
    private void KeepCopy()
    {
        using SecondarySource before = NewSource(new ZoneCopyFolder("/zones", _disk));
        before.UseAsync([Options(First)], default);
        before.StartAsync(new SimulatedServer(_clock).Registry, null!, default);
        Run(1);
        Assert.NotEmpty(_disk.Paths);
    }

    private void Start(params IPEndPoint[] primaries)
    {
        _source.UseAsync([Options(primaries)], default);
        _source.StartAsync(_ours.Registry, null!, default);
    }

    private void Run(int seconds) => _clock.Advance(TimeSpan.FromSeconds(seconds));

    private void Notify(IPAddress from)
    {
        byte[] message = (QueryMessage.For("z.test SOA") with { Flags = (int)Opcode.Notify << 11 }).ToOctets();
        IEnumerator<byte[]> replies = _ours.Answer(message, new IPEndPoint(from, 1234), false)!;
        Assert.True(replies.MoveNext());
        Assert.Equal("NOERROR aa", Reply.Read(replies.Current).Header);
    }

    /// <summary>Copies during whose reading something happens.</summary>
    private sealed class SlowCopies(IZoneCopies copies) : IZoneCopies
    {
        private bool _isReading;

        /// <summary>Raised when a copy was read and is not returned yet.</summary>
        public event Action? Read;

        /// <summary>The damage that a copy has nevertheless; null for none.</summary>
        public CopyDamage? Damage { get; set; }

        public int DeletedWhileReading { get; private set; }

        public bool TryLoad(
            DomainName zone, ZoneLimits limits, [NotNullWhen(true)] out ZoneCopy? copy, out CopyDamage? damage,
            CancellationToken cancellation)
        {
            bool isThere = copies.TryLoad(zone, limits, out copy, out damage, cancellation);
            damage ??= Damage;
            _isReading = true;
            Read?.Invoke();
            _isReading = false;
            return isThere;
        }

        public void Save(ZoneCopy copy, IReadOnlyList<ZoneDelta> deltas) => copies.Save(copy, deltas);

        public void SaveTimes(DomainName zone, in ZoneCopyTimes times) => copies.SaveTimes(zone, times);

        public void Delete(DomainName zone)
        {
            if (_isReading) DeletedWhileReading++;
            copies.Delete(zone);
        }
    }
}
