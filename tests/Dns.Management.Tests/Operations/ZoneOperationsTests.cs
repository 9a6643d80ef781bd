namespace Dns.Management.Tests.Operations;

public class ZoneOperationsTests
{
    private readonly TelemetrySources _sources = new();

    // Operations refused early need no zone control.
    private ZoneOperations Operations => new(_sources.Status, null!, IFeatureStatus.None);

    [Fact]
    public async Task A_zone_that_is_not_there_is_told_apart_from_what_cannot_be_right()
    {
        DomainName none = DomainName.Parse("none.test.");
        Assert.Equal(OperationError.NotFound,
            Assert.Throws<OperationException>(() => Operations.Read(none, default)).Error);
        Assert.Equal(OperationError.NotFound, Assert.Throws<OperationException>(() => Operations.Remove(none)).Error);
        Assert.Equal(OperationError.NotFound,
            (await Assert.ThrowsAsync<OperationException>(() => Operations.ReloadAsync(none, default))).Error);
        Assert.Equal(OperationError.Invalid,
            Assert.Throws<OperationException>(() => Operations.Add(none, "relative.zone", default)).Error);
    }

    [Theory]
    [InlineData(null, false)]
    [InlineData(28, false)]
    [InlineData(30, true)]
    [InlineData(13, true)]
    public void Another_state_directory_is_advised_only_where_it_helps(int? fault, bool isAdvised)
    {
        Exception? inner = fault switch
        {
            null => null,
            13 => new UnauthorizedAccessException(),
            _ => new IOException("full, or read-only", fault.Value),
        };
        FailingControl control = new(new IOException("state/zones.json: a fault", inner));
        ZoneOperations operations = new(_sources.Status, control, IFeatureStatus.None);
        string why = Assert.Throws<OperationException>(
            () => operations.Add(DomainName.Parse("z.test."), Path.GetFullPath("z.zone"), default)).Message;
        Assert.StartsWith("zone z.test. is not added: state/zones.json: a fault", why);
        Assert.Equal(isAdvised, why.Contains("Dns:StateDirectory"));
    }

    [Fact]
    public void Lost_updates_are_a_line_of_the_status()
    {
        StringWriter text = new();
        ZoneStatus zone = new() { Name = "z.test.", State = "serving", JournalLoss = "serial raised to 9" };
        ZoneTexts.Write(zone, text);
        Assert.Matches("(?m)^lost updates +serial raised to 9$", text.ToString());
    }

    [Fact]
    public void A_list_has_the_broken_zones_alone_or_those_whose_names_begin_with_a_text()
    {
        _sources.AddZone("b.test.", ZoneState.Serving);
        _sources.AddZone("a.test.", ZoneState.Serving);
        _sources.AddZone("bad.test.", ZoneState.Failed, "line 1");
        Assert.Equal(["a.test.", "b.test.", "bad.test."],
            Operations.List(9, false, "").Zones.Select(zone => zone.Name));
        Assert.Equal(["bad.test."], Operations.List(9, true, "").Zones.Select(zone => zone.Name));
        Assert.Equal(["b.test.", "bad.test."], Operations.List(9, false, "B").Zones.Select(zone => zone.Name));
        Assert.Equal((1, 2), (Operations.List(1, false, "").Zones.Count, Operations.List(1, false, "").Left));
        Assert.Equal("bad.test.", Operations.Read(DomainName.Parse("bad.test."), default).Name);
    }

    [Fact]
    public void A_zone_of_a_store_is_removed_there_or_there_is_its_reason()
    {
        DomainName zone = DomainName.Parse("stored.test.");
        Store store = new(_sources.Registry);
        ZoneSlot slot = new(zone);
        _sources.Registry.Change(store, [], [slot]);
        ZoneOperations operations = new(_sources.Status, new FailingControl(null), null!);
        store.Fault = new ZoneWriteFault(ZoneWriteFaultKind.NotStored) { Detail = "no connection" };
        Assert.Equal("zone stored.test. is not removed: it cannot be saved: no connection",
            Assert.Throws<OperationException>(() => operations.Remove(zone)).Message);
        store.Fault = null;
        Assert.Equal("removed from the store", operations.Remove(zone).Lasting);
        Assert.Null(_sources.Status.Find(zone));
        Assert.Equal([(zone, ZoneWriteOrigin.Command), (zone, ZoneWriteOrigin.Command)],
            store.Writes.Select(write => (write.Zone, write.Author.Origin)));
    }

    /// <summary>A source with a writer that removes.</summary>
    private sealed class Store(ZoneRegistry registry) : IZoneSource, IZoneWriter
    {
        public ZoneWriteFault? Fault { get; set; }

        public List<ZoneWrite> Writes { get; } = [];

        public IZoneWriter Writer => this;

        public Task<IReadOnlyList<ZoneWriteResult>> WriteAsync(
            IReadOnlyList<ZoneWrite> writes, CancellationToken cancellation)
        {
            Writes.AddRange(writes);
            if (Fault is null) registry.Change(this, writes.Select(write => registry.Find(write.Zone)!), []);
            return Task.FromResult<IReadOnlyList<ZoneWriteResult>>(
                [Fault is null ? new ZoneWriteResult(null, true, []) : ZoneWriteResult.Of(Fault)]);
        }

        public Task<ZoneLoadSummary> StartAsync(
            ZoneRegistry registry, IZoneLoadObserver observer, CancellationToken cancellation) =>
            Task.FromResult<ZoneLoadSummary>(default);

        public Task<ZoneLoadSummary> ReloadAsync(
            IReadOnlyCollection<DomainName> zones, IZoneLoadObserver observer, CancellationToken cancellation) =>
            Task.FromResult<ZoneLoadSummary>(default);

        public Task StopAsync(CancellationToken cancellation) => Task.CompletedTask;

        public ZoneOrigin OriginOf(ZoneSlot slot) => new("the store", null);
    }

    /// <summary>Zones that can be neither added nor removed, for a reason.</summary>
    private sealed class FailingControl(IOException? error) : IZoneControl
    {
        public string? SettingsFile => null;

        public bool IsLoaded => true;

        public Task Loaded => Task.CompletedTask;

        public string? FileOf(DomainName zone) => null;

        public IReadOnlyList<DomainName> FindUsers(string file) => [];

        public IReadOnlyList<string> FindErrors(DomainName zone, string file, CancellationToken cancellation) => [];

        public Task<ZoneLoadSummary> ReloadAsync(IReadOnlyCollection<DomainName> zones,
            CancellationToken cancellation) => Task.FromResult<ZoneLoadSummary>(default);

        public IReadOnlyList<string> Add(DomainName zone, string file, CancellationToken cancellation) => throw error!;

        public ZoneRemoval? Remove(DomainName zone) => error is null ? null : throw error;

        public ReloadReport Reload(bool isTrial, CancellationToken cancellation) => throw error!;
    }
}
