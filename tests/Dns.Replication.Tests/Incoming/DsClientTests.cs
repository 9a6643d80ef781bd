using System.Net;
using Dns.Testing;

namespace Dns.Replication.Tests;

/// <summary>What servers say of the DS RRset of a zone, and when they say nothing.</summary>
public sealed class DsClientTests
{
    private static readonly IPEndPoint Server = IPEndPoint.Parse("192.0.2.53:5353");
    private static readonly DomainName Zone = DomainName.Parse("a.example");
    private static readonly byte[] Ds = [0x30, 0x39, 13, 2, .. new byte[32]];

    private readonly VirtualClock _clock = new();
    private readonly SimulatedNetwork _network;

    public DsClientTests() => _network = new SimulatedNetwork(_clock);

    private IOutgoingNetwork Network => _network.Of(IPAddress.Parse("192.0.2.1"));

    /// <summary>A server that answers with given records.</summary>
    private void Serve(Func<byte[], bool, byte[]> answer) =>
        _network.Serve(Server,
            (message, _, isReliable) => ((IEnumerable<byte[]>)[answer(message, isReliable)]).GetEnumerator());

    private static byte[] Reply(
        byte[] query, ushort flags = 0, int records = 0, bool hasSoa = false, RRType type = RRType.DS,
        string owner = "A.example", string soa = "example")
    {
        byte[] room = new byte[4096];
        MessageWriter writer = new(room, names: null);
        writer.WriteHeader((ushort)(query[0] << 8 | query[1]), (ushort)(MessageHeader.QueryResponse | flags));
        writer.TryWriteQuestion(Zone.Octets, RRType.DS, RRClass.IN);
        for (int i = 0; i < records; i++)
            writer.TryWrite(MessageSection.Answer, DomainName.Parse(owner).Octets, type, RRClass.IN, (uint)(300 - i),
                type == RRType.DS ? Ds : [0]);
        if (hasSoa) writer.TryWrite(MessageSection.Authority, DomainName.Parse(soa).Octets, RRType.SOA,
            RRClass.IN, 60, new byte[22]);
        return room[..writer.Finish()];
    }

    private DsAnswer Ask(TimeSpan? limit = null, PeerAddress? server = null, IOutgoingNetwork? network = null)
    {
        using DsClient client = new(network ?? Network, _clock);
        Task<DsAnswer> task = client.QueryDsAsync(server ?? Server, Zone, CancellationToken.None);
        for (int i = 0; i < 1000 && !task.IsCompleted; i++) _clock.Advance((limit ?? TimeSpan.FromSeconds(20)) / 1000);
        Assert.True(task.IsCompleted, "it takes too long");
        return task.Result;
    }

    [Fact]
    public void Records_and_the_least_TTL_are_read()
    {
        Serve((query, _) => Reply(query, records: 2));
        DsAnswer answer = Ask();
        Assert.Equal((2, TimeSpan.FromSeconds(299), null), (answer.Records!.Count, answer.Ttl, answer.Failure));
        Assert.Equal(Ds, answer.Records[0]);
    }

    [Fact]
    public void The_query_is_for_a_resolver()
    {
        byte[] asked = [];
        Serve((query, _) => Reply(asked = query, records: 1));
        Ask();
        Assert.Equal(MessageHeader.RecursionDesired, MessageHeader.Flags(asked));
        Assert.Equal([0, 43, 0, 1], asked[^4..]);
    }

    [Theory]
    [InlineData(0)]
    [InlineData((int)Rcode.NXDomain)]
    public void That_there_are_none_is_an_answer_with_the_SOA_that_says_so(int rcode)
    {
        Serve((query, _) => Reply(query, (ushort)rcode, hasSoa: true));
        DsAnswer answer = Ask();
        Assert.Equal((0, null, null), (answer.Records!.Count, answer.Ttl, answer.Failure));
    }

    [Theory]
    [InlineData((int)Rcode.ServFail, 0, RRType.DS, "A.example", "the answer is SERVFAIL")]
    [InlineData((int)Rcode.Refused, 0, RRType.DS, "A.example", "the answer is REFUSED")]
    [InlineData(0, 0, RRType.DS, "A.example", "the answer has neither DS records nor the SOA that says there are none")]
    [InlineData(0, 1, RRType.CNAME, "A.example", "the answer is an alias")]
    [InlineData(0, 1, RRType.DS, "b.example", "the answer has neither DS records nor the SOA that says there are none")]
    public void What_says_nothing_is_a_failure_and_not_that_there_are_none(int rcode, int records, RRType type,
        string owner, string failure)
    {
        Serve((query, _) => Reply(query, (ushort)rcode, records, type: type, owner: owner));
        Assert.Equal((null, failure), (Ask().Records, Ask().Failure));
    }

    [Fact]
    [Trait("RFC", "4035 3.1.4.1")]
    public void A_server_of_the_zone_alone_does_not_know_what_its_parent_has()
    {
        Serve((query, _) => Reply(query, hasSoa: true, soa: "A.Example"));
        Assert.Equal((null, "the answer is of the zone itself, expected one of its parent"),
            (Ask().Records, Ask().Failure));
    }

    [Fact]
    public void A_truncated_answer_is_asked_for_over_a_stream()
    {
        Serve(
            (query, isReliable) => Reply(query, isReliable ? (ushort)0 : MessageHeader.Truncated, isReliable ? 3 : 0));
        Assert.Equal(3, Ask().Records!.Count);
        Assert.Equal(1, _network.StreamsOpened);
    }

    [Fact]
    public void An_answer_that_is_cut_off_is_queried_over_a_stream_at_once()
    {
        Serve((query, isReliable) => isReliable ? Reply(query, records: 3) : Reply(query, records: 3)[..^5]);
        Assert.Equal(3, Ask(TimeSpan.FromSeconds(1)).Records!.Count);
    }

    [Fact]
    public void A_server_without_datagrams_is_queried_over_a_stream_at_once()
    {
        Serve((query, _) => Reply(query, records: 2));
        PeerScheme scheme = new("sealed", 853, HasDatagrams: false);
        Assert.Equal(2, Ask(TimeSpan.FromSeconds(1), new PeerAddress(Server) { Scheme = scheme }).Records!.Count);
        Assert.Equal((0, 1), (_network.DatagramsSent, _network.StreamsOpened));
    }

    [Fact]
    public void A_server_whose_datagrams_are_lost_is_asked_over_a_stream()
    {
        _network.Loss = 1;
        Serve((query, _) => Reply(query, records: 1));
        Assert.Single(Ask().Records!);
    }

    [Fact]
    public void A_server_that_is_not_there_is_a_failure_in_words() =>
        Assert.Equal("192.0.2.53:5353 does not answer", Ask().Failure);

    [Fact]
    public void A_server_that_is_cut_off_takes_15_seconds_at_most()
    {
        _network.IsCut = (_, _) => true;
        Assert.Equal("192.0.2.53:5353 does not answer", Ask(TimeSpan.FromSeconds(15)).Failure);
    }

    [Fact]
    public void A_server_that_sends_an_octet_now_and_then_takes_15_seconds_at_most()
    {
        StreamNetwork slow = new(_ => new SlowStream(_clock), Network);
        Assert.Equal("192.0.2.53:5353 does not answer", Ask(TimeSpan.FromSeconds(15), network: slow).Failure);
    }

    [Fact]
    public void No_octets_make_it_throw()
    {
        Random random = new(1);
        for (int i = 0; i < 2000; i++)
        {
            Serve((query, _) =>
            {
                byte[] reply = Reply(query, records: random.Next(3), hasSoa: random.Next(2) == 0);
                for (int change = random.Next(4); change > 0; change--)
                    reply[random.Next(2, reply.Length)] = (byte)random.Next(256);
                return reply[..random.Next(random.Next(4) == 0 ? 0 : reply.Length, reply.Length + 1)];
            });
            Ask();
        }
    }

    /// <summary>A server that sends an octet every four seconds.</summary>
    private sealed class SlowStream(VirtualClock clock) : IByteStream
    {
        private TaskCompletionSource<int>? _receive;

        public ValueTask<bool> OpenAsync() => new(true);

        public ValueTask<int> SendAsync(ReadOnlyMemory<byte> octets) => new(octets.Length);

        public ValueTask<int> ReceiveAsync(Memory<byte> room)
        {
            TaskCompletionSource<int> receive = _receive = new();
            room.Span[0] = 1;
            clock.Plan(TimeSpan.FromSeconds(4), () => receive.TrySetResult(1));
            return new(receive.Task);
        }

        public void Close() => _receive?.TrySetResult(IByteStream.Failed);
    }
}
