using System.Net;
using Dns.Testing;

namespace Dns.Transport.Tests;

public sealed class ProxiedDatagramsTests
{
    private const int SlotOctets = 2048;

    [Fact]
    public void A_batch_of_proxied_and_other_datagrams_is_told_apart()
    {
        byte[] query = TestResponder.Query(1, 20), slots = new byte[5 * SlotOctets];
        byte[][] datagrams =
        [
            [.. ProxyHeaders.For("203.0.113.9:4711"), .. query], query, [.. ProxyHeaders.Local(), .. query], [], query,
        ];
        string[] from = ["127.0.0.1:1", "127.0.0.1:2", "127.0.0.1:3", "127.0.0.1:4", "198.51.100.1:5"];
        int[] lengths = new int[datagrams.Length];
        ClientAddress[] clients = [.. from.Select(text => ClientAddress.From(IPEndPoint.Parse(text)))];
        for (int i = 0; i < datagrams.Length; i++)
        {
            datagrams[i].CopyTo(slots, i * SlotOctets);
            lengths[i] = datagrams[i].Length;
        }

        ProxiedDatagrams responder = new(new TestResponder(), ProxyHeaders.Loopback);
        responder.RespondToDatagrams(Batches.InRow(slots, SlotOctets, lengths, clients, now: 0), null!);
        Assert.Equal([20, 0, 20, 0, 20], lengths);
        Assert.Equal(1, responder.BadHeaders);
        Assert.Equal(
            ["203.0.113.9:4711", "127.0.0.1:2", "127.0.0.1:3", "127.0.0.1:4", "198.51.100.1:5"],
            clients.Select(client => client.ToString()));
        byte[] answer = TestResponder.Answer(query);
        Assert.All(new[] { 0, 2, 4 }, i => Assert.Equal(answer, slots.AsSpan(i * SlotOctets, 20).ToArray()));
    }

    [Fact]
    public void Proxies_change_from_one_batch_to_the_next()
    {
        byte[] query = TestResponder.Query(1, 20), proxied = [.. ProxyHeaders.For("203.0.113.9:4711"), .. query];
        ProxiedDatagrams responder = new(new TestResponder(), null);
        Assert.Equal(("127.0.0.1:1", 20), Ask(query));
        responder.Proxies = ProxyHeaders.Loopback;
        Assert.Equal(("203.0.113.9:4711", 20), Ask(proxied));
        Assert.Equal(("127.0.0.1:1", 0), Ask(query));
        responder.Proxies = null;
        Assert.Equal(("127.0.0.1:1", 20), Ask(query));

        (string Client, int Octets) Ask(byte[] datagram)
        {
            byte[] slot = new byte[SlotOctets];
            datagram.CopyTo(slot, 0);
            int[] length = [datagram.Length];
            ClientAddress[] client = [ClientAddress.From(IPEndPoint.Parse("127.0.0.1:1"))];
            responder.RespondToDatagrams(Batches.InRow(slot, SlotOctets, length, client, now: 0), null!);
            return (client[0].ToString(), length[0]);
        }
    }

    [Theory]
    [InlineData("127.0.0.1:1", 20)]
    [InlineData("198.51.100.1:1", 0)]
    public void A_header_counts_from_a_proxy_and_is_not_answered_from_anybody_else(string from, int octets)
    {
        byte[] datagram = [.. ProxyHeaders.For("203.0.113.9:4711"), .. TestResponder.Query(1, 20)],
            slot = new byte[SlotOctets];
        datagram.CopyTo(slot, 0);
        int[] length = [datagram.Length];
        ClientAddress[] client = [ClientAddress.From(IPEndPoint.Parse(from))];
        new ProxiedDatagrams(new TestResponder(), ProxyHeaders.Loopback)
            .RespondToDatagrams(Batches.InRow(slot, SlotOctets, length, client, now: 0), null!);
        Assert.Equal(octets, length[0]);
    }

    [Fact]
    public void A_datagram_that_was_cut_on_receipt_stays_too_long_without_its_header()
    {
        byte[] slot = new byte[SlotOctets];
        byte[] datagram = [.. ProxyHeaders.For("203.0.113.9:4711"), .. TestResponder.Query(1, 20)];
        datagram.CopyTo(slot, 0);
        int[] length = [SlotOctets + 1];
        ClientAddress[] client = [ClientAddress.From(IPEndPoint.Parse("127.0.0.1:1"))];
        new ProxiedDatagrams(new TestResponder(), ProxyHeaders.Loopback)
            .RespondToDatagrams(Batches.InRow(slot, SlotOctets, length, client, now: 0), null!);
        // The responder answers a truncated query with a bare header.
        Assert.Equal(12, length[0]);
    }

    [Fact]
    public void A_later_answer_goes_back_to_the_proxy()
    {
        byte[] datagram = [.. ProxyHeaders.For("203.0.113.9:4711"), .. TestResponder.Query(1, 20)],
            slot = new byte[SlotOctets];
        datagram.CopyTo(slot, 0);
        int[] length = [datagram.Length];
        ClientAddress[] client = [ClientAddress.From(IPEndPoint.Parse("127.0.0.1:1"))];
        List<string> peers = [];
        TestResponder later =
            new() { IsLater = _ => true, Taken = (path, _) => peers.Add($"{path.Client} by {path.Peer}") };
        new ProxiedDatagrams(later, ProxyHeaders.Loopback)
            .RespondToDatagrams(Batches.InRow(slot, SlotOctets, length, client, now: 0), new Paths(client));
        Assert.Equal(["203.0.113.9:4711 by 127.0.0.1:1"], peers);
    }

    /// <summary>Reply paths to the clients at the time of the call.</summary>
    private sealed class Paths(ClientAddress[] clients) : IReplyPaths
    {
        public ReplyPath TakePath(int slot) => new(null!, in clients[slot], SlotOctets, DnsTransport.Udp);
    }

    [Fact]
    public void A_proxied_datagram_allocates_nothing()
    {
        byte[] datagram = [.. ProxyHeaders.For("203.0.113.9:4711"), .. TestResponder.Query(1, 20)];
        byte[] slot = new byte[SlotOctets];
        int[] length = new int[1];
        ClientAddress proxy = ClientAddress.From(IPEndPoint.Parse("127.0.0.1:1"));
        ClientAddress[] client = new ClientAddress[1];
        ProxiedDatagrams responder = new(new TestResponder(), ProxyHeaders.Loopback);
        Answer(10);
        Assert.Equal(0, AllocatedOctets.Least(() => Answer(1000)));

        void Answer(int times)
        {
            for (int i = 0; i < times; i++)
            {
                datagram.CopyTo(slot, 0);
                length[0] = datagram.Length;
                client[0] = proxy;
                responder.RespondToDatagrams(Batches.InRow(slot, SlotOctets, length, client, now: 0), null!);
            }
        }
    }
}
