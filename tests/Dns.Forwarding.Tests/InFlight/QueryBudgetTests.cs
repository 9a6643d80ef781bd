using Xunit;

namespace Dns.Forwarding.Tests;

/// <summary>How many queries are sent to upstreams for one query of a client.</summary>
public class QueryBudgetTests
{
    private readonly ForwarderRig _rig = new();

    [Theory]
    [InlineData(0, 5)]
    [InlineData(5, 5)]
    [InlineData(7, 3)]
    [InlineData(9, 1)]
    public void A_question_is_sent_no_more_often_than_the_query_has_left(int spent, int sent)
    {
        _rig.Upstream.IsDead = true;
        ScriptedWaiter waiter = new(_rig.Clock);
        Assert.Equal(ForwardResult.Joined, _rig.TryAsk("www.example", waiter, spent: spent));
        _rig.Clock.Advance(5100);
        Assert.Equal((sent, 1), (_rig.Upstream.Asked, waiter.Times));
        _rig.AssertNothingIsLeft();
    }

    [Fact]
    public void Fallbacks_that_a_reply_asks_for_count_too()
    {
        _rig.Upstream.Script = query =>
        {
            if (query.IsStream) query.Fail(Rcode.FormErr);
            else query.Reply(query.Message(0x8380, []));
        };
        ScriptedWaiter waiter = new(_rig.Clock);
        _rig.TryAsk("www.example", waiter, spent: 8);
        _rig.Clock.Advance(5100);
        Assert.Equal(["UDP", "TCP"],
            _rig.Upstream.Queries.Where(query => !query.IsProbe).Select(query => query.IsStream ? "TCP" : "UDP"));
        Assert.Equal(1, waiter.Times);
        _rig.AssertNothingIsLeft();
    }

    [Fact]
    public void A_failure_for_lack_of_tries_is_not_cached()
    {
        _rig.Upstream.Script = query =>
        {
            if (query.IsStream) query.Answer();
            else query.Reply(query.Message(0x8380, []));
        };
        ScriptedWaiter waiter = new(_rig.Clock);
        _rig.TryAsk("www.example", waiter, spent: 9);
        _rig.Clock.Advance(5100);
        Assert.Equal((1, "SERVFAIL 22"), (waiter.Times, waiter.Result));
        Assert.Equal(CacheState.Miss, _rig.Known("www.example", out _));
        Assert.Equal(ScriptedQuery.TrueAddress("www.example."), _rig.Resolve("www.example").Result);
        _rig.AssertNothingIsLeft();
    }

    [Fact]
    public void A_failure_of_all_upstreams_is_cached_however_many_tries_are_left()
    {
        _rig.Upstream.Script = query => query.Fail(Rcode.ServFail);
        ScriptedWaiter waiter = new(_rig.Clock);
        _rig.TryAsk("www.example", waiter, spent: 9);
        _rig.Clock.Advance(100);
        Assert.Equal((1, CacheState.Failure), (waiter.Times, _rig.Known("www.example", out _)));
        _rig.AssertNothingIsLeft();
    }

    [Fact]
    public void A_refresh_that_ends_for_lack_of_tries_is_repeated_and_leaves_no_failure()
    {
        _rig.Upstream.Script = query => query.Reply(query.TrueAnswer(ttl: 100));
        _rig.Resolve("www.example");
        for (int i = 0; i < 4; i++) _rig.Known("www.example", out _);
        _rig.Clock.Advance(TimeSpan.FromSeconds(91));
        _rig.Upstream.Script = query => query.Reply(query.Message(0x8380, []));
        for (int refreshed = 1; refreshed <= 2; refreshed++)
        {
            Assert.Equal(CacheState.Fresh, _rig.Known("www.example", new byte[512], out _, spent: 9));
            Assert.Equal(refreshed, _rig.Forwarder.Counters.Refreshed);
            _rig.Clock.Advance(50);
        }
        _rig.Clock.Advance(TimeSpan.FromSeconds(30));
        Assert.NotEqual(CacheState.Failure, _rig.Known("www.example", out _));
    }

    [Theory]
    [InlineData(100)]
    [InlineData(1000)]
    public void Who_joins_with_more_left_has_it_asked_on(int afterMs)
    {
        _rig.Upstream.IsDead = true;
        ScriptedWaiter first = new(_rig.Clock), second = new(_rig.Clock);
        _rig.TryAsk("www.example", first, spent: 9);
        _rig.Clock.Advance(afterMs);
        Assert.Equal(1, _rig.Upstream.Asked);
        _rig.TryAsk("www.example", second, spent: 7);
        _rig.Clock.Advance(5100);
        Assert.Equal((3, 1, 1), (_rig.Upstream.Asked, first.Times, second.Times));
        _rig.AssertNothingIsLeft();
    }

    [Fact]
    public void Who_joins_with_more_left_while_nothing_is_sent_any_more_has_it_asked_on_at_once()
    {
        _rig.Upstream.IsDead = true;
        _rig.TryAsk("www.example", new ScriptedWaiter(_rig.Clock), spent: 9);
        _rig.Clock.Advance(1000);
        _rig.Upstream.IsDead = false;
        ScriptedWaiter second = new(_rig.Clock);
        _rig.TryAsk("www.example", second);
        _rig.Clock.Advance(50);
        Assert.Equal((2, ScriptedQuery.TrueAddress("www.example.")), (_rig.Upstream.Asked, second.Result));
        _rig.AssertNothingIsLeft();
    }

    [Theory]
    [InlineData(0, 1)]
    [InlineData(9, 1)]
    [InlineData(10, 0)]
    public void A_query_that_has_none_left_has_nothing_refreshed(int spent, int refreshed)
    {
        _rig.Upstream.Script = query => query.Reply(query.TrueAnswer(ttl: 100));
        _rig.Resolve("www.example");
        for (int i = 0; i < 4; i++) _rig.Known("www.example", out _);
        _rig.Clock.Advance(TimeSpan.FromSeconds(95));
        Assert.Equal(CacheState.Fresh, _rig.Known("www.example", new byte[512], out _, spent));
        Assert.Equal(refreshed, _rig.Forwarder.Counters.Refreshed);
        // It is left for another query to do.
        Assert.Equal(CacheState.Fresh, _rig.Known("www.example", out _));
        Assert.Equal(1, _rig.Forwarder.Counters.Refreshed);
    }

    [Fact]
    public void A_refresh_counts_with_all_that_it_may_take()
    {
        _rig.Upstream.Script = query => query.Reply(query.TrueAnswer(ttl: 100));
        string[] names = ["a.example", "b.example", "c.example"];
        foreach (string name in names) _rig.Resolve(name);
        foreach (string name in names)
            for (int i = 0; i < 4; i++) _rig.Known(name, out _);
        _rig.Clock.Advance(TimeSpan.FromSeconds(95));
        int spent = 0;
        foreach (string name in names) _rig.Known(name, new byte[512], ref spent, out _);
        Assert.Equal((10, 2), (spent, (int)_rig.Forwarder.Counters.Refreshed));
    }

    [Fact]
    public void A_stale_answer_is_given_without_a_refresh_where_nothing_is_left()
    {
        _rig.Upstream.Script = query => query.Reply(query.TrueAnswer(ttl: 5));
        _rig.Resolve("www.example");
        _rig.Upstream.IsDead = true;
        for (int i = 0; i < 20; i++) _rig.Ask($"n{i}.example");
        _rig.Clock.Advance(TimeSpan.FromSeconds(12));
        Assert.Equal(UpstreamState.Down, _rig.Forwarder.Upstreams[0].State);
        int before = _rig.Forwarder.InFlight;
        Assert.Equal(CacheState.Stale, _rig.Known("www.example", new byte[512], out _, spent: 10));
        Assert.Equal(before, _rig.Forwarder.InFlight);
        Assert.Equal(CacheState.Stale, _rig.Known("www.example", new byte[512], out _));
        Assert.Equal(before + 1, _rig.Forwarder.InFlight);
        _rig.AssertNothingIsLeft();
    }
}
