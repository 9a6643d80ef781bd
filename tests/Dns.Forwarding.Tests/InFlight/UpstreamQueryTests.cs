using Dns.Testing;
using Xunit;

namespace Dns.Forwarding.Tests;

public class UpstreamQueryTests
{
    [Fact]
    public void A_reply_to_an_earlier_life_of_a_pooled_query_is_ignored()
    {
        VirtualClock clock = new();
        ScriptedNetwork network = new(clock);
        ScriptedUpstream scripted = network.Add("192.0.2.1:53");
        scripted.Script = _ => { };
        UpstreamServices services = ServicesOf(network);
        InFlightTable table = new(new() { RandomizesCase = false }, services, new(new(), clock), new());
        ForwardZone zone = new(DomainName.Root, [scripted.Address]);
        ZoneUpstreams upstreams = new(zone, [new(scripted.Address, 4, services)], new(DomainName.Root, new()));
        LookupName name = default;
        name.Set(WireOctets.Name("www.example"));
        Question question = new(in name, RRType.A, RRClass.IN, QuestionFlags.None);

        UpstreamQuery upstreamQuery = new(table);
        int earlier = Begin(upstreamQuery, question);
        upstreamQuery.Abort();
        ScriptedWaiter waiter = new(clock);
        ClientAddress client = default;
        int later = Begin(upstreamQuery, question);
        Assert.NotEqual(earlier, later);
        Assert.Equal(UpstreamQuery.Joining.Joined,
            upstreamQuery.Join(in question, ref client, new() { Waiter = waiter }, UpstreamQuery.MaxSends));
        upstreamQuery.Receive(new(upstreamQuery, earlier, 0, 0), scripted.Queries[0].Forge(), isStream: false);
        upstreamQuery.EndOfStream(new(upstreamQuery, earlier, 0, 0), hadReplies: false);
        upstreamQuery.Fire(earlier);
        Assert.Equal(0, waiter.Times);
        upstreamQuery.Receive(new(upstreamQuery, later, 0, 0), scripted.Queries[1].TrueAnswer(), isStream: false);
        Assert.Equal((1, ScriptedQuery.TrueAddress("www.example.")), (waiter.Times, waiter.Result));

        int Begin(UpstreamQuery begun, Question asked)
        {
            begun.Open(in asked, new(asked.Hash), upstreams, null, UpstreamQuery.MaxSends);
            int generation = begun.Generation;
            begun.Start(generation);
            return generation;
        }
    }

    [Fact]
    public void An_id_is_unique_on_its_path()
    {
        ScriptedNetwork network = new(new VirtualClock());
        DatagramPort port = new(new Upstream(network.Add("192.0.2.1:53").Address, 4, ServicesOf(network)));
        RepeatingOctets random = new();
        Assert.All(Enumerable.Range(0, DatagramPort.MaxQueries), _ => Assert.True(port.TryUse(0)));
        HashSet<ushort> ids = [];
        for (int i = 0; i < DatagramPort.MaxQueries; i++)
        {
            Assert.True(port.TryRegister(default, random, out ushort id));
            Assert.True(ids.Add(id));
        }
        Assert.False(port.TryRegister(default, random, out _));
    }

    private static UpstreamServices ServicesOf(ScriptedNetwork network)
    {
        MonotonicClock time = new(network.Clock);
        return new(time, new(time), new SeededOctets(1), network, (_, _) => { });
    }

    /// <summary>Every number many times.</summary>
    private sealed class RepeatingOctets : RandomOctets
    {
        protected override void Refill(Span<byte> octets)
        {
            for (int i = 0; i < octets.Length; i++) octets[i] = i % 2 == 0 ? (byte)(i / 20) : (byte)0;
        }
    }
}
