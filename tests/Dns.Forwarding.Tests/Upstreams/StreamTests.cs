using Xunit;

namespace Dns.Forwarding.Tests;

/// <summary>RFC 7766 §6.2: streams to upstreams.</summary>
public class StreamTests
{
    [Theory]
    [InlineData(int.MaxValue)]
    [InlineData(1)]
    [InlineData(7)]
    public void A_truncated_reply_is_asked_again_over_tcp_however_its_octets_arrive(int pieceOctets)
    {
        ForwarderRig rig = new();
        rig.Upstream.StreamPieceOctets = pieceOctets;
        rig.Upstream.Script = TruncateDatagrams;
        for (int i = 0; i < 5; i++)
            Assert.Equal(ScriptedQuery.TrueAddress($"n{i}.example."), rig.Resolve($"n{i}.example").Result);
        Assert.Equal(1, rig.Network.OpenedStreams);
        Assert.Equal(5, rig.Forwarder.Counters.StreamFallbacks);
        rig.AssertNothingIsLeft();
    }

    [Fact]
    public void Queries_share_a_stream_under_different_ids_and_their_replies_come_in_any_order()
    {
        ForwarderRig rig = new();
        rig.Upstream.Script = query =>
        {
            if (query.IsStream) query.Answer(100 - query.Text[1] * 1.5);
            else query.Reply(query.Message(0x8380, []));
        };
        ScriptedWaiter[] waiters = [.. Enumerable.Range(0, 10).Select(i => rig.Ask($"n{i}.example"))];
        rig.Clock.Advance(200);
        Assert.All(waiters.Select((waiter, i) => (waiter, i)),
            x => Assert.Equal(ScriptedQuery.TrueAddress($"n{x.i}.example."), x.waiter.Result));
        Assert.Equal(1, rig.Network.OpenedStreams);
        Assert.Equal(10,
            rig.Upstream.Queries.Where(query => query.IsStream).Select(query => query.Id).Distinct().Count());
    }

    [Fact]
    public void A_query_joins_a_stream_that_is_still_connecting()
    {
        ForwarderRig rig = new(scheme: new("streams", 853, HasDatagrams: false));
        ScriptedWaiter? second = null;
        rig.Network.OnConnecting = () => second = rig.Ask("n1.example");
        ScriptedWaiter first = rig.Resolve("n0.example");
        Assert.Equal(ScriptedQuery.TrueAddress("n0.example."), first.Result);
        Assert.Equal(ScriptedQuery.TrueAddress("n1.example."), second!.Result);
        Assert.Equal(1, rig.Network.OpenedStreams);
        rig.AssertNothingIsLeft();
    }

    [Fact]
    public void Streams_to_an_upstream_are_four_at_most_with_64_queries_each()
    {
        ForwarderRig rig = new();
        rig.Upstream.Script = query =>
        {
            if (!query.IsStream) query.Reply(query.Message(0x8380, []));
        };
        ScriptedWaiter[] waiters =
            [.. Enumerable.Range(0, 300).Select(i => rig.Ask($"n{i}.example", client: $"198.51.100.{i % 100}:53"))];
        rig.Clock.Advance(100);
        Assert.Equal(4, rig.Network.OpenedStreams);
        // Those beyond take the places of the oldest, which end.
        Assert.Equal(300, rig.Upstream.Queries.Count(query => query.IsStream));
        Assert.Equal(4 * 64, rig.Forwarder.InFlight);
        Assert.Equal(44, waiters.Count(waiter => waiter.Result == "SERVFAIL 23"));
        rig.AssertNothingIsLeft();
        Assert.All(waiters, waiter => Assert.Equal(1, waiter.Times));
    }

    [Fact]
    public void Slow_names_of_one_client_take_no_more_than_64_places_on_streams()
    {
        ForwarderRig rig = new();
        rig.Upstream.Script = AnswerOnlyGoodNames;
        ScriptedWaiter first = rig.Ask("slow.example");
        rig.Clock.Advance(50);
        ScriptedWaiter[] slow = [.. Enumerable.Range(0, 64).Select(i => rig.Ask($"slow{i}.example"))];
        rig.Clock.Advance(50);
        Assert.Equal("SERVFAIL 23", first.Result);
        // The name did not fail.
        Assert.Equal(CacheState.Miss, rig.Known("slow.example", out _));
        Assert.All(slow, waiter => Assert.Equal(0, waiter.Times));
        Assert.Equal(1, rig.Network.OpenedStreams);
        // The next of the same client takes the place of one more, and is answered.
        ScriptedWaiter own = rig.Ask("good.example");
        rig.Clock.Advance(100);
        Assert.Equal(ScriptedQuery.TrueAddress("good.example."), own.Result);
        Assert.Equal(1, slow.Count(waiter => waiter.Result == "SERVFAIL 23"));
        rig.AssertNothingIsLeft();
    }

    [Fact]
    public void Where_all_streams_are_full_the_oldest_of_the_client_with_the_most_gives_way()
    {
        ForwarderRig rig = new();
        rig.Upstream.Script = AnswerOnlyGoodNames;
        ScriptedWaiter[] few =
            [.. Enumerable.Range(0, 10).Select(i => rig.Ask($"few{i}.example", client: "198.51.100.9:53"))];
        ScriptedWaiter oldest = rig.Ask("slow.example", client: "198.51.100.1:53");
        rig.Clock.Advance(50);
        ScriptedWaiter[] many = [.. Enumerable.Range(0, 245)
            .Select(i => rig.Ask($"slow{i}.example", client: $"198.51.100.{1 + i % 4}:53"))];
        rig.Clock.Advance(50);
        Assert.Equal(256, rig.Forwarder.InFlight);
        ScriptedWaiter good = rig.Ask("good.example", client: "198.51.100.10:53");
        rig.Clock.Advance(100);
        Assert.Equal(ScriptedQuery.TrueAddress("good.example."), good.Result);
        Assert.Equal("SERVFAIL 23", oldest.Result);
        Assert.All(few.Concat(many), waiter => Assert.Equal(0, waiter.Times));
        Assert.Equal(TryOutcome.Evicted, Assert.Single(oldest.Tries, report => report.Transport.IsReliable).Outcome);
        rig.AssertNothingIsLeft();
    }

    [Fact]
    public void Queries_from_addresses_that_may_be_forged_evict_none_of_a_proven_client_from_streams()
    {
        ForwarderRig rig = new();
        rig.Upstream.Script = AnswerOnlyGoodNames;
        ScriptedWaiter[] proven =
            [.. Enumerable.Range(0, 30).Select(i => rig.Ask($"slow{i}.example", client: "198.51.100.1:53"))];
        rig.Clock.Advance(50);
        ScriptedWaiter first = Forged(rig, 0), joined = rig.Ask("forged0.example", client: "198.51.100.1:53");
        rig.Clock.Advance(50);
        ScriptedWaiter[] forged = [.. Enumerable.Range(1, 299).Select(i => Forged(rig, i))];
        rig.Clock.Advance(50);
        // 30 and the one that both wait for have their places; an eighth of all is left to proven clients.
        Assert.All(proven.Append(first).Append(joined), waiter => Assert.Equal(0, waiter.Times));
        ScriptedWaiter[] evicted = [.. forged.Where(waiter => waiter.Times > 0)];
        Assert.Equal(299 - (256 - 32), evicted.Length);
        Assert.All(evicted, waiter => Assert.Equal(("SERVFAIL 23", true), (waiter.Result, waiter.Answer.WantsProof)));
        // It is no failure of the name, and a proven client takes the place of one that may be forged.
        ScriptedWaiter good = rig.Ask("good.example", client: "198.51.100.2:53");
        rig.Clock.Advance(100);
        Assert.Equal(ScriptedQuery.TrueAddress("good.example."), good.Result);
        Assert.All(proven, waiter => Assert.Equal(0, waiter.Times));
        rig.AssertNothingIsLeft();
    }

    [Fact]
    public void Where_proven_clients_have_all_streams_a_query_that_may_be_forged_gets_no_place()
    {
        ForwarderRig rig = new();
        rig.Upstream.Script = AnswerOnlyGoodNames;
        ScriptedWaiter[] proven = [.. Enumerable.Range(0, 256)
            .Select(i => rig.Ask($"slow{i}.example", client: $"198.51.100.{1 + i % 4}:53"))];
        rig.Clock.Advance(50);
        ScriptedWaiter forged = Forged(rig, 1);
        rig.Clock.Advance(50);
        Assert.Equal(("SERVFAIL 23", true), (forged.Result, forged.Answer.WantsProof));
        Assert.Equal(TryOutcome.Evicted, forged.Tries[^1].Outcome);
        Assert.All(proven, waiter => Assert.Equal(0, waiter.Times));
        // Not cached as failed.
        ScriptedWaiter again = rig.Ask("forged1.example", client: "198.51.100.9:53");
        rig.Clock.Advance(50);
        Assert.Equal((0, 255), (again.Times, proven.Count(waiter => waiter.Times == 0)));
        rig.AssertNothingIsLeft();
    }

    [Fact]
    public void Queries_in_the_name_of_a_client_do_not_use_up_its_places_on_streams()
    {
        ForwarderRig rig = new();
        rig.Upstream.Script = AnswerOnlyGoodNames;
        ScriptedWaiter[] proven =
            [.. Enumerable.Range(0, 64).Select(i => rig.Ask($"slow{i}.example", client: "198.51.100.1:53"))];
        rig.Clock.Advance(50);
        for (int i = 0; i < 90; i++) Forged(rig, i, "198.51.100.1:53");
        rig.Clock.Advance(50);
        Assert.All(proven, waiter => Assert.Equal(0, waiter.Times));
        Assert.Equal(64 + 64, rig.Forwarder.InFlight);
        rig.AssertNothingIsLeft();
    }

    [Fact]
    public void A_query_that_a_proven_client_joined_gives_way_to_none_that_may_be_forged()
    {
        ForwarderRig rig = new();
        rig.Upstream.Script = AnswerOnlyGoodNames;
        ScriptedWaiter[] first = [.. Enumerable.Range(0, 64).Select(i => Forged(rig, i, "203.0.113.1:53"))];
        rig.Clock.Advance(50);
        ScriptedWaiter[] joined = [.. Enumerable.Range(0, 64)
            .Select(i => rig.Ask($"forged{i}.example", client: $"198.51.100.{1 + i % 4}:53"))];
        for (int i = 64; i < 90; i++) Forged(rig, i, "203.0.113.1:53");
        rig.Clock.Advance(50);
        Assert.All(first.Concat(joined), waiter => Assert.Equal(0, waiter.Times));
        rig.AssertNothingIsLeft();
    }

    [Fact]
    public void Queries_that_one_proven_client_joined_count_as_its_own_on_streams()
    {
        ForwarderRig rig = new();
        rig.Upstream.Script = AnswerOnlyGoodNames;
        ScriptedWaiter[] few =
            [.. Enumerable.Range(0, 10).Select(i => rig.Ask($"few{i}.example", client: "198.51.100.1:53"))];
        for (int i = 0; i < 200; i++) Forged(rig, i);
        rig.Clock.Advance(50);
        for (int i = 0; i < 200; i++) rig.Ask($"forged{i}.example", client: "198.51.100.66:53");
        rig.Clock.Advance(50);
        for (int i = 0; i < 120; i++) rig.Ask($"slow{i}.example", client: $"198.51.100.{100 + i}:53");
        rig.Clock.Advance(50);
        Assert.All(few, waiter => Assert.Equal(0, waiter.Times));
        ScriptedWaiter forged = Forged(rig, 300);
        rig.Clock.Advance(50);
        Assert.True(forged.Answer.WantsProof);
        rig.AssertNothingIsLeft();
    }

    [Fact]
    public void An_eighth_of_the_places_on_streams_is_for_proven_clients()
    {
        ForwarderRig rig = new();
        rig.Upstream.Script = AnswerOnlyGoodNames;
        ScriptedWaiter[] forged = [.. Enumerable.Range(0, 300).Select(i => Forged(rig, i))];
        rig.Clock.Advance(50);
        Assert.Equal(256 - 32, rig.Forwarder.InFlight);
        Assert.Equal(256 - 32, forged.Count(waiter => waiter.Times == 0));
        for (int i = 0; i < 32; i++) rig.Ask($"slow{i}.example", client: $"198.51.100.{1 + i}:53");
        rig.Clock.Advance(50);
        Assert.Equal(256 - 32, forged.Count(waiter => waiter.Times == 0));
        rig.AssertNothingIsLeft();
    }

    private static ScriptedWaiter Forged(ForwarderRig rig, int number, string? client = null)
    {
        ScriptedWaiter waiter = new(rig.Clock) { IsProven = false };
        client ??= $"203.0.{number / 200}.{1 + number % 200}:53";
        Assert.Equal(ForwardResult.Joined, rig.TryAsk($"forged{number}.example", waiter, client: client));
        return waiter;
    }

    [Fact]
    public void Slow_names_of_one_client_evict_no_other_of_its_ipv6_network_from_streams()
    {
        ForwarderRig rig = new();
        rig.Upstream.Script = AnswerOnlyGoodNames;
        ScriptedWaiter other = rig.Ask("slow.example", client: "[2001:db8::2]:53");
        rig.Clock.Advance(50);
        ScriptedWaiter[] many =
            [.. Enumerable.Range(0, 64).Select(i => rig.Ask($"slow{i}.example", client: "[2001:db8::1]:53"))];
        rig.Clock.Advance(50);
        Assert.Equal(0, other.Times);
        Assert.Single(many, waiter => waiter.Result == "SERVFAIL 23");
        Assert.Equal(64, rig.Forwarder.InFlight);
        rig.AssertNothingIsLeft();
    }

    [Fact]
    public void All_addresses_of_an_ipv6_network_take_no_more_than_64_places_on_streams()
    {
        ForwarderRig rig = new();
        rig.Upstream.Script = AnswerOnlyGoodNames;
        ScriptedWaiter[] many = [.. Enumerable.Range(0, 70)
            .Select(i => rig.Ask($"slow{i}.example", client: $"[2001:db8::{i:x}]:53"))];
        rig.Clock.Advance(50);
        Assert.Equal(6, many.Count(waiter => waiter.Result == "SERVFAIL 23"));
        Assert.Equal(64, rig.Forwarder.InFlight);
        rig.AssertNothingIsLeft();
    }

    [Fact]
    public void A_question_that_gave_way_goes_on_with_the_next_upstream()
    {
        ForwarderRig rig = new(upstreams: 2);
        rig.Upstream.Script = AnswerOnlyGoodNames;
        ScriptedWaiter first = rig.Ask("slow.example");
        rig.Clock.Advance(20);
        for (int i = 0; i < 64; i++) rig.Ask($"slow{i}.example");
        rig.Clock.Advance(80);
        Assert.Equal(ScriptedQuery.TrueAddress("slow.example."), first.Result);
        rig.AssertNothingIsLeft();
    }

    [Fact]
    public void A_first_reply_over_a_stream_is_waited_for_twice_as_long_as_a_datagram()
    {
        ForwarderRig rig = new(upstreams: 2);
        rig.Upstream.Script = query =>
        {
            if (!query.IsStream) TruncateDatagrams(query);
        };
        Assert.Equal(ScriptedQuery.TrueAddress("www.example."), rig.Resolve("www.example").Result);
        // The datagram takes 10 ms, and the least wait is 200 ms.
        Assert.InRange(rig.Upstreams[1].Queries[0].At.TotalMilliseconds, 410, 440);
    }

    [Fact]
    public void A_stream_that_the_upstream_closes_is_opened_again_for_what_was_on_its_way()
    {
        ForwarderRig rig = new();
        int streamQueries = 0;
        rig.Upstream.Script = query =>
        {
            if (query.IsStream && ++streamQueries == 2) query.CloseStream(5);
            else TruncateDatagrams(query);
        };
        rig.Resolve("n0.example");
        Assert.Equal(ScriptedQuery.TrueAddress("n1.example."), rig.Resolve("n1.example").Result);
        Assert.Equal(2, rig.Network.OpenedStreams);
        rig.AssertNothingIsLeft();
    }

    [Fact]
    public void An_upstream_that_takes_no_streams_is_followed_by_the_next()
    {
        ForwarderRig rig = new(upstreams: 2);
        rig.Upstream.RefusesStreams = true;
        foreach (ScriptedUpstream upstream in rig.Upstreams) upstream.Script = TruncateDatagrams;
        Assert.Equal(ScriptedQuery.TrueAddress("www.example."), rig.Resolve("www.example").Result);
    }

    [Fact]
    public void An_idle_stream_is_closed_after_ten_seconds()
    {
        ForwarderRig rig = new();
        rig.Upstream.Script = TruncateDatagrams;
        rig.Resolve("n0.example");
        rig.Clock.Advance(9000);
        rig.Resolve("n1.example");
        Assert.Equal(1, rig.Network.OpenedStreams);
        rig.Clock.Advance(11_100);
        Assert.Equal(0, rig.Forwarder.ArmedTimers);
        rig.Resolve("n2.example");
        Assert.Equal(2, rig.Network.OpenedStreams);
    }

    [Fact]
    public void An_upstream_that_goes_silent_over_a_stream_gets_another_stream()
    {
        ForwarderRig rig = new();
        rig.Upstream.Script = query =>
        {
            if (!query.IsStream) TruncateDatagrams(query);
        };
        Assert.Equal("SERVFAIL 22", rig.Resolve("n0.example").Result);
        rig.Clock.Advance(7000);
        rig.Upstream.Script = TruncateDatagrams;
        Assert.Equal(ScriptedQuery.TrueAddress("n1.example."), rig.Resolve("n1.example").Result);
        Assert.Equal(2, rig.Network.OpenedStreams);
    }

    [Fact]
    public void Queries_that_keep_coming_do_not_keep_a_silent_stream()
    {
        ForwarderRig rig = new();
        rig.Upstream.Script = query =>
        {
            if (!query.IsStream) TruncateDatagrams(query);
        };
        for (int i = 0; i < 70; i++)
        {
            rig.Ask($"n{i}.example");
            rig.Clock.Advance(100);
        }
        rig.Upstream.Script = TruncateDatagrams;
        Assert.Equal(ScriptedQuery.TrueAddress("m.example."), rig.Resolve("m.example").Result);
        Assert.Equal(2, rig.Network.OpenedStreams);
    }

    [Fact]
    public void A_stream_that_goes_silent_after_replies_is_replaced_also_with_one_query_at_a_time()
    {
        ForwarderRig rig = new();
        int mute = 0;
        rig.Upstream.Script = query =>
        {
            if (!query.IsStream || rig.Network.OpenedStreams > mute) TruncateDatagrams(query);
        };
        rig.Resolve("n0.example");
        mute = 1;
        Assert.Equal("SERVFAIL 22", rig.Resolve("n1.example").Result);
        Assert.Equal(ScriptedQuery.TrueAddress("n2.example."), rig.Resolve("n2.example").Result);
        mute = 2;
        Assert.Equal("SERVFAIL 22", rig.Resolve("n3.example").Result);
        rig.Clock.Advance(1100);
        Assert.InRange(rig.Resolve("n4.example").WaitedMs, 0, 100);
        Assert.Equal(3, rig.Network.OpenedStreams);
        // A name that gets no reply ends no stream that others get theirs over.
        rig.Upstream.Script = query =>
        {
            if (!query.IsStream || !query.Text.StartsWith("lost", StringComparison.Ordinal)) TruncateDatagrams(query);
        };
        rig.Ask("lost.example");
        for (int i = 0; i < 10; i++)
        {
            rig.Clock.Advance(1000);
            Assert.Equal(ScriptedQuery.TrueAddress($"m{i}.example."), rig.Resolve($"m{i}.example").Result);
        }
        Assert.Equal(3, rig.Network.OpenedStreams);
        rig.AssertNothingIsLeft();
    }

    [Fact]
    public void A_stream_that_takes_no_more_octets_gives_way_to_another()
    {
        ForwarderRig rig = new();
        rig.Upstream.Script = TruncateDatagrams;
        rig.Resolve("n0.example");
        rig.Upstream.ReadsNoStreams = true;
        Assert.Equal("SERVFAIL 22", rig.Resolve("n1.example").Result);
        // Names long enough that the queries exceed what may be queued, before the stream is silent for too long.
        string labels = string.Join('.', Enumerable.Repeat(new string('a', 59), 4));
        rig.Resolve("n2.example");
        int opened = rig.Network.OpenedStreams;
        for (int i = 0; i < 300; i++)
        {
            rig.Ask($"{i}.{labels}");
            rig.Clock.Advance(10);
        }
        Assert.InRange(rig.Network.OpenedStreams, opened + 1, opened + 4);
        rig.Upstream.ReadsNoStreams = false;
        rig.Clock.Advance(10_000);
        Assert.Equal(ScriptedQuery.TrueAddress("n3.example."), rig.Resolve("n3.example").Result);
        rig.AssertNothingIsLeft();
    }

    [Fact]
    public void A_stream_full_of_what_nobody_asked_is_closed()
    {
        ForwarderRig rig = new();
        rig.Upstream.Script = query =>
        {
            for (int i = 1; i < 20 && query.IsStream; i++) query.Reply(query.Forge(id: query.Id + i & 0xFFFF));
            if (!query.IsStream) TruncateDatagrams(query);
        };
        Assert.Equal("SERVFAIL 23", rig.Resolve("www.example").Result);
        rig.AssertNothingIsLeft();
    }

    [Fact]
    public void Late_replies_to_questions_that_gave_way_do_not_close_their_stream()
    {
        ForwarderRig rig = new();
        rig.Upstream.Script = query =>
        {
            if (query.IsStream) query.Answer(query.Text.StartsWith("slow", StringComparison.Ordinal) ? 400 : 600);
            else TruncateDatagrams(query);
        };
        for (int i = 0; i < 63; i++) rig.Ask($"slow{i}.example");
        rig.Clock.Advance(50);
        ScriptedWaiter good = rig.Ask("good.example", client: "198.51.100.9:53");
        rig.Clock.Advance(50);
        for (int i = 0; i < 21; i++) rig.Ask($"slow{100 + i}.example");
        rig.Clock.Advance(1000);
        Assert.Equal(ScriptedQuery.TrueAddress("good.example."), good.Result);
        Assert.DoesNotContain(good.Tries, report => report.Outcome == TryOutcome.NetworkError);
        rig.AssertNothingIsLeft();
    }

    private static void AnswerOnlyGoodNames(ScriptedQuery query)
    {
        if (!query.IsStream || query.Text.StartsWith("good", StringComparison.Ordinal)) TruncateDatagrams(query);
    }

    private static void TruncateDatagrams(ScriptedQuery query)
    {
        if (query.IsStream) query.Answer();
        else query.Reply(query.Message(0x8380, []));
    }
}
