using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using Dns.Testing;

namespace Dns.Integration.Tests.Forwarding;

/// <summary>The forwarder over real sockets, on loopback.</summary>
public class SocketNetworkTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(3);

    [Fact]
    public async Task A_question_is_answered_over_udp_from_ports_that_change()
    {
        await using LoopbackUpstream upstream = new((query, _) => LoopbackUpstream.Answer(query));
        await using Forwarder forwarder = Forward(upstream.Address);
        for (int i = 0; i < 300; i++) Assert.Equal((Rcode.NoError, 1), await AskAsync(forwarder, $"n{i}.example"));
        // More where the machine is busy and a query is repeated.
        Assert.InRange(upstream.Sources.Select(source => source.Port).Distinct().Count(), 200, int.MaxValue);
        Assert.Equal(0, forwarder.Waiting);
    }

    [Fact]
    public async Task A_truncated_reply_is_asked_again_over_one_tcp_connection()
    {
        await using LoopbackUpstream upstream = new(
            (query, isStream) => isStream ? LoopbackUpstream.Answer(query) : LoopbackUpstream.Truncated(query));
        await using Forwarder forwarder = Forward(upstream.Address);
        for (int i = 0; i < 50; i++) Assert.Equal((Rcode.NoError, 1), await AskAsync(forwarder, $"n{i}.example"));
        Assert.Equal(1, upstream.Connections);
        // More where the machine is busy and a query is repeated.
        Assert.InRange(forwarder.Counters.StreamFallbacks, 50, 250);
    }

    [Fact]
    public async Task A_datagram_longer_than_the_buffer_is_queried_again_over_tcp()
    {
        await using LoopbackUpstream upstream = new((query, isStream) => LoopbackUpstream.Answer(query, answers: 200));
        await using Forwarder forwarder = Forward(upstream.Address);
        Assert.Equal((Rcode.NoError, 200), await AskAsync(forwarder, "www.example"));
        Assert.Equal((1, 1L), (upstream.Connections, forwarder.Counters.StreamFallbacks));
    }

    [Fact]
    public async Task Thousands_of_questions_from_many_threads_are_each_answered_once()
    {
        int count = 0;
        await using LoopbackUpstream upstream = new((query,
            isStream) => (Interlocked.Increment(ref count) % 50, isStream) switch
        {
            (7, false) => null,
            (11 or 13, false) => LoopbackUpstream.Truncated(query),
            _ => LoopbackUpstream.Answer(query),
        });
        await using Forwarder forwarder = Forward(upstream.Address);
        int told = 0;
        await Parallel.ForAsync(0, 4000, new ParallelOptions { MaxDegreeOfParallelism = 50 }, async (i, _) =>
        {
            (Rcode code, int answers) = await AskAsync(forwarder, $"n{i / 2}.example");
            if (code == Rcode.NoError && answers == 1) Interlocked.Increment(ref told);
        });
        Assert.Equal(4000, told);
        Assert.Equal((0, 0), (forwarder.InFlight, forwarder.Waiting));
    }

    [Fact]
    public async Task Whoever_waits_when_the_forwarder_stops_is_told()
    {
        await using LoopbackUpstream upstream = new((_, _) => null);
        Forwarder forwarder = Forward(upstream.Address);
        Waiter[] waiters = [.. Enumerable.Range(0, 1000).Select(_ => new Waiter())];
        await Parallel.ForAsync(0, waiters.Length, (i, _) =>
        {
            Assert.Equal(ForwardResult.Joined,
                TryAsk(forwarder, $"n{i / 3}.example", new(new IPAddress([192, 0, 2, (byte)(i / 10)]), 1), waiters[i]));
            return ValueTask.CompletedTask;
        });
        await forwarder.DisposeAsync();
        RelayedAnswer[] answers = await Task.WhenAll(waiters.Select(waiter => waiter.Answer)).WaitAsync(Patience);
        Assert.All(answers, answer => Assert.Equal(Rcode.ServFail, answer.Rcode));
        Assert.Equal((0, 0), (forwarder.InFlight, forwarder.Waiting));
    }

    [Fact]
    public async Task A_datagram_from_elsewhere_does_not_reach_a_connected_socket()
    {
        using Socket forger = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        forger.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        LoopbackUpstream? upstream = null;
        int forged = 0;
        await using LoopbackUpstream started = upstream = new((query, _) =>
        {
            byte[] forgery = LoopbackUpstream.Answer(query, 0x8183);
            Assert.True(upstream!.Sources.TryPeek(out IPEndPoint? victim));
            forged += forger.SendTo(forgery, victim) > 0 ? 1 : 0;
            return LoopbackUpstream.Answer(query);
        });
        await using Forwarder forwarder = Forward(upstream.Address);
        Assert.Equal((Rcode.NoError, 1), await AskAsync(forwarder, "www.example"));
        // A busy machine may be late with the first answer, and the query is repeated.
        Assert.InRange(forged, 1, 10);
        Assert.Equal(0, forwarder.Upstreams[0].Mismatched);
    }

    [Fact]
    public async Task An_upstream_that_nobody_listens_at_fails()
    {
        using PortLease unused = PortLease.Take();
        await using Forwarder forwarder = Forward(unused.Loopback);
        (Rcode code, _) = await AskAsync(forwarder, "www.example");
        Assert.Equal(Rcode.ServFail, code);
        // The upstream query continues for the cache until its own deadline.
        Assert.True(SpinWait.SpinUntil(() => forwarder.InFlight == 0, Patience));
    }

    [Fact]
    public async Task A_forwarder_that_is_its_own_upstream_finds_out()
    {
        Forwarder? forwarder = null;
        TaskCompletionSource<ForwardResult> result = new();
        LoopbackUpstream? upstream = null;
        await using LoopbackUpstream started = upstream = new((query, _) =>
        {
            Assert.True(upstream!.Sources.TryPeek(out IPEndPoint? source));
            result.TrySetResult(TryAsk(forwarder!, "www.example", source, new Waiter(query)));
            return null;
        });
        await using Forwarder asked = forwarder = Forward(upstream.Address);
        Assert.Equal((Rcode.ServFail, 0), await AskAsync(forwarder, "www.example"));
        // The query is answered within the call that finds the loop.
        Assert.Equal(ForwardResult.Loop, await result.Task.WaitAsync(Patience));
        Assert.Equal(UpstreamState.Self, forwarder.Upstreams[0].State);
    }

    private static Forwarder Forward(IPEndPoint upstream) => new(
        new() { Zones = [new(DomainName.Root, [upstream])] }, TimeProvider.System, new SocketNetwork());

    private static async Task<(Rcode Code, int Answers)> AskAsync(Forwarder forwarder, string text)
    {
        Waiter waiter = new();
        Assert.Equal(ForwardResult.Joined, TryAsk(forwarder, text, new(IPAddress.Parse("198.51.100.1"), 1), waiter));
        RelayedAnswer answer = await waiter.Answer.WaitAsync(Patience);
        return (answer.Rcode, answer.AnswerCount);
    }

    private static ForwardResult TryAsk(Forwarder forwarder, string text, IPEndPoint from, IAnswerWaiter waiter)
    {
        LookupName name = default;
        name.Set(DomainName.Parse(text).Octets);
        ClientAddress client = ClientAddress.From(from);
        return forwarder.Forward(new Question(in name, RRType.A, RRClass.IN, QuestionFlags.None), ref client, waiter);
    }

    /// <param name="query">The message that it waits for; null for none.</param>
    private sealed class Waiter(byte[]? query = null) : IAnswerWaiter
    {
        public bool IsProven => true;

        public bool Matches(ushort id, ReadOnlySpan<byte> question) => query is not null
            && BinaryPrimitives.ReadUInt16BigEndian(query) == id && query.AsSpan(12).StartsWith(question);

        private readonly TaskCompletionSource<RelayedAnswer> _answer =
            new(TaskCreationOptions.RunContinuationsAsynchronously);

        public Task<RelayedAnswer> Answer => _answer.Task;

        public void Complete(in RelayedAnswer answer, ReadOnlySpan<byte> records, ReadOnlySpan<TryReport> tries) =>
            _answer.SetResult(answer);
    }
}
