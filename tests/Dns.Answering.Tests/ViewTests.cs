using System.Net;
using Dns.Testing;
using Xunit;

namespace Dns.Answering.Tests;

/// <summary>Several views of one responder: by network, by RD and by key.</summary>
public class ViewTests
{
    private static readonly TsigKey Key = new(DomainName.Parse("k1."), TsigAlgorithm.HmacSha256, new byte[32]);

    private readonly View _inside = new("inside", 7, ZonesOf("192.0.2.1"));
    private readonly View _outside = new(View.DefaultName, View.DefaultNumber, ZonesOf("198.51.100.1"));
    private readonly Responder _responder;

    public ViewTests() =>
        _responder = new(new ViewSet([_inside, _outside], new ByFirstOctet()), new ResponderOptions());

    /// <summary>Clients of 10.0.0.0/8 are inside, and queries with RD from 11.0.0.0/8.</summary>
    private sealed class ByFirstOctet : IViewChooser
    {
        public int Choose(scoped in ViewQuery query)
        {
            string client = query.Client.ToString();
            bool isInside = client.StartsWith("10.", StringComparison.Ordinal)
                || client.StartsWith("11.", StringComparison.Ordinal) && query.RecursionDesired
                || query.Key is not null;
            return isInside ? 0 : 1;
        }
    }

    [Fact]
    public void Each_query_is_answered_from_the_zones_of_its_view()
    {
        Assert.Equal("192.0.2.1", Ask("10.0.0.1"));
        Assert.Equal("198.51.100.1", Ask("203.0.113.1"));
        Assert.Equal("198.51.100.1", Ask("11.0.0.1"));
        Assert.Equal("192.0.2.1", Ask("11.0.0.1", MessageHeader.RecursionDesired));
    }

    [Fact]
    public void Queries_of_one_batch_are_in_views_of_their_own()
    {
        string[] clients = ["10.0.0.1", "203.0.113.1", "10.0.0.2", "10.0.0.3"];
        byte[] query = QueryMessage.For("www.a.test").ToOctets(), slots = new byte[clients.Length * 512];
        int[] lengths = new int[clients.Length];
        for (int i = 0; i < clients.Length; i++)
        {
            query.CopyTo(slots, i * 512);
            lengths[i] = query.Length;
        }
        ClientAddress[] addresses = [.. clients.Select(client => ClientOf(client))];
        _responder.RespondToBatch(slots, 512, lengths, addresses);
        string[] answers = [.. Enumerable.Range(0, clients.Length).Select(i =>
            Reply.Read(slots.AsSpan(i * 512, lengths[i]).ToArray()).Answer[0].RdataText)];
        Assert.Equal(["192.0.2.1", "198.51.100.1", "192.0.2.1", "192.0.2.1"], answers);
        Assert.Equal(3, _responder.Counters.Read().QueriesInView(7));
        Assert.Equal(1, _responder.Counters.Read().QueriesInView(View.DefaultNumber));
    }

    [Fact]
    public void Additional_data_and_aliases_stay_in_the_view()
    {
        Assert.Equal("192.0.2.1", Ask("10.0.0.1", question: "alias.a.test"));
        for (int i = 0; i < 4; i++)
        {
            Assert.Equal("192.0.2.1", ReplyTo("10.0.0.1", "a.test MX").Additional[0].RdataText);
            Assert.Equal("198.51.100.1", ReplyTo("203.0.113.1", "a.test MX").Additional[0].RdataText);
        }
    }

    [Fact]
    public void A_responder_apart_can_be_in_one_view_for_all_clients()
    {
        Assert.Same(_inside, _responder.Views.Find("inside"));
        Assert.Null(_responder.Views.Find("guests"));
        Responder apart = _responder.Apart(_inside);
        Assert.Equal("192.0.2.1", ReplyTo("203.0.113.1", "www.a.test", 0, apart).Answer[0].RdataText);
    }

    [Fact]
    public void Names_and_numbers_of_views_are_unique()
    {
        Assert.Throws<ArgumentException>(() => new ViewSet([_inside, _inside], new ByFirstOctet()));
        Assert.Throws<ArgumentException>(
            () => new ViewSet([_inside, new View("other", 7, new PublishedZones())], new ByFirstOctet()));
    }

    [Fact]
    public void A_key_counts_for_the_view_once_its_signature_is_verified()
    {
        Responder responder = _responder.With(new ResponderOptions { Keys = new TsigKeyRing([Key]) });
        byte[] room = new byte[1232], query = QueryMessage.For("www.a.test").ToOctets();
        query.CopyTo(room, 0);
        int length = query.Length;
        TsigChain.Request(Key, room, ref length, now: 0).Dispose();
        ClientAddress client = ClientOf("203.0.113.1");
        length = responder.Respond(room, length, DnsTransport.Udp, ref client);
        Assert.Equal("192.0.2.1", Reply.Read(room[..length]).Answer[0].RdataText);
    }

    private static PublishedZones ZonesOf(string address)
    {
        PublishedZones zones = new();
        zones.Publish(ZoneSet.Create([ServedZones.SlotOf("a.test",
            $"@ 60 SOA ns h 1 2 3 4 5\n@ 60 NS ns.b.\n@ 60 MX 1 www\nwww 60 A {address}\nalias 60 CNAME www\n")]));
        return zones;
    }

    private string Ask(string client, ushort flags = 0, string question = "www.a.test") =>
        ReplyTo(client, question, flags).Answer[^1].RdataText;

    private Reply ReplyTo(string from, string question, ushort flags = 0, Responder? responder = null)
    {
        byte[] room = new byte[1232], query = (QueryMessage.For(question) with { Flags = flags }).ToOctets();
        query.CopyTo(room, 0);
        ClientAddress client = ClientOf(from);
        return Reply.Read(room[..(responder ?? _responder).Respond(room, query.Length, DnsTransport.Udp, ref client)]);
    }

    private static ClientAddress ClientOf(string address) =>
        ClientAddress.From(new IPEndPoint(IPAddress.Parse(address), 53000));
}
