namespace Dns.Replication.Tests;

/// <summary>Changes of zones from files by other authors than UPDATE messages: the same journal and order.</summary>
public sealed class DynamicZoneWriterTests
{
    private static readonly ZoneAuthor Author = new(ZoneWriteOrigin.Api, "192.0.2.1", "ci");

    private readonly FaultyFiles _files = new();

    [Fact]
    public async Task A_write_is_in_journal_and_history_before_it_is_answered()
    {
        // Large enough that the change is worth keeping.
        string text = UpdatedServer.File + ChangingZone.Bulk();
        UpdatedServer server = new(_files, text: text);
        ZoneWriteResult result = await WriteAsync(server, Adding(server, "www"));
        Assert.Equal((43u, true, 0), (result.Serial, result.IsChanged, result.Faults.Count));
        Assert.Equal(["applied 192.0.2.1 ci -1 +2 43"], server.Told);
        Assert.True(server.History.TryFind(server.Slot, server.Slot.Zone!, 42, out _));
        Assert.Equal(server.Served, new UpdatedServer(_files, text: text).Served);
    }

    [Fact]
    public async Task Writes_and_updates_of_a_zone_follow_each_other_and_share_flushes()
    {
        UpdatedServer server = new(_files);
        await server.UpdateAsync("add first 60 A 192.0.2.9");
        int before = _files.Flushed;
        using ManualResetEventSlim queued = new();
        // The first write waits in its flush until the others are queued.
        _files.BeforeFlush = () => queued.Wait(TimeSpan.FromMinutes(1));
        List<Task<ZoneWriteResult>> writes = [WriteAsync(server, Adding(server, "n0"))];
        while (server.Zones.Waiting == 0) Thread.Yield();
        for (int i = 1; i < 20; i++) writes.Add(WriteAsync(server, Adding(server, $"n{i}")));
        Task<Dns.Testing.Reply> update = server.UpdateAsync("add last 60 A 192.0.2.9");
        queued.Set();
        ZoneWriteResult[] results = await Task.WhenAll(writes);
        Assert.Equal(Rcode.NoError, (await update).Rcode);
        Assert.Equal(20, results.Select(result => result.Serial).Distinct().Count());
        Assert.Equal(43u + 21, server.Slot.Zone!.Serial);
        Assert.InRange(_files.Flushed - before, 1, 4);
        Assert.Equal(server.Served, new UpdatedServer(_files).Served);
        Assert.Equal(0, server.Zones.Waiting);
    }

    [Fact]
    public async Task Another_serial_than_the_expected_one_changes_nothing()
    {
        UpdatedServer server = new(_files);
        ZoneWrite write = ZoneWrite.Change(DeltaOf(server, "www"), Author, expectedSerial: 41);
        ZoneWriteFault fault = Assert.Single((await WriteAsync(server, write)).Faults);
        Assert.Equal(new ZoneWriteFault(ZoneWriteFaultKind.OtherSerial) { Serial = 42 }, fault);
        Assert.Empty(_files.Paths);
    }

    [Fact]
    public async Task What_cannot_be_stored_is_a_reason_and_not_served()
    {
        UpdatedServer server = new(_files);
        _files.Room = 0;
        ZoneWriteFault fault = Assert.Single((await WriteAsync(server, Adding(server, "www"))).Faults);
        Assert.Equal((ZoneWriteFaultKind.NotStored, "no space left on device"), (fault.Kind, fault.Detail));
        Assert.Equal(42u, server.Slot.Zone!.Serial);
    }

    [Fact]
    public async Task Reasons_of_the_zone_are_values()
    {
        UpdatedServer server = new(_files);
        Assert.Equal(ZoneWriteFaultKind.NotWritable, await FaultOfAsync(server,
            ZoneWrite.Remove(server.Slot.Name, Author)));
        Assert.Equal(ZoneWriteFaultKind.ZoneExists, await FaultOfAsync(server,
            ZoneWrite.Add(server.Slot.Zone!, Author)));
        Assert.Equal(ZoneWriteFaultKind.NoZone, await FaultOfAsync(server,
            ZoneWrite.Remove(DomainName.Parse("other.test"), Author)));
        IReadOnlyList<ZoneWriteResult> two =
            await server.Zones.WriteAsync([Adding(server, "a"), Adding(server, "b")], default);
        Assert.Equal(ZoneWriteFaultKind.NotTogether, Assert.Single(two[0].Faults).Kind);
        server.Zones.Freeze(server.Slot, _ => { });
        Assert.Equal(ZoneWriteFaultKind.Frozen, await FaultOfAsync(server, Adding(server, "www")));
        server.IsOfFile = false;
        Assert.Equal(ZoneWriteFaultKind.NotWritable, await FaultOfAsync(server, Adding(server, "www")));
        Assert.Equal(42u, server.Slot.Zone!.Serial);
    }

    [Fact]
    public async Task A_write_whose_author_does_not_wait_any_more_is_not_carried_out()
    {
        UpdatedServer server = new(_files);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => server.Zones.WriteAsync([Adding(server, "www")], new CancellationToken(canceled: true)));
        Assert.Equal(42u, server.Slot.Zone!.Serial);
    }

    private static async Task<ZoneWriteResult> WriteAsync(UpdatedServer server, ZoneWrite write) =>
        Assert.Single(await server.Zones.WriteAsync([write], default).WaitAsync(TimeSpan.FromMinutes(1)));

    private static async Task<ZoneWriteFaultKind> FaultOfAsync(UpdatedServer server, ZoneWrite write) =>
        Assert.Single((await WriteAsync(server, write)).Faults).Kind;

    private static ZoneWrite Adding(UpdatedServer server, string name) =>
        ZoneWrite.Change(DeltaOf(server, name), Author);

    private static ZoneDelta DeltaOf(UpdatedServer server, string name)
    {
        ZoneDeltaBuilder delta = new(server.Slot.Name, 42);
        delta.Add(DomainName.Parse(name + ".z.test").Octets, RRType.A, 300, [192, 0, 2, 9]);
        return delta.Build();
    }
}
