using Xunit;

namespace Dns.Forwarding.Tests;

public class UpstreamQueryMessageTests
{
    [Fact]
    public void A_query_asks_for_recursion_with_an_opt_of_1232_octets_and_nothing_of_the_client_s()
    {
        ForwarderRig rig = new();
        rig.Ask("www.example");
        ScriptedQuery query = rig.First;
        Assert.Equal(MessageHeader.RecursionDesired, MessageHeader.Flags(query.Octets));
        Assert.Equal((true, false, 1232, 8), (query.HasEdns, query.DnssecOk, query.PayloadOctets, query.Cookie.Length));
        Assert.Equal(12 + query.Question.Length + 11 + 4 + 8, query.Octets.Length);
    }

    [Fact]
    public void The_wish_for_signatures_and_for_unchecked_data_goes_on_to_the_upstream()
    {
        ForwarderRig rig = new();
        rig.Ask("www.example", QuestionFlags.DnssecOk | QuestionFlags.CheckingDisabled);
        Assert.True(rig.First.DnssecOk);
        Assert.Equal(MessageHeader.RecursionDesired | MessageHeader.CheckingDisabled,
            MessageHeader.Flags(rig.First.Octets));
    }

    [Fact]
    public void Ids_ports_and_letter_cases_of_a_hundred_thousand_queries_spread_evenly()
    {
        const int count = 100_000;
        RandomOctets random = new();
        int[] ids = new int[256], lowIds = new int[256], places = new int[256];
        int upper = 0;
        byte[] name = new byte[32];
        for (int i = 0; i < count; i++)
        {
            ushort id = random.NextUInt16();
            ids[id >> 8]++;
            lowIds[id & 255]++;
            places[random.Below(1024) / 4]++;
            Array.Fill(name, (byte)'a');
            CaseRandomization.Apply(name, random);
            upper += name.Count(octet => octet == 'A');
        }
        // Six standard deviations: a true generator fails once in millions of runs.
        double expected = count / 256.0, slack = 6 * Math.Sqrt(expected);
        Assert.All(ids.Concat(lowIds).Concat(places),
            found => Assert.InRange(found, expected - slack, expected + slack));
        Assert.InRange(upper, count * 16 - 6 * Math.Sqrt(count * 8), count * 16 + 6 * Math.Sqrt(count * 8));
    }

    [Fact]
    public void Every_query_has_an_id_and_mostly_a_port_of_its_own()
    {
        ForwarderRig rig = new();
        for (int i = 0; i < 500; i++) rig.Resolve($"n{i}.example");
        Assert.InRange(rig.Upstream.Queries.Select(query => query.Id).Distinct().Count(), 490, 500);
        Assert.InRange(rig.Upstream.Queries.Select(query => query.Port).Distinct().Count(), 350, 500);
        Assert.All(rig.Upstream.Queries, query => Assert.InRange(query.Port, 32768, 65535));
    }

    [Fact]
    public void A_port_is_closed_after_64_queries_and_there_are_never_more_than_allowed()
    {
        ForwarderRig rig = new(new() { SocketsPerUpstream = 4 });
        for (int i = 0; i < 2000; i++) rig.Resolve($"n{i}.example");
        Assert.All(rig.Upstream.Queries.CountBy(query => query.Port),
            use => Assert.InRange(use.Value, 1, DatagramPort.MaxQueries));
        Assert.Equal(4, rig.Network.OpenPorts);
    }

    [Fact]
    public void A_port_that_is_spent_stays_open_until_its_last_query_has_ended()
    {
        ForwarderRig rig = new(new() { SocketsPerUpstream = 1 });
        rig.Upstream.Script = query => query.Answer(1000);
        ScriptedWaiter[] waiters = [.. Enumerable.Range(0, 150).Select(i => rig.Ask($"n{i}.example"))];
        Assert.Equal(3, rig.Network.OpenPorts);
        rig.Clock.Advance(1100);
        Assert.All(waiters, waiter => Assert.Equal(1, waiter.Times));
        Assert.Equal(1, rig.Network.OpenPorts);
    }

    [Fact]
    public void When_no_socket_can_be_opened_those_that_are_open_serve()
    {
        ForwarderRig rig = new() { Network = { MaxPorts = 3 } };
        for (int i = 0; i < 500; i++)
            Assert.Equal(ScriptedQuery.TrueAddress($"n{i}.example."), rig.Resolve($"n{i}.example").Result);
        rig.AssertNothingIsLeft();
    }

    [Fact]
    public void The_forwarder_closes_its_sockets()
    {
        ForwarderRig rig = new();
        for (int i = 0; i < 100; i++) rig.Resolve($"n{i}.example");
        Assert.True(rig.Forwarder.DisposeAsync().IsCompletedSuccessfully);
        Assert.Equal(0, rig.Network.OpenPorts);
    }
}
