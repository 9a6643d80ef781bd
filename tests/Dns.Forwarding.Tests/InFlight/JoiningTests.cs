using Xunit;

namespace Dns.Forwarding.Tests;

public class JoiningTests
{
    private static readonly string True = ScriptedQuery.TrueAddress("www.example.");

    [Fact]
    public void A_thousand_equal_questions_make_one_query_to_the_upstream()
    {
        ForwarderRig rig = new();
        // Four of each client: clients that share a counter by chance stay below the limit of equal questions.
        ScriptedWaiter[] waiters = [.. Enumerable.Range(0, 1000)
            .Select(i => rig.Ask(i % 2 == 0 ? "www.example" : "WWW.Example", client: $"198.51.100.{i % 250}:53"))];
        rig.Clock.Advance(50);
        Assert.All(waiters, waiter => Assert.Equal((1, True), (waiter.Times, waiter.Result)));
        Assert.Equal(1, rig.Upstream.Asked);
        Assert.Equal(999, rig.Forwarder.Counters.Joined);
        rig.AssertNothingIsLeft();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_waiter_that_throws_costs_the_others_no_answer(bool isDead)
    {
        ForwarderRig rig = new();
        rig.Upstream.IsDead = isDead;
        ScriptedWaiter first = rig.Ask("www.example");
        ScriptedWaiter broken =
            new(rig.Clock) { Told = () => throw new InvalidOperationException("Thrown by a test.") };
        Assert.Equal(ForwardResult.Joined, rig.TryAsk("www.example", broken));
        ScriptedWaiter last = rig.Ask("www.example");
        rig.Clock.Advance(TimeSpan.FromSeconds(6));
        Assert.Equal((1, 1, 1), (first.Times, broken.Times, last.Times));
        Assert.Equal(OutgoingLoops.DeferredReply, Assert.Single(rig.Reported.All).Loop);
        rig.AssertNothingIsLeft();
    }

    [Fact]
    public void A_query_that_cannot_be_sent_for_an_exception_is_reported_and_fails_in_time()
    {
        ForwarderRig rig = new();
        rig.Network.Fault = new InvalidOperationException("Thrown by a test.");
        ScriptedWaiter waiter = rig.Ask("www.example");
        rig.Clock.Advance(TimeSpan.FromSeconds(7));
        Assert.Equal(1, waiter.Times);
        Assert.Equal(Rcode.ServFail, waiter.Answer.Rcode);
        Assert.Contains(OutgoingLoops.UpstreamQuery, rig.Reported.All.Select(one => one.Loop));
        Assert.Contains(OutgoingLoops.UpstreamTimer, rig.Reported.All.Select(one => one.Loop));
        rig.Network.Fault = null;
        Assert.Equal(True, rig.Resolve("www.example").Result);
        rig.AssertNothingIsLeft();
    }

    [Fact]
    public void Name_type_and_flags_make_another_question()
    {
        ForwarderRig rig = new();
        rig.Ask("www.example");
        rig.Ask("ftp.example");
        rig.Ask("www.example AAAA");
        rig.Ask("www.example", QuestionFlags.DnssecOk);
        rig.Ask("www.example", QuestionFlags.CheckingDisabled);
        Assert.Equal(5, rig.Upstream.Asked);
        rig.AssertNothingIsLeft();
    }

    [Fact]
    public void A_full_table_turns_questions_away_and_equal_ones_still_join()
    {
        ForwarderRig rig = new(new() { MaxInFlight = 10 });
        rig.Upstream.IsDead = true;
        for (int i = 0; i < 10; i++) rig.Ask($"n{i}.example", client: $"198.51.100.{10 + i}:53");
        ScriptedWaiter late = new(rig.Clock);
        Assert.Equal(ForwardResult.TableFull, rig.TryAsk("late.example", late));
        rig.Ask("n3.example");
        rig.AssertNothingIsLeft();
        Assert.Equal(0, late.Times);
        rig.Upstream.IsDead = false;
        rig.Clock.Advance(TimeSpan.FromSeconds(5));
        Assert.Equal(ForwardResult.Joined, rig.TryAsk("late.example", late));
        rig.AssertNothingIsLeft();
    }

    [Theory]
    [InlineData(5, 6)]
    [InlineData(6, 6)]
    public void Nothing_is_asked_for_before_its_end_where_three_quarters_of_the_table_are_taken(int others,
        int inFlight)
    {
        ForwarderRig rig = new(new() { MaxInFlight = 8 });
        rig.Upstream.Script = query => query.Reply(query.TrueAnswer(ttl: 100));
        rig.Resolve("www.example");
        for (int i = 0; i < 3; i++) rig.Known("www.example", out _);
        rig.Clock.Advance(TimeSpan.FromSeconds(91));
        rig.Upstream.IsDead = true;
        for (int i = 0; i < others; i++) rig.Ask($"n{i}.example", client: $"198.51.100.{10 + i}:53");
        Assert.Equal(CacheState.Fresh, rig.Known("www.example", out _));
        Assert.Equal(inFlight, rig.Forwarder.InFlight);
        rig.AssertNothingIsLeft();
    }

    [Fact]
    public void Waiters_are_bounded_however_many_clients_ask_the_same()
    {
        ForwarderRig rig = new(new() { MaxInFlight = 10 });
        rig.Upstream.IsDead = true;
        for (int i = 0; i < 40; i++) rig.Ask("www.example", client: $"198.51.100.{i}:53");
        Assert.Equal(ForwardResult.TableFull,
            rig.TryAsk("www.example", new ScriptedWaiter(rig.Clock), client: "198.51.100.99:53"));
        rig.AssertNothingIsLeft();
    }

    [Theory]
    [InlineData(1)]
    [InlineData(4)]
    [InlineData(50)]
    public void A_few_clients_leave_room_for_one_more_however_slow_their_names(int greedy)
    {
        ForwarderRig rig = new(new() { MaxInFlight = 1000, MaxInFlightPerClient = 1000 });
        rig.Upstream.IsDead = true;
        for (int i = 0; i < 100_000; i++)
            rig.TryAsk($"n{i}.example", new ScriptedWaiter(rig.Clock), client: $"198.51.100.{i % greedy}:53");
        int free = rig.Options.MaxInFlight - rig.Forwarder.InFlight;
        Assert.InRange(free, 1000 / (greedy + 1) - 1, 1000 / (greedy + 1) + greedy);
        Assert.Equal(100_000 - rig.Forwarder.InFlight, rig.Forwarder.Counters.ClientLimit);
        Assert.Equal(ForwardResult.Joined,
            rig.TryAsk("other.example", new ScriptedWaiter(rig.Clock), client: "198.51.100.99:53"));
        rig.AssertNothingIsLeft();
    }

    [Theory]
    [InlineData("198.51.100.1", "198.51.100.2")]
    [InlineData("[2001:db8::1]", "[2001:db8::2]")]
    public void A_client_has_a_share_that_others_cannot_take_even_of_its_ipv6_network(string client, string other)
    {
        ForwarderRig rig = new(new() { MaxInFlightPerClient = 3 });
        rig.Upstream.IsDead = true;
        string[] clients = [$"{client}:1", $"{client}:2", $"{client}:3", $"{client}:4", $"{other}:1"];
        Assert.Equal(
            [ForwardResult.Joined, ForwardResult.Joined, ForwardResult.Joined, ForwardResult.ClientLimit,
                ForwardResult.Joined],
            clients.Select((from, i) => rig.TryAsk($"n{i}.example", new ScriptedWaiter(rig.Clock), client: from)));
        rig.AssertNothingIsLeft();
        rig.Upstream.IsDead = false;
        rig.Clock.Advance(TimeSpan.FromSeconds(5));
        rig.Ask("n9.example", client: $"{client}:1");
        rig.AssertNothingIsLeft();
    }

    [Theory]
    [InlineData(40, 3, 10)]
    [InlineData(40, 20, 20)]
    public void All_addresses_of_an_ipv6_network_have_a_quarter_of_the_table_or_the_share_of_one(int maxInFlight,
        int ofClient, int ofNetwork)
    {
        ForwarderRig rig = new(new() { MaxInFlight = maxInFlight, MaxInFlightPerClient = ofClient });
        rig.Upstream.IsDead = true;
        ForwardResult[] results = [.. Enumerable.Range(1, ofNetwork + 5).Select(host =>
            rig.TryAsk($"n{host}.example", new ScriptedWaiter(rig.Clock), client: $"[2001:db8::{host:x}]:53"))];
        Assert.All(results[..ofNetwork], result => Assert.Equal(ForwardResult.Joined, result));
        Assert.All(results[ofNetwork..], result => Assert.Equal(ForwardResult.ClientLimit, result));
        rig.Ask("other.example", client: "[2001:db8:0:1::1]:53");
        rig.Ask("another.example");
        rig.AssertNothingIsLeft();
    }

    [Fact]
    public void Of_an_ipv6_network_too_one_question_has_sixteen_answers_for_a_client()
    {
        ForwarderRig rig = new();
        for (int i = 0; i < ClientShares.MostOfQuestion; i++) rig.Ask("www.example", client: "[2001:db8::1]:53");
        Assert.Equal(ForwardResult.ClientLimit,
            rig.TryAsk("www.example", new ScriptedWaiter(rig.Clock), client: "[2001:db8::1]:53"));
        rig.Ask("www.example", client: "[2001:db8::2]:53");
        rig.AssertNothingIsLeft();
    }

    [Fact]
    public void A_network_with_all_its_addresses_leaves_room_for_another_as_a_client_does()
    {
        ForwarderRig rig = new(new() { MaxInFlight = 1000, MaxInFlightPerClient = 1000 });
        rig.Upstream.IsDead = true;
        for (int i = 0; i < 10_000; i++)
            rig.TryAsk($"n{i}.example", new ScriptedWaiter(rig.Clock), client: $"[2001:db8::{i:x}]:53");
        Assert.InRange(rig.Options.MaxInFlight - rig.Forwarder.InFlight, 499, 501);
        rig.Ask("other.example", client: "[2001:db8:0:1::1]:53");
        rig.AssertNothingIsLeft();
    }

    [Fact]
    public void A_network_whose_addresses_ask_the_same_leaves_half_of_the_answers_that_may_wait()
    {
        ForwarderRig rig = new(new() { MaxInFlight = 10, MaxInFlightPerClient = 40 });
        rig.Upstream.IsDead = true;
        Assert.Equal(20, Enumerable.Range(1, 40).Count(host => ForwardResult.Joined ==
            rig.TryAsk("www.example", new ScriptedWaiter(rig.Clock), client: $"[2001:db8::{host:x}]:53")));
        rig.Ask("www.example", client: "[2001:db8:0:1::1]:53");
        rig.AssertNothingIsLeft();
    }

    [Theory]
    [InlineData("198.51.100.1:53")]
    [InlineData("[2001:db8::1]:53")]
    public void Datagrams_with_a_forged_address_take_nothing_from_the_client_that_has_it(string client)
    {
        ForwarderRig rig = new(new() { MaxInFlight = 40, MaxInFlightPerClient = 10 });
        rig.Upstream.IsDead = true;
        ForwardResult[] forged = [.. Enumerable.Range(0, 11)
            .Select(i => rig.TryAsk($"n{i}.example", new ScriptedWaiter(rig.Clock) { IsProven = false },
                client: client))];
        Assert.Equal(ForwardResult.ClientLimit, forged[10]);
        rig.Ask("www.example", client: client);
        rig.AssertNothingIsLeft();
    }

    [Fact]
    public void Forged_addresses_leave_an_eighth_of_the_table_to_proven_clients()
    {
        ForwarderRig rig = new(new() { MaxInFlight = 16 });
        rig.Upstream.IsDead = true;
        ForwardResult Ask(int i, bool isProven) => rig.TryAsk($"n{i}.example",
            new ScriptedWaiter(rig.Clock) { IsProven = isProven }, client: $"198.51.100.{10 + i}:53");
        for (int i = 0; i < 14; i++) Assert.Equal(ForwardResult.Joined, Ask(i, isProven: false));
        Assert.Equal(ForwardResult.TableFull, Ask(14, isProven: false));
        for (int i = 14; i < 16; i++) Assert.Equal(ForwardResult.Joined, Ask(i, isProven: true));
        Assert.Equal(ForwardResult.TableFull, Ask(16, isProven: true));
        rig.AssertNothingIsLeft();
    }

    [Fact]
    public void Forged_addresses_leave_an_eighth_of_the_answers_that_may_wait()
    {
        ForwarderRig rig = new(new() { MaxInFlight = 10 });
        rig.Upstream.IsDead = true;
        ForwardResult Ask(int i, bool isProven) => rig.TryAsk("www.example",
            new ScriptedWaiter(rig.Clock) { IsProven = isProven }, client: $"198.51.100.{i}:53");
        for (int i = 0; i < 35; i++) Assert.Equal(ForwardResult.Joined, Ask(i, isProven: false));
        Assert.Equal(ForwardResult.TableFull, Ask(35, isProven: false));
        for (int i = 35; i < 40; i++) Assert.Equal(ForwardResult.Joined, Ask(i, isProven: true));
        Assert.Equal(ForwardResult.TableFull, Ask(40, isProven: true));
        rig.AssertNothingIsLeft();
    }

    [Theory]
    [InlineData(8)]
    [InlineData(14)]
    public void A_question_without_waiters_goes_on_for_the_cache_while_half_of_the_table_is_free(int asked)
    {
        ForwarderRig rig = new(new() { MaxInFlight = 16 });
        rig.Upstream.Script = query => query.Answer(afterMs: 3000);
        ScriptedWaiter[] waiters = [.. Enumerable.Range(0, asked).Select(i => new ScriptedWaiter(rig.Clock)
            { IsProven = false })];
        for (int i = 0; i < asked; i++) rig.TryAsk($"n{i}.example", waiters[i], client: $"198.51.100.{10 + i}:53");
        rig.Clock.Advance(TimeSpan.FromSeconds(2));
        Assert.All(waiters, waiter => Assert.Equal((1, Rcode.ServFail), (waiter.Times, waiter.Answer.Rcode)));
        Assert.Equal(8, rig.Forwarder.InFlight);
        rig.Clock.Advance(TimeSpan.FromSeconds(2));
        Assert.Equal(8, Enumerable.Range(0, asked)
            .Count(i => rig.Known($"n{i}.example", out _) == CacheState.Fresh));
        rig.AssertNothingIsLeft();
    }

    [Fact]
    public void A_client_waits_for_sixteen_answers_to_one_question_at_most()
    {
        ForwarderRig rig = new();
        for (int i = 0; i < ClientShares.MostOfQuestion; i++) rig.Ask("www.example");
        Assert.Equal(ForwardResult.ClientLimit, rig.TryAsk("WWW.example", new ScriptedWaiter(rig.Clock)));
        rig.Ask("www.example AAAA");
        rig.Ask("www.example", client: "198.51.100.2:53");
        Assert.Equal(1, rig.Forwarder.Counters.ClientLimit);
        rig.AssertNothingIsLeft();
    }

    [Theory]
    [InlineData("AXFR")]
    [InlineData("IXFR")]
    [InlineData("OPT")]
    [InlineData("TSIG")]
    [InlineData("TKEY")]
    [InlineData("MAILA")]
    [InlineData("MAILB")]
    [InlineData("A CH")]
    [InlineData("A ANY")]
    public void Transfers_meta_types_and_other_classes_are_never_forwarded(string type)
    {
        ForwarderRig rig = new();
        Assert.Equal(ForwardResult.NotForwarded, rig.TryAsk($"www.example {type}", new ScriptedWaiter(rig.Clock)));
        Assert.Empty(rig.Upstream.Queries);
        Assert.Equal(0, rig.Forwarder.Outstanding);
    }

    [Fact]
    public void Names_of_no_forwarded_zone_are_not_asked_for()
    {
        VirtualClockedZones zones = new("corp.example", "a.corp.example");
        Assert.Equal([2, 2, 3, 3, -1, -1],
            new[] { "corp.example", "x.corp.example", "a.corp.example", "b.a.corp.example", "example", "xcorp.example" }
            .Select(name => zones.Labels(name)));
        Assert.Equal([2, -1],
            new[] { "a.corp.example", "corp.example" }.Select(name => zones.Labels(name, skipped: 1)));
    }

    [Fact]
    public void Stopping_tells_everybody_who_waits()
    {
        ForwarderRig rig = new();
        rig.Upstream.IsDead = true;
        ScriptedWaiter[] waiters = [.. Enumerable.Range(0, 50).Select(i => rig.Ask($"n{i % 25}.example"))];
        rig.Forwarder.Stop();
        Assert.All(waiters, waiter => Assert.Equal((1, Rcode.ServFail), (waiter.Times, waiter.Answer.Rcode)));
        Assert.Equal(ForwardResult.TableFull, rig.TryAsk("www.example", new ScriptedWaiter(rig.Clock)));
        Assert.Equal(0, rig.Forwarder.Outstanding);
        Assert.Equal(0, rig.Forwarder.ArmedTimers);
    }

    [Fact]
    public void A_key_has_alternatives_for_questions_that_share_a_hash()
    {
        QuestionKey key = new(ulong.MaxValue);
        HashSet<QuestionKey> keys = [];
        for (; key.IsMadeOf(ulong.MaxValue); key = key.Next) Assert.True(keys.Add(key));
        Assert.Equal(QuestionKey.Alternatives, keys.Count);
    }

    private sealed class VirtualClockedZones(params string[] zones)
    {
        private readonly Forwarder _forwarder = new(
            new()
                { Zones =
                    [.. zones.Select(zone =>
                        new ForwardZone(DomainName.Parse(zone), [System.Net.IPEndPoint.Parse("192.0.2.1:53")]))] },
            new Dns.Testing.VirtualClock(), new ScriptedNetwork(new()));

        public int Labels(string text, int skipped = 0)
        {
            LookupName name = default;
            name.Set(DomainName.Parse(text).Octets);
            return _forwarder.ZoneLabels(in name, skipped);
        }
    }
}
