using System.Net;
using System.Text;
using Dns.Testing;

namespace Dns.Replication.Tests;

/// <summary>Outgoing transfers: access and content.</summary>
public sealed class OutgoingTransfersTests
{
    private const string Text = """
        $TTL 300
        @ SOA ns hostmaster 7 3600 600 86400 60
        @ NS ns
        ns A 192.0.2.1
        WwW.Mixed A 192.0.2.2
        WwW.Mixed A 192.0.2.3
        below.ent.cut A 192.0.2.4
        cut NS ns.cut
        ns.cut A 192.0.2.5
        * TXT "any name"
        alias CNAME www.mixed
        """;

    private static readonly TsigKey Key = new(DomainName.Parse("k1."), TsigAlgorithm.HmacSha256, new byte[32]);
    private readonly VirtualClock _clock = new();
    private readonly ZoneSlot _slot = ServedZones.SlotOf("z.test", Text);
    private PeerList _allowed = new([new PeerRule([IPNetwork.Parse("127.0.0.0/8")], null)]);

    [Fact, Trait("RFC", "5936 §2.2")]
    public void A_transfer_has_every_record_once_between_two_times_the_soa()
    {
        List<Reply> messages = Transfer(Query("z.test AXFR"));
        List<string> records = [.. messages.SelectMany(message => message.Answer).Select(record => record.ToString())];
        Assert.Equal("NOERROR aa", Assert.Single(messages).Header);
        Assert.StartsWith("z.test. 300 SOA ns.z.test. hostmaster.z.test. 7 ", records[0]);
        Assert.Equal(records[0], records[^1]);
        Assert.Equal(Records(_slot.Zone!).Order(StringComparer.Ordinal), records[1..].Order(StringComparer.Ordinal));
        Assert.Contains("WwW.Mixed.z.test. 300 A 192.0.2.3", records);
    }

    [Fact]
    public void A_zone_whose_signatures_are_made_for_each_answer_is_refused()
    {
        _slot.Publish(_slot.Zone!.With(new NoSigner()));
        foreach (byte[] query in (byte[][])[Query("z.test AXFR"), TransferCalls.Ixfr("z.test", 6).ToOctets()])
        {
            Reply reply = Refusal(query);
            Assert.Equal("REFUSED", reply.Header);
            Assert.Empty(reply.Answer);
        }
    }

    [Fact]
    public void Messages_are_filled_and_only_the_first_has_the_question()
    {
        ZoneSlot large = ServedZones.SlotOf("z.test", Text + "\n$GENERATE 1-9999 host-$ A 192.0.2.1");
        List<byte[]> messages = Pull(Start(Query("z.test AXFR"), large), ushort.MaxValue);
        Assert.True(messages.Count > 2);
        Assert.All(messages[..^1], message => Assert.InRange(message.Length, 16_340, 16_384));
        List<Reply> replies = [.. messages.Select(octets => Reply.Read(octets))];
        Assert.NotEmpty(replies[0].Question);
        Assert.All(replies[1..], reply => Assert.Empty(reply.Question));
        Assert.Equal(large.Zone!.RecordCount + 1, replies.Sum(reply => reply.Answer.Count));
    }

    [Fact]
    public void A_message_goes_on_with_records_of_its_last_owner()
    {
        string delegations =
            string.Join('\n', Enumerable.Range(1, 5).Select(i => $"$GENERATE 1-3000 cut-$ NS ns{i}.other."));
        ZoneSlot large = ServedZones.SlotOf("z.test", $"{Text}\n{delegations}");
        List<byte[]> messages = Pull(Start(Query("z.test AXFR"), large), ushort.MaxValue);
        Assert.All(messages[..^1], message => Assert.InRange(message.Length, 16_340, 16_384 + 1_024));
        List<Reply> replies = [.. messages.Select(octets => Reply.Read(octets))];
        Assert.Equal(large.Zone!.RecordCount + 1, replies.Sum(reply => reply.Answer.Count));
        Assert.True(replies.Count > 10);
        foreach ((Reply before, Reply next) in replies.Zip(replies.Skip(1)))
            Assert.NotEqual(before.Answer[^1].ToString().Split(' ')[0], next.Answer[0].ToString().Split(' ')[0]);
    }

    [Fact]
    public void Many_records_of_one_owner_are_cut_into_messages_of_a_bounded_length()
    {
        ZoneSlot large = ServedZones.SlotOf("z.test", Text + "\n$GENERATE 1-9999 many TXT text-$");
        List<byte[]> messages = Pull(Start(Query("z.test AXFR"), large), ushort.MaxValue);
        Assert.All(messages, message => Assert.InRange(message.Length, 12, 16_384 + 1_024));
        Assert.Equal(large.Zone!.RecordCount + 1, messages.Sum(octets => Reply.Read(octets).Answer.Count));
    }

    [Theory]
    [InlineData(512)]
    [InlineData(700)]
    [InlineData(4096)]
    public void Messages_fit_into_the_room_that_there_is(int room)
    {
        ZoneSlot large = ServedZones.SlotOf("z.test", Text + "\n$GENERATE 1-500 host-$ TXT $");
        List<byte[]> messages = Pull(Start(Query("z.test AXFR"), large), room);
        Assert.All(messages, message => Assert.InRange(message.Length, 12, room));
        Assert.Equal(large.Zone!.RecordCount + 1, messages.Sum(octets => Reply.Read(octets).Answer.Count));
    }

    [Fact]
    public void A_record_that_does_not_fit_asks_for_more_room()
    {
        string strings = string.Join(' ', Enumerable.Repeat('"' + new string('x', 250) + '"', 200));
        ZoneSlot large = ServedZones.SlotOf("z.test", Text + "\nlarge TXT " + strings);
        using IReplySequence sequence = Start(Query("z.test AXFR"), large);
        byte[] room = new byte[ushort.MaxValue];
        SequenceStep step;
        while ((step = sequence.WriteNext(room.AsSpan(0, 2048), out int octets)) == SequenceStep.Written)
            Assert.InRange(octets, 12, 2048);
        Assert.Equal(SequenceStep.NeedsRoom, step);
        Assert.Equal(SequenceStep.Written, sequence.WriteNext(room, out _));
    }

    [Fact]
    public void A_record_that_fits_into_a_message_by_itself_is_sent_by_itself()
    {
        // Header 12, owner 14, fixed part 10: RDATA of 65,499 octets fills a message to its last octet.
        string text = string.Join(' ', Enumerable.Repeat('"' + new string('x', 255) + '"', 255)) + " \"" +
            new string('x', 218) + '"';
        ZoneSlot large = ServedZones.SlotOf("z.test", Text + "\nlarge TXT " + text);
        List<byte[]> messages =
            Pull(Start(QueryMessage.For("z.test AXFR").WithEdns().ToOctets(), large), ushort.MaxValue);
        Assert.Contains(messages, message => message.Length == ushort.MaxValue);
        Assert.Equal(large.Zone!.RecordCount + 1, messages.Sum(octets => Reply.Read(octets).Answer.Count));
    }

    [Fact]
    public void A_version_that_is_published_meanwhile_changes_nothing()
    {
        ZoneSlot large = ServedZones.SlotOf("z.test", Text + "\n$GENERATE 1-3000 host-$ A 192.0.2.1");
        IReadOnlyList<string> before = Records(large.Zone!);
        using IReplySequence sequence = Start(Query("z.test AXFR"), large);
        byte[] room = new byte[4096];
        List<string> records = [];
        for (int i = 0; sequence.WriteNext(room, out int octets) == SequenceStep.Written; i++)
        {
            records.AddRange(Reply.Read(room[..octets]).Answer.Select(record => record.ToString()));
            ZoneDeltaBuilder change = new(large.Name, large.Zone!.Serial);
            change.Remove(WireOctets.Name($"host-{i + 1}.z.test"), RRType.A, [192, 0, 2, 1]);
            change.Add(WireOctets.Name($"new-{i}.z.test"), RRType.A, 60, [192, 0, 2, 9]);
            large.Publish(ZoneEditor.From(large.Zone!).Apply(change.Build()).Zone!);
        }
        Assert.Equal(before.Order(StringComparer.Ordinal), records[1..].Order(StringComparer.Ordinal));
    }

    [Fact, Trait("RFC", "8945 §5.3.1")]
    public void Every_message_of_a_signed_transfer_is_signed()
    {
        ZoneSlot large = ServedZones.SlotOf("z.test", Text + "\n$GENERATE 1-1000 host-$ A 192.0.2.1");
        _allowed = new([new PeerRule(null, Key.Name)]);
        byte[] query = new byte[512];
        int octets = Query("z.test AXFR").Length;
        Query("z.test AXFR").CopyTo(query, 0);
        using TsigChain client = TsigChain.Request(Key, query, ref octets, Now);
        List<byte[]> messages = Pull(Start(query[..octets], large), 4096);
        Assert.True(messages.Count > 3);
        Assert.All(messages, message => Assert.Equal(TsigVerdict.Good, client.Next(message, Now, out _, out _)));
    }

    [Fact]
    public void A_message_of_a_transfer_allocates_nothing()
    {
        ZoneSlot large = ServedZones.SlotOf("z.test", Text + "\n$GENERATE 1-20000 host-$ A 192.0.2.1");
        using IReplySequence sequence = Start(Query("z.test AXFR"), large);
        byte[] room = new byte[2048];
        TransferCalls.WriteTwenty(sequence, room);
        Assert.Equal(0, AllocatedOctets.Least(() => TransferCalls.WriteTwenty(sequence, room)));
    }

    [Theory]
    [InlineData("z.test AXFR", false)]
    [InlineData("z.test IXFR", false)]
    [InlineData("www.mixed.z.test AXFR", true)]
    [InlineData("other.test AXFR", true)]
    [InlineData("z.test AXFR CH", true)]
    public void Who_is_not_allowed_or_asks_for_no_zone_gets_no_transfer(string question, bool isAllowed)
    {
        if (!isAllowed) _allowed = PeerList.Empty;
        AssertNone(Query(question));
    }

    [Fact]
    public void An_unknown_version_of_EDNS_gets_no_transfer()
    {
        byte[] query = QueryMessage.For("z.test AXFR").WithEdns().ToOctets();
        query[^5] = 1;
        AssertNone(query);
    }

    [Fact, Trait("RFC", "6891 §6.1.1")]
    public void The_first_message_has_OPT_where_the_query_had_it()
    {
        ZoneSlot large = ServedZones.SlotOf("z.test", Text + "\n$GENERATE 1-900 host-$ A 192.0.2.1");
        List<byte[]> messages = Pull(Start(QueryMessage.For("z.test AXFR").WithEdns().ToOctets(), large), 4096);
        Assert.NotNull(Reply.Read(messages[0]).Opt);
        Assert.All(messages[1..], message => Assert.Null(Reply.Read(message).Opt));
    }

    [Fact, Trait("RFC", "5936 §4.2")]
    public void A_zone_is_not_given_away_over_datagrams() => AssertNone(Query("z.test AXFR"), DnsTransport.Udp);

    [Fact, Trait("RFC", "1995 §3")]
    public void An_ixfr_query_without_the_soa_of_the_client_is_malformed() =>
        Assert.Equal("FORMERR", Refusal(Query("z.test IXFR")).Header);

    [Theory]
    [InlineData(7, "tcp")]
    [InlineData(8, "tcp")]
    [InlineData(6, "udp")]
    [InlineData(7, "udp")]
    [Trait("RFC", "1995 §2")]
    public void Who_has_the_version_or_asks_over_datagrams_gets_the_soa_alone(uint serial, string transport)
    {
        Reply reply = Refusal(IxfrQuery(serial), transport == "udp" ? DnsTransport.Udp : DnsTransport.Tcp);
        Assert.Equal("NOERROR aa", reply.Header);
        Assert.StartsWith("z.test. 300 SOA ns.z.test. hostmaster.z.test. 7 ", Assert.Single(reply.Answer).ToString());
    }

    [Fact]
    public void A_reply_over_datagrams_is_no_longer_than_the_client_takes()
    {
        ZoneSlot large = ServedZones.SlotOf("z.test",
            $"$TTL 300\n@ SOA {Long('n')} {Long('h')} 7 3600 600 86400 60\n@ NS ns.example.\n");
        Reply reply = Refusal(IxfrQuery(7), DnsTransport.Udp, large);
        Assert.Equal("NOERROR aa tc", reply.Header);
        Assert.InRange(reply.Octets.Length, 12, 512);
        Assert.Equal("NOERROR aa", Refusal(IxfrQuery(7), DnsTransport.Tcp, large).Header);

        static string Long(char letter) =>
            $"{new string(letter, 63)}.{new string(letter, 62)}.{new string(letter, 61)}.{new string(letter, 60)}.";
    }

    [Fact]
    public void A_signature_that_fits_into_no_datagram_leaves_a_truncated_header()
    {
        string label = new('k', 63);
        TsigKey longKey =
            new(DomainName.Parse($"{label}.{label}.{label}.{label[..60]}"), TsigAlgorithm.HmacSha512, new byte[64]);
        string apex = $"{label}.{label}.test";
        ZoneSlot slot = ServedZones.SlotOf(apex, Text);
        byte[] unsigned = IxfrQuery(7, apex), query = new byte[2048];
        unsigned.CopyTo(query, 0);
        int octets = unsigned.Length;
        TsigChain.Request(longKey, query, ref octets, Now).Dispose();
        byte[] room = new byte[1232];
        query.AsSpan(0, octets).CopyTo(room);
        ClientAddress client = ClientAddress.From(new IPEndPoint(IPAddress.Loopback, 53000));
        QueryOrigin origin = new(in client, DnsTransport.Udp, 0);
        OutgoingTransfers transfers = new(_clock, _ => _allowed) { Keys = new TsigKeyRing([longKey]) };
        TransferReply reply = transfers.Answer(room, octets, ref origin, ZoneSet.Create([slot]));
        Assert.Equal((12, "NOERROR tc"), (reply.Octets, Reply.Read(room[..reply.Octets]).Header));
    }

    [Theory, Trait("RFC", "1995 §4")]
    [InlineData(6)]
    [InlineData(0x8000_0008)]
    public void Who_has_an_older_version_gets_the_whole_zone(uint serial) =>
        Assert.Equal(_slot.Zone!.RecordCount + 1, Transfer(IxfrQuery(serial)).Sum(message => message.Answer.Count));

    [Fact]
    public void A_zone_without_usable_data_is_a_failure()
    {
        ZoneSlot broken = new(_slot.Name);
        Assert.Equal("SERVFAIL", Refusal(Query("z.test AXFR"), DnsTransport.Tcp, broken).Header);
        _slot.Fail("broken");
        Assert.NotEmpty(Transfer(Query("z.test AXFR")));
    }

    [Theory]
    [InlineData("other.", 0)]
    [InlineData("k1.", 0)]
    [InlineData("k1.", -3600)]
    public void A_signature_that_is_wrong_or_old_gets_no_transfer(string name, int seconds)
    {
        byte[] query = new byte[512];
        int octets = Query("z.test AXFR").Length;
        Query("z.test AXFR").CopyTo(query, 0);
        TsigKey key = seconds < 0 ? Key : new(DomainName.Parse(name), TsigAlgorithm.HmacSha256, [1, 2, 3]);
        TsigChain.Request(key, query, ref octets, Now + seconds).Dispose();
        AssertNone(query[..octets]);
    }

    private long Now => _clock.GetUtcNow().ToUnixTimeSeconds();

    private static byte[] Query(string question) => QueryMessage.For(question).ToOctets();

    private static byte[] IxfrQuery(uint serial, string apex = "z.test") =>
        (QueryMessage.For(apex + " IXFR") with
        {
            Authority =
            [
                [
                    .. WireOctets.Name(apex), 0, 6, 0, 1, 0, 0, 0, 0, 0, 22, 0, 0,
                    (byte)(serial >> 24), (byte)(serial >> 16), (byte)(serial >> 8), (byte)serial, .. new byte[16],
                ],
            ],
        }).ToOctets();

    private static IReadOnlyList<string> Records(Zone zone)
    {
        List<string> records = [];
        byte[] owner = new byte[WireName.MaxOctets];
        foreach (ZoneNode node in zone)
        {
            DomainName name = DomainName.FromOctets(owner.AsSpan(0, node.CopyOwner(owner)));
            foreach (RRset rrset in node)
                foreach (ReadOnlySpan<byte> rdata in rrset)
                    records.Add(new MessageRecord(name, rrset.Type, RRClass.IN, rrset.Ttl, rdata.ToArray()).ToString());
        }
        return records;
    }

    private static List<byte[]> Pull(IReplySequence sequence, int room)
    {
        using (sequence)
        {
            List<byte[]> messages = [];
            byte[] buffer = new byte[room];
            while (sequence.WriteNext(buffer, out int octets) == SequenceStep.Written) messages.Add(buffer[..octets]);
            Assert.Equal(SequenceStep.Ended, sequence.WriteNext(buffer, out _));
            return messages;
        }
    }

    private List<Reply> Transfer(byte[] query) =>
        [.. Pull(Start(query, _slot), ushort.MaxValue).Select(octets => Reply.Read(octets))];

    private IReplySequence Start(byte[] query, ZoneSlot slot)
    {
        TransferReply reply = Answer(query, DnsTransport.Tcp, slot, out byte[] room);
        Assert.True(reply.Sequence is not null,
            reply.Octets == 0 ? "nothing" : Reply.Read(room[..reply.Octets]).ToString());
        return reply.Sequence;
    }

    private void AssertNone(byte[] query, DnsTransport? transport = null)
    {
        TransferReply reply = Answer(query, transport ?? DnsTransport.Tcp, _slot, out byte[] room);
        Assert.Equal(default, reply);
        Assert.Equal(query, room[..query.Length]);
    }

    private Reply Refusal(byte[] query) => Refusal(query, DnsTransport.Tcp);

    private Reply Refusal(byte[] query, DnsTransport transport, ZoneSlot? slot = null)
    {
        TransferReply reply = Answer(query, transport, slot ?? _slot, out byte[] room);
        Assert.Null(reply.Sequence);
        return Reply.Read(room[..reply.Octets]);
    }

    private TransferReply Answer(byte[] query, DnsTransport transport, ZoneSlot slot, out byte[] room)
    {
        room = new byte[transport.IsReliable ? ushort.MaxValue : 1232];
        query.CopyTo(room, 0);
        ClientAddress client = ClientAddress.From(new IPEndPoint(IPAddress.Loopback, 53000));
        QueryOrigin origin = new(in client, transport, 0);
        OutgoingTransfers transfers = new(_clock, _ => _allowed) { Keys = new TsigKeyRing([Key]) };
        return transfers.Answer(room, query.Length, ref origin, ZoneSet.Create([slot]));
    }
}
