using System.Net;
using Dns.Testing;

namespace Dns.Replication.Tests;

/// <summary>Outgoing IXFR.</summary>
public sealed class OutgoingChangesTests : ITransferObserver
{
    private static readonly TsigKey Key = new(DomainName.Parse("k1."), TsigAlgorithm.HmacSha256, new byte[32]);

    private readonly VirtualClock _clock = new();
    private readonly ChangingZone _zone = new();
    private readonly ZoneHistory _history = new();
    private readonly List<TransferSummary> _ended = [];
    private readonly OutgoingTransfers _transfers;

    public OutgoingChangesTests()
    {
        _history.Follow(_zone.Registry);
        PeerList everybody = new([new PeerRule([IPNetwork.Parse("127.0.0.0/8")], null)]);
        _transfers = new OutgoingTransfers(_clock, _ => everybody)
        {
            History = _history, Observer = this, Keys = new TsigKeyRing([Key]),
        };
    }

    [Fact, Trait("RFC", "1995 §4")]
    public void One_change_is_what_goes_and_what_comes_each_behind_its_soa()
    {
        PublishMany(1, 2);
        Assert.Equal(
            [Soa(2), Soa(1), "a1.z.test. 300 A 192.0.2.7", Soa(2), "a2.z.test. 300 A 192.0.2.7", Soa(2)], Changes(1));
    }

    [Fact, Trait("RFC", "1995 §5")]
    public void Several_changes_are_made_one()
    {
        PublishMany(1, 6);
        Assert.Equal(
            [Soa(6), Soa(1), "a1.z.test. 300 A 192.0.2.7", Soa(6), "a6.z.test. 300 A 192.0.2.7", Soa(6)], Changes(1));
    }

    [Fact]
    public void Changes_are_made_one_when_first_pulled_not_for_a_query_that_is_refused()
    {
        _zone.Publish(1, ChangingZone.Bulk(9000));
        for (uint serial = 2; serial <= 20; serial++)
            _zone.Publish(serial, ChangingZone.Bulk(9000), $"$GENERATE 1-200 new{serial}-$ TXT $");
        byte[] query = TransferCalls.Ixfr("z.test", 1).ToOctets();
        long refused = AllocatedOctets.Least(() =>
        {
            using TransferSequence sequence = _transfers.Ask(_zone.Slot, query, out byte[] room).Sequence!;
            Assert.InRange(sequence.Refuse(room, Rcode.ServFail), 12, 512);
        });
        long pulled = AllocatedOctets.Least(() => Start(1).Pull());
        Assert.InRange(refused, 0, pulled / 6);
    }

    [Fact, Trait("RFC", "1995 §4")]
    public void Changes_of_too_many_records_to_be_made_one_come_one_after_the_other()
    {
        string many = $"$GENERATE 1-{CondensedDelta.MaxRecords} many-$ A 192.0.2.3";
        string[] bulk = [$"$GENERATE 1-{CondensedDelta.MaxRecords * 3} host-$ A 192.0.2.9"];
        _zone.Publish(1, bulk);
        _zone.Publish(2, [.. bulk, many]);
        _zone.Publish(3, [.. bulk, many, "last A 192.0.2.4"]);
        List<string> records = Changes(1);
        Assert.Equal([Soa(3), Soa(1), Soa(2), "many-1.z.test. 300 A 192.0.2.3"], records[..4]);
        Assert.Equal([Soa(2), Soa(3), "last.z.test. 300 A 192.0.2.4", Soa(3)], records[^4..]);
        Assert.Equal(CondensedDelta.MaxRecords + 7, records.Count);
        Assert.True(_transfers.Counters.Octets > ushort.MaxValue, "it is several messages");
    }

    [Theory]
    [InlineData(512)]
    [InlineData(600)]
    [InlineData(4096)]
    public void Messages_fit_into_the_room_that_there_is(int room)
    {
        _zone.Publish(1, ChangingZone.Bulk(900));
        _zone.Publish(2, ChangingZone.Bulk(900), "$GENERATE 1-100 new-$ TXT $");
        List<byte[]> messages = Start(1).Pull(room);
        Assert.True(messages.Count >= (room < 1000 ? 4 : 1));
        Assert.All(messages, message => Assert.InRange(message.Length, 12, room));
        Assert.Equal(104, TransferCalls.Records(messages).Count);
        Assert.All(messages[1..], message => Assert.Empty(Reply.Read(message).Question));
    }

    [Fact, Trait("RFC", "1982 §3.2")]
    public void A_serial_that_goes_round_is_found()
    {
        _zone.Publish(uint.MaxValue, ChangingZone.Bulk());
        _zone.Publish(1, ChangingZone.Bulk(), "a1 A 192.0.2.7");
        Assert.Equal([Soa(1), Soa(uint.MaxValue), Soa(1), "a1.z.test. 300 A 192.0.2.7", Soa(1)],
            Changes(uint.MaxValue));
    }

    [Fact, Trait("RFC", "1995 §4")]
    public void A_serial_that_is_not_known_gets_the_whole_zone()
    {
        PublishMany(3, 5);
        AssertWhole(1);
        AssertWhole(2);
    }

    [Fact]
    public void Changes_as_long_as_the_zone_are_not_sent()
    {
        _zone.Publish(1, "$GENERATE 1-20 old-$ A 192.0.2.9");
        _zone.Publish(2, "$GENERATE 1-20 new-$ A 192.0.2.9");
        AssertWhole(1);
    }

    [Fact, Trait("RFC", "1995 §2")]
    public void Over_datagrams_come_the_changes_that_fit()
    {
        PublishMany(1, 4);
        TransferReply reply =
            _transfers.Ask(_zone.Slot, TransferCalls.Ixfr("z.test", 1).ToOctets(), out byte[] room, isDatagram: true);
        Assert.Null(reply.Sequence);
        Assert.InRange(reply.Octets, 100, 512);
        Assert.Equal(
            [Soa(4), Soa(1), "a1.z.test. 300 A 192.0.2.7", Soa(4), "a4.z.test. 300 A 192.0.2.7", Soa(4)],
            TransferCalls.Records([room[..reply.Octets]]));
        Assert.Equal(TransferKind.Changes, Assert.Single(_ended).Kind);
        Assert.Equal(0, _transfers.Running);
    }

    [Theory, Trait("RFC", "1995 §2")]
    [InlineData(10, 512, 14)]
    [InlineData(30, 512, 1)]
    [InlineData(30, 1232, 34)]
    [InlineData(90, 1232, 1)]
    public void Over_datagrams_comes_the_soa_where_the_changes_do_not_fit(int count, int payload, int expected)
    {
        _zone.Publish(1, ChangingZone.Bulk(900));
        _zone.Publish(2, ChangingZone.Bulk(900), $"$GENERATE 1-{count} new-$ A 192.0.2.1");
        QueryMessage query = TransferCalls.Ixfr("z.test", 1);
        if (payload > 512) query = query.WithEdns(payload);
        TransferReply reply = _transfers.Ask(_zone.Slot, query.ToOctets(), out byte[] room, isDatagram: true);
        Assert.InRange(reply.Octets, 12, payload);
        Reply message = Reply.Read(room[..reply.Octets]);
        Assert.Equal(("NOERROR aa", expected), (message.Header, message.Answer.Count));
        Assert.StartsWith(Soa(2), message.Answer[0].ToString());
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Every_message_of_signed_changes_is_signed(bool isDatagram)
    {
        _zone.Publish(1, ChangingZone.Bulk(900));
        _zone.Publish(2, ChangingZone.Bulk(900), $"$GENERATE 1-{(isDatagram ? 3 : 100)} new-$ TXT $");
        byte[] query = new byte[512];
        int octets = TransferCalls.Ixfr("z.test", 1).ToOctets().Length;
        TransferCalls.Ixfr("z.test", 1).ToOctets().CopyTo(query, 0);
        using TsigChain client = TsigChain.Request(Key, query, ref octets, Now);
        TransferReply reply = _transfers.Ask(_zone.Slot, query[..octets], out byte[] room, isDatagram);
        List<byte[]> messages = isDatagram ? [room[..reply.Octets]] : reply.Sequence!.Pull(1024);
        Assert.InRange(messages.Count, isDatagram ? 1 : 3, isDatagram ? 1 : 9);
        Assert.All(messages, message => Assert.Equal(TsigVerdict.Good, client.Next(message, Now, out _, out _)));
        Assert.Equal(isDatagram ? 7 : 104, TransferCalls.Records(messages).Count);
        Assert.Equal(Key.Name, Assert.Single(_ended).Key);
    }

    [Fact]
    public void A_version_that_is_published_meanwhile_changes_nothing()
    {
        _zone.Publish(1, ChangingZone.Bulk(900));
        _zone.Publish(2, ChangingZone.Bulk(900), "$GENERATE 1-100 new-$ TXT $");
        using IReplySequence sequence = Start(1);
        byte[] room = new byte[512];
        List<byte[]> messages = [];
        for (uint serial = 3; sequence.WriteNext(room, out int octets) == SequenceStep.Written; serial++)
        {
            messages.Add(room[..octets]);
            _zone.Publish(serial, ChangingZone.Bulk(900));
        }
        List<string> records = TransferCalls.Records(messages);
        Assert.Equal((104, Soa(2), Soa(2)), (records.Count, records[0], records[^1]));
    }

    [Fact]
    public void A_message_of_changes_allocates_nothing()
    {
        _zone.Publish(1, ChangingZone.Bulk(9000));
        _zone.Publish(2, ChangingZone.Bulk(9000), "$GENERATE 1-4000 new-$ TXT $");
        using IReplySequence sequence = Start(1);
        byte[] room = new byte[1024];
        TransferCalls.WriteTwenty(sequence, room);
        Assert.Equal(0, AllocatedOctets.Least(() => TransferCalls.WriteTwenty(sequence, room)));
    }

    [Fact]
    public void Changes_applied_by_the_client_make_the_version_that_we_have()
    {
        PublishMany(1, 1);
        Zone theirs = _zone.Slot.Zone!;
        for (uint serial = 2; serial <= 60; serial++)
        {
            _zone.Publish(serial, ChangingZone.Bulk(), $"a{serial} A 192.0.2.7", $"b{serial % 5} {serial} TXT x");
            if (serial % 7 != 0) continue;
            theirs = Apply(theirs, Changes(theirs.Serial));
        }
        theirs = Apply(theirs, Changes(theirs.Serial));
        Assert.Equal(ChangingZone.TextOf(_zone.Slot.Zone!), ChangingZone.TextOf(theirs));
    }

    [Fact]
    public void The_end_of_a_transfer_is_told_with_what_was_sent()
    {
        PublishMany(1, 2);
        TransferReply reply = _transfers.Ask(_zone.Slot, TransferCalls.Ixfr("z.test", 1).ToOctets(), out _);
        _clock.Advance(TimeSpan.FromSeconds(3));
        int octets = reply.Sequence!.Pull().Sum(message => message.Length);
        Assert.Equal(
            new TransferSummary(
                _zone.Slot.Name, TransferCalls.Client(), null, TransferKind.Changes, 2, TransferOutcome.Complete,
                6, 1, octets, TimeSpan.FromSeconds(3), null),
            Assert.Single(_ended));
        Assert.Equal((1, octets),
            (_transfers.Counters.Ended(TransferKind.Changes, TransferOutcome.Complete), _transfers.Counters.Octets));
    }

    [Fact]
    public void A_transfer_that_its_client_leaves_has_ended_early()
    {
        PublishMany(1, 2);
        using (_transfers.Ask(_zone.Slot, QueryMessage.For("z.test AXFR").ToOctets(), out _).Sequence)
            Assert.Equal(1, _transfers.Running);
        Assert.Equal((TransferKind.Whole, TransferOutcome.ClosedEarly), (_ended[0].Kind, _ended[0].Outcome));
        Assert.Equal(0, _transfers.Running);
    }

    [Fact]
    public void A_transfer_ends_after_two_hours_however_it_is_read()
    {
        _zone.Publish(1, ChangingZone.Bulk(9000));
        using (IReplySequence sequence =
            _transfers.Ask(_zone.Slot, QueryMessage.For("z.test AXFR").ToOctets(), out _).Sequence!)
        {
            byte[] room = new byte[ushort.MaxValue];
            Assert.Equal(SequenceStep.Written, sequence.WriteNext(room, out _));
            _clock.Advance(TimeSpan.FromHours(2));
            Assert.Equal(SequenceStep.Written, sequence.WriteNext(room, out _));
            _clock.Advance(TimeSpan.FromMilliseconds(1));
            Assert.Equal(SequenceStep.Failed, sequence.WriteNext(room, out _));
        }
        Assert.Equal(TransferOutcome.ClosedEarly, _ended[0].Outcome);
        Assert.Equal(0, _transfers.Running);
    }

    [Theory]
    [InlineData("AXFR")]
    [InlineData("IXFR")]
    public void A_record_that_fits_into_no_message_ends_the_transfer_and_is_named(string type)
    {
        string text = string.Join(' ', Enumerable.Repeat('"' + new string('x', 255) + '"', 255)) + " \"" +
            new string('x', 220) + '"';
        string[] bulk = [ChangingZone.Bulk(9000)];
        _zone.Publish(1, bulk);
        _zone.Publish(2, [.. bulk, "large TXT " + text]);
        byte[] query = (type == "IXFR" ? TransferCalls.Ixfr("z.test", 1) : QueryMessage.For("z.test AXFR")).ToOctets();
        using (IReplySequence sequence = _transfers.Ask(_zone.Slot, query, out _).Sequence!)
        {
            byte[] room = new byte[ushort.MaxValue];
            SequenceStep step;
            int messages = 0;
            while ((step = sequence.WriteNext(room, out _)) == SequenceStep.Written) Assert.InRange(messages++, 0, 100);
            Assert.Equal(SequenceStep.Failed, step);
            Assert.Equal(SequenceStep.Failed, sequence.WriteNext(room, out _));
        }
        Assert.Equal((TransferOutcome.RecordTooLarge, "large.z.test. TXT"), (_ended[0].Outcome, _ended[0].TooLarge));
    }

    void ITransferObserver.OnEnded(in TransferSummary summary) => _ended.Add(summary);

    void ITransferObserver.OnRefused(DomainName zone, in ClientAddress client, TransferRefusal reason)
    {
    }

    private long Now => _clock.GetUtcNow().ToUnixTimeSeconds();

    private static string Soa(uint serial) =>
        $"z.test. 300 SOA ns.z.test. hostmaster.z.test. {serial} 3600 600 86400 60";

    private void PublishMany(uint first, uint last)
    {
        for (uint serial = first; serial <= last; serial++)
            _zone.Publish(serial, ChangingZone.Bulk(), $"a{serial} A 192.0.2.7");
    }

    private TransferSequence Start(uint serial)
    {
        TransferReply reply = _transfers.Ask(_zone.Slot, TransferCalls.Ixfr("z.test", serial).ToOctets(), out _);
        Assert.NotNull(reply.Sequence);
        return reply.Sequence;
    }

    private List<string> Changes(uint serial)
    {
        TransferSequence sequence = Start(serial);
        List<string> records = TransferCalls.Records(sequence.Pull());
        Assert.Equal(TransferKind.Changes, sequence.Kind);
        return records;
    }

    private void AssertWhole(uint serial)
    {
        TransferSequence sequence = Start(serial);
        Assert.Equal(_zone.Slot.Zone!.RecordCount + 1, TransferCalls.Records(sequence.Pull()).Count);
        Assert.Equal(TransferKind.WholeForChanges, sequence.Kind);
    }

    /// <summary>Applies a condensed change as a client does.</summary>
    private static Zone Apply(Zone zone, List<string> records)
    {
        int added = records.FindIndex(2, record => record.Contains(" SOA ", StringComparison.Ordinal));
        HashSet<string> texts = [.. ChangingZone.TextOf(zone)];
        foreach (string record in records[1..added])
            Assert.True(texts.Remove(record.ToLowerInvariant()), $"{record} is not there");
        foreach (string record in records[added..^1])
            Assert.True(texts.Add(record.ToLowerInvariant()), $"{record} is there");
        return ZoneText.Load("z.test", string.Join('\n', texts));
    }
}
