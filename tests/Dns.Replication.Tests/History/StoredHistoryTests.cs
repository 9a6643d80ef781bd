using System.Net;

namespace Dns.Replication.Tests;

/// <summary>The history of zones from files over restarts.</summary>
public sealed class StoredHistoryTests
{
    private const string Copy = "history/z.test.copy", Journal = "history/z.test.copy-journal";

    private readonly FaultyFiles _files = new();
    private bool _isKept = true;

    [Fact]
    [Trait("RFC", "1995 §5")]
    public void After_a_restart_the_changes_from_each_version_are_known()
    {
        Server server = new(this);
        for (uint serial = 1; serial <= 5; serial++) server.Publish(serial);
        server.Stop();

        server = new Server(this);
        server.Publish(5);

        for (uint from = 1; from < 5; from++) Assert.Equal(5 - (int)from, server.Find(from)?.Deltas.Count);
        server.Publish(6);
        Assert.Equal(5, server.Find(1)?.Deltas.Count);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void What_is_stored_of_a_zone_is_read_once_a_secondary_or_the_next_version_needs_it(bool isNext)
    {
        Server server = new(this);
        server.Publish(1);
        server.Publish(2);
        server.Stop();
        List<string> read = [];
        _files.BeforeRead = read.Add;

        server = new Server(this);
        server.Publish(2);
        Assert.Empty(read);
        server.Stop();

        server = new Server(this);
        server.Publish(3);
        Assert.Empty(read);
        if (isNext) server.Publish(4);
        else Assert.NotNull(server.Find(2));
        Assert.Contains(Copy, read);
        server.Stop();

        server = new Server(this);
        server.Publish(isNext ? 4u : 3u);
        AssertLeads(server, 1, server.Zone.Slot.Zone!.Serial);
        Assert.Equal(
            isNext ? [(1, 2), (2, 3), (3, 4)] : (IEnumerable<(uint, uint)>)[(1, 2), (2, 3)], server.SerialsFrom(1));
    }

    [Fact]
    public void A_query_over_udp_reads_no_file_of_a_large_zone_and_the_same_over_tcp_gets_the_difference()
    {
        Server server = new(this);
        server.Publish(1);
        server.Publish(2);
        server.Stop();
        List<string> read = [];
        _files.BeforeRead = read.Add;
        Queue<Action> thread = [];

        server = new Server(this, thread: thread, smallZoneBytes: 1000);
        server.Publish(2);
        byte[] query = TransferCalls.Ixfr("z.test", 1).ToOctets();
        TransferReply reply = server.Transfers.Ask(server.Zone.Slot, query, out byte[] room, isDatagram: true);
        Assert.Single(TransferCalls.Records([room[..reply.Octets]]));
        Assert.Empty(read);
        Assert.Single(thread).Invoke();
        Assert.Contains(Copy, read);
        reply = server.Transfers.Ask(server.Zone.Slot, query, out room, isDatagram: true);
        Assert.NotEqual(1, TransferCalls.Records([room[..reply.Octets]]).Count);

        // Of a small zone at once.
        server = new Server(this);
        server.Publish(2);
        reply = server.Transfers.Ask(server.Zone.Slot, query, out room, isDatagram: true);
        Assert.NotEqual(1, TransferCalls.Records([room[..reply.Octets]]).Count);

        server = new Server(this, smallZoneBytes: 1000);
        server.Publish(2);
        using TransferSequence sequence = server.Transfers.Ask(server.Zone.Slot, query, out _).Sequence!;
        Assert.Equal(SequenceStep.Written, sequence.WriteNext(room, out _));
        Assert.Equal(TransferKind.Changes, sequence.Kind);
    }

    [Fact]
    public void A_file_that_changed_while_the_server_was_down_is_one_more_difference()
    {
        Server server = new(this);
        server.Publish(1);
        server.Publish(2);
        server.Stop();

        server = new Server(this);
        server.Publish(7);

        Assert.Equal([(1u, 2u), (2u, 7u)], server.SerialsFrom(1));
        Zone made = ZoneEditor.From(VersionOf(2)).Apply(server.Find(2)!.Deltas[0]).Zone!;
        Assert.Equal(ChangingZone.TextOf(VersionOf(7)), ChangingZone.TextOf(made));
        server.Stop();

        server = new Server(this);
        server.Publish(7);
        Assert.Equal([(1u, 2u), (2u, 7u)], server.SerialsFrom(1));
    }

    [Fact]
    public void A_zone_that_never_changed_has_the_difference_to_its_first_version()
    {
        Server server = new(this);
        server.Publish(1);
        server.Stop();

        server = new Server(this);
        server.Publish(2);

        Assert.Equal([(1u, 2u)], server.SerialsFrom(1));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Other_content_under_the_stored_serial_has_no_history(bool isQueried)
    {
        Server server = new(this);
        server.Publish(1);
        server.Publish(2);
        server.Stop();

        server = new Server(this);
        server.Zone.Publish(2, ChangingZone.Bulk(), "other A 192.0.2.7");
        if (isQueried) Assert.Null(server.Find(1));
        server.Publish(3);
        Assert.Null(server.Find(2));
        server.Publish(4);
        Assert.Equal([(3u, 4u)], server.SerialsFrom(3));
    }

    [Fact, Trait("RFC", "1982 §3.2")]
    public void A_serial_that_went_back_while_the_server_was_down_has_no_history()
    {
        Server server = new(this);
        server.Publish(4);
        server.Publish(5);
        server.Stop();

        server = new Server(this);
        server.Publish(3);
        Assert.Null(server.Find(4));
        server.Publish(4);
        server.Stop();

        server = new Server(this);
        server.Publish(4);
        Assert.Equal([(3u, 4u)], server.SerialsFrom(3));
    }

    [Fact]
    public void Wherever_a_crash_cuts_the_journal_no_wrong_difference_is_known()
    {
        Server server = new(this);
        for (uint serial = 1; serial <= 4; serial++) server.Publish(serial);
        server.Stop();
        byte[] copy = _files[Copy], journal = _files[Journal];
        for (int length = 0; length <= journal.Length; length += 5)
        {
            (_files[Copy], _files[Journal]) = (copy, journal[..length]);
            server = new Server(this);
            server.Publish(5);
            Assert.NotNull(server.Find(1));
            for (uint from = 1; from < 5; from++) AssertLeads(server, from, 5);
        }
    }

    [Fact]
    public void Wherever_a_crash_cuts_or_changes_the_copy_no_wrong_difference_is_known()
    {
        Server server = new(this);
        server.Publish(1);
        server.Publish(2);
        server.Stop();
        byte[] copy = _files[Copy], journal = _files[Journal];
        for (int at = 0; at < copy.Length; at += 37)
        {
            byte[] changed = [.. copy];
            changed[at] ^= 0x40;
            foreach (byte[] damaged in (byte[][])[copy[..at], changed])
            {
                (_files[Copy], _files[Journal]) = (damaged, journal);
                server = new Server(this);
                server.Publish(3);
                AssertLeads(server, 1, 3);
                AssertLeads(server, 2, 3);
                server.Publish(4);
                AssertLeads(server, 3, 4);
            }
        }
    }

    [Fact]
    public void A_version_that_cannot_be_stored_is_served_and_the_next_one_is_stored()
    {
        Server server = new(this);
        server.Publish(1);
        _files.Room = 10;
        server.Publish(2);
        Assert.Equal(2u, server.Zone.Slot.Zone!.Serial);
        Assert.Equal(["z.test.: no space left on device"], server.Faults);
        _files.Room = long.MaxValue;
        server.Publish(3);
        server.Stop();

        server = new Server(this);
        server.Publish(3);
        Assert.Equal([(2u, 3u)], server.SerialsFrom(2));
        AssertLeads(server, 1, 3);
    }

    [Fact]
    public void A_damaged_copy_is_reported_and_replaced()
    {
        Server server = new(this);
        server.Publish(1);
        server.Stop();
        _files[Copy] = [1, 2, 3];

        server = new Server(this);
        server.Publish(1);
        Assert.Null(server.Find(0));
        Assert.Equal(["z.test.: history/z.test.copy: it is no copy of a zone"], server.Faults);
        server.Stop();

        server = new Server(this);
        server.Publish(2);
        Assert.Empty(server.Faults);
        Assert.Equal([(1u, 2u)], server.SerialsFrom(1));
    }

    [Fact]
    public void A_removed_zone_leaves_no_files()
    {
        Server server = new(this);
        server.Publish(1);
        server.Publish(2);
        Assert.Equal([Copy, Journal], _files.Paths.Order());
        server.Zone.Registry.Change(server.Zone, [server.Zone.Slot], []);
        Assert.Empty(_files.Paths);
    }

    [Fact]
    public void A_zone_that_is_not_kept_has_no_files()
    {
        _isKept = false;
        Server server = new(this);
        server.Publish(1);
        server.Publish(2);
        Assert.Empty(_files.Paths);
    }

    [Fact]
    public void A_zone_above_the_bound_has_no_files()
    {
        Server server = new(this, maxZoneBytes: 1000);
        server.Publish(1);
        server.Publish(2);
        Assert.Empty(_files.Paths);
    }

    [Fact]
    public void Of_more_than_10_000_zones_each_is_stored_at_its_first_change()
    {
        Server server = new(this);
        server.Zone.Registry.Change(server.Zone, [], Enumerable.Range(0, StoredHistory.MaxUnchangedZones)
            .Select(i => new ZoneSlot(DomainName.Parse($"z{i}.test"))));
        server.Publish(1);
        Assert.Empty(_files.Paths);
        server.Publish(2);
        Assert.Equal([Copy], _files.Paths);
        server.Publish(3);
        server.Stop();

        server = new Server(this);
        server.Publish(3);
        Assert.Equal([(2u, 3u)], server.SerialsFrom(2));
    }

    [Fact]
    public void While_another_process_stores_versions_this_one_writes_nothing()
    {
        Server before = new(this);
        before.Publish(1);
        Server after = new(this, isHeld: true);
        after.Publish(1);
        before.Publish(2);
        int octets = _files[Journal].Length;
        after.Publish(2);
        Assert.Equal(octets, _files[Journal].Length);
        before.Stop();
        after.Handover.Complete();
        after.Publish(3);
        after.Stop();

        after = new Server(this);
        after.Publish(3);
        Assert.Equal([(2u, 3u)], after.SerialsFrom(2));
        AssertLeads(after, 1, 3);
    }

    [Fact]
    public void After_the_stop_nothing_is_written()
    {
        Server server = new(this);
        server.Publish(1);
        server.Stop();
        server.Publish(2);
        Assert.Equal([Copy], _files.Paths);
    }

    // A version of each serial, with a letter case and TTLs of its own.
    private static string[] RecordsOf(uint serial) =>
        [
            ChangingZone.Bulk(100), $"UPPER-{serial} A 192.0.2.7", $"ttl {300 + serial} TXT \"{serial}\" \"Z\"",
            "Same MX 1 A.z.test.",
        ];

    private static Zone VersionOf(uint serial) => ChangingZone.Load(serial, RecordsOf(serial));

    private static void AssertLeads(Server server, uint from, uint to)
    {
        if (server.Find(from) is not { } found) return;
        Zone made = VersionOf(from);
        foreach (ZoneDelta delta in found.Deltas) made = ZoneEditor.From(made).Apply(delta).Zone!;
        Assert.Equal(ChangingZone.TextOf(VersionOf(to)), ChangingZone.TextOf(made));
    }

    /// <summary>A server from its start to its stop, with one zone.</summary>
    private sealed class Server : IHistoryObserver
    {
        private readonly ZoneHistory _history;

        public Server(
            StoredHistoryTests test, bool isHeld = false, long maxZoneBytes = 1 << 20, Queue<Action>? thread = null,
            long smallZoneBytes = 1 << 20)
        {
            _history = new() { SmallZoneBytes = smallZoneBytes };
            Stored = new StoredHistory("history", test._files, _history, _ => test._isKept, ZoneLimits.Default, this)
            {
                Start = thread is null ? run => run() : thread.Enqueue,
                MaxZoneBytes = maxZoneBytes, Handover = Handover,
            };
            if (isHeld) Handover.Begin();
            PeerList all = new([new PeerRule([IPNetwork.Parse("127.0.0.0/8")], null)]);
            Transfers = new OutgoingTransfers(TimeProvider.System, _ => all) { History = _history };
            _history.Follow(Zone.Registry);
            Stored.Follow(Zone.Registry);
        }

        public ChangingZone Zone { get; } = new();

        public StoredHistory Stored { get; }

        public Handover Handover { get; } = new();

        public OutgoingTransfers Transfers { get; }

        public List<string> Faults { get; } = [];

        public void Publish(uint serial) => Zone.Publish(serial, RecordsOf(serial));

        public void Stop() => Stored.Dispose();

        public ZoneChanges? Find(uint from) =>
            _history.TryFind(Zone.Slot, Zone.Slot.Zone!, from, out ZoneChanges? changes) ? changes : null;

        public IEnumerable<(uint, uint)> SerialsFrom(uint from) =>
            Find(from)?.Deltas.Select(delta => (delta.SerialFrom, delta.SerialTo)) ?? [];

        public void OnHistoryBroken(DomainName zone, string problem) => Faults.Add($"{zone}: {problem}");

        public void OnHistoryNotStored(DomainName zone, string reason) => Faults.Add($"{zone}: {reason}");
    }
}
