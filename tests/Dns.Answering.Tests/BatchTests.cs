using Dns.Testing;
using Xunit;

namespace Dns.Answering.Tests;

public sealed class BatchTests
{
    private const int SlotOctets = 1232;

    private static readonly byte[][] Queries =
    [
        QueryMessage.For("www.example.com").ToOctets(),
        QueryMessage.For("n3.large.test").WithEdns().ToOctets(),
        QueryMessage.For("no.large.test AAAA").WithEdns(512).ToOctets(),
        [1, 2, 3],
        (QueryMessage.For("www.example.com") with { Flags = 0x8000 }).ToOctets(),
        QueryMessage.For("elsewhere.org").ToOctets(),
        (QueryMessage.For("n9.large.test") with { Tail = [1] }).ToOctets(),
        QueryMessage.For("alias.example.com").ToOctets(),
        QueryMessage.For("version.bind TXT CH").ToOctets(),
    ];

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(15)]
    [InlineData(16)]
    [InlineData(17)]
    [InlineData(64)]
    public void A_batch_gets_the_answers_that_its_queries_get_one_by_one(int count)
    {
        Responder responder = Serve();
        byte[] slots = new byte[count * SlotOctets], single = new byte[SlotOctets];
        int[] lengths = new int[count];
        ClientAddress[] clients = new ClientAddress[count];
        for (int i = 0; i < count; i++)
        {
            Queries[i % Queries.Length].CopyTo(slots, i * SlotOctets);
            lengths[i] = Queries[i % Queries.Length].Length;
            clients[i].Port = (ushort)(i % 7 == 6 ? 0 : 1053);
        }
        ClientAddress[] same = [.. clients];
        responder.RespondToBatch(slots, SlotOctets, lengths, clients);
        for (int i = 0; i < count; i++)
        {
            Array.Clear(single);
            Queries[i % Queries.Length].CopyTo(single, 0);
            int octets = responder.Respond(
                single, Queries[i % Queries.Length].Length, DnsTransport.Udp, ref same[i]);
            Assert.Equal(octets, lengths[i]);
            Assert.Equal(single.AsSpan(0, octets), slots.AsSpan(i * SlotOctets, octets));
        }
    }

    [Theory]
    [InlineData(1)]
    [InlineData(16)]
    [InlineData(17)]
    [InlineData(64)]
    public void Slots_anywhere_in_a_memory_are_answered_in_place(int count)
    {
        // As frames of a network interface: in any order, behind headers, with others in between.
        const int frame = 2048, header = 42;
        const byte untouched = 0xA5;
        Responder responder = Serve();
        byte[] memory = new byte[3 * count * frame], single = new byte[SlotOctets];
        Array.Fill(memory, untouched);
        int[] lengths = new int[count];
        int[] offsets = [.. Enumerable.Range(0, count).Select(i => (count - 1 - i) * 3 * frame + header + i)];
        ClientAddress[] clients = new ClientAddress[count], same = new ClientAddress[count];
        for (int i = 0; i < count; i++)
        {
            Queries[i % Queries.Length].CopyTo(memory, offsets[i]);
            lengths[i] = Queries[i % Queries.Length].Length;
            clients[i].Port = same[i].Port = 1053;
        }
        responder.RespondToBatch(new DatagramBatch(memory, offsets, SlotOctets, lengths, clients, now: 0));
        for (int i = 0; i < count; i++)
        {
            Queries[i % Queries.Length].CopyTo(single, 0);
            int octets = responder.Respond(single, Queries[i % Queries.Length].Length, DnsTransport.Udp, ref same[i]);
            Assert.Equal(octets, lengths[i]);
            Assert.Equal(single.AsSpan(0, octets), memory.AsSpan(offsets[i], octets));
            memory.AsSpan(offsets[i], SlotOctets).Fill(untouched);
        }
        Assert.Equal(-1, memory.AsSpan().IndexOfAnyExcept(untouched));
    }

    [Theory]
    [InlineData(-1)]
    [InlineData(SlotOctets + 1)]
    [InlineData(int.MaxValue)]
    public void A_slot_that_is_not_in_the_memory_is_refused(int offset)
    {
        Responder responder = new ServedZones().Responder;
        Assert.Throws<ArgumentOutOfRangeException>(() => responder.RespondToBatch(
            new DatagramBatch(new byte[2 * SlotOctets], [0, offset], SlotOctets, new int[2], new ClientAddress[2], 0)));
    }

    [Theory]
    [InlineData(1, 0)]
    [InlineData(2, 0)]
    [InlineData(2, 1)]
    [InlineData(16, 15)]
    [InlineData(17, 16)]
    [InlineData(64, 31)]
    public void An_exception_at_one_message_is_reported_with_its_octets_and_the_others_are_answered(int count,
        int broken)
    {
        ScriptedRelay relay = new ScriptedRelay().Forward("example.net.");
        relay.Broken = $"n{broken}.example.net. A";
        ReportedExceptions reported = new();
        Responder responder = new(new ServedZones().Published, new ResponderOptions(), relay) { Exceptions = reported };
        byte[][] queries = [.. Enumerable.Range(0, count)
            .Select(i =>
                (QueryMessage.For($"n{i}.example.net") with { Flags = MessageHeader.RecursionDesired }).ToOctets())];
        for (int i = 0; i < count; i++) relay.Know($"n{i}.example.net. A", Rcode.NXDomain);
        byte[] slots = new byte[count * SlotOctets];
        int[] lengths = new int[count];
        ClientAddress[] clients = new ClientAddress[count];
        Array.Fill(clients, ScriptedRelay.Client);
        for (int i = 0; i < count; i++)
        {
            queries[i].CopyTo(slots, i * SlotOctets);
            lengths[i] = queries[i].Length;
        }
        ScriptedRelay.Call call = new(relay);
        responder.With(new ResponderOptions())
            .RespondToBatch(Batches.InRow(slots, SlotOctets, lengths, clients, now: 0), relay, ref call);
        for (int i = 0; i < count; i++)
            if (i == broken) Assert.Equal(0, lengths[i]);
            else Assert.Equal(Rcode.NXDomain, Reply.Read(slots.AsSpan(i * SlotOctets, lengths[i]).ToArray()).Rcode);
        (string loop, Exception exception, byte[] message) = Assert.Single(reported.All);
        Assert.Equal(Responder.LoopName, loop);
        Assert.IsType<InvalidOperationException>(exception);
        Assert.Equal(queries[broken], message);
    }

    [Fact]
    public void Queries_of_a_batch_that_wait_have_no_length_and_are_asked_for_by_their_slots()
    {
        const int count = 18;
        ScriptedRelay relay = new ScriptedRelay().Forward("example.net.");
        Responder responder = new(new ServedZones().Published, new ResponderOptions(), relay);
        byte[] slots = new byte[count * SlotOctets];
        int[] lengths = new int[count];
        ClientAddress[] clients = new ClientAddress[count];
        Array.Fill(clients, ScriptedRelay.Client);
        for (int i = 0; i < count; i++)
        {
            byte[] query =
                (QueryMessage.For($"n{i}.example.net") with { Flags = MessageHeader.RecursionDesired }).ToOctets();
            query.CopyTo(slots, i * SlotOctets);
            lengths[i] = query.Length;
        }
        ScriptedRelay.Call call = new(relay);
        responder.RespondToBatch(Batches.InRow(slots, SlotOctets, lengths, clients, now: 0), relay, ref call);
        Assert.Equal(new int[count], lengths);
        Assert.Equal(Enumerable.Range(0, count).Select(i => $"n{i}.example.net. A{(i == 0 ? "" : " @" + i)}"),
            relay.Asked);
    }

    [Fact]
    public void Without_a_place_to_report_to_an_exception_is_thrown()
    {
        ScriptedRelay relay = new ScriptedRelay().Forward("example.net.");
        relay.Broken = "n.example.net. A";
        Responder responder = new(new ServedZones().Published, new ResponderOptions(), relay);
        byte[] query = (QueryMessage.For("n.example.net") with { Flags = MessageHeader.RecursionDesired }).ToOctets(),
            slots = new byte[2 * SlotOctets];
        query.CopyTo(slots, SlotOctets);
        int[] lengths = [0, query.Length];
        ClientAddress[] clients = [ScriptedRelay.Client, ScriptedRelay.Client];
        Assert.Throws<InvalidOperationException>(() =>
        {
            ScriptedRelay.Call call = new(relay);
            responder.RespondToBatch(Batches.InRow(slots, SlotOctets, lengths, clients, now: 0), relay, ref call);
        });
    }

    /// <summary>One zone that fits the caches, and one large enough to be prefetched.</summary>
    private static Responder Serve()
    {
        ZoneBuilder builder = new(DomainName.Parse("large.test").Octets);
        Add(builder, "large.test", RRType.SOA, "ns1 admin 1 2 3 4 5");
        for (int i = 0; i < 200_100; i++) Add(builder, $"n{i}.large.test", RRType.A, "192.0.2.1");
        ZoneSlot large = new(DomainName.Parse("large.test"));
        large.Publish(builder.Build());
        ZoneSlot small = ServedZones.SlotOf("example.com", """
            @ 300 SOA ns1 admin 1 2 3 4 5
            www 300 A 192.0.2.1
            alias 300 CNAME www
            """);
        return new ServedZones(new ResponderOptions { Version = "dnsd" }, small, large).Responder;
    }

    private static void Add(ZoneBuilder builder, string owner, RRType type, string text)
    {
        Span<byte> name = stackalloc byte[WireName.MaxOctets];
        NameText.TryParse(owner, name, out int length);
        builder.Add(name[..length], sameOwner: false, type, 300,
            Rdata.Parse(type, text, DomainName.Parse("large.test")));
    }
}
