using Xunit;

namespace Dns.Forwarding.Tests;

/// <summary>Expired answers (RFC 8767), failures (RFC 9520), and asking again before the end.</summary>
public class StaleAnswerTests
{
    private const string Fresh = "Fresh NOERROR\nanswer www.example. ";
    private static readonly string[] Answer = ["NOERROR", "answer www.example. 100 A 192.0.2.1"];

    private static TextCache Stored(CacheOptions? options = null)
    {
        TextCache cache = new(options);
        cache.Store("www.example. A", Answer);
        return cache;
    }

    [Fact]
    public void An_expired_answer_is_given_for_30_seconds_where_nobody_answers()
    {
        using TextCache cache = Stored();
        cache.Clock.Advance(TimeSpan.FromSeconds(100));
        Assert.Equal("Stale", cache.Ask("www.example. A"));
        Assert.Equal("NOERROR (StaleAnswer)\nanswer www.example. 30 A 192.0.2.1", cache.AskStale("www.example. A"));
        Assert.Equal(1, cache.Cache.Counters.Stale);
    }

    [Fact]
    public void A_stale_answer_has_an_end_too()
    {
        using TextCache cache = Stored();
        cache.Clock.Advance(TimeSpan.FromSeconds(100 + 86400 - 1));
        Assert.Equal("Stale", cache.Ask("www.example. A"));
        cache.Clock.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal("Miss", cache.Ask("www.example. A"));
        Assert.Equal("nothing", cache.AskStale("www.example. A"));
    }

    [Fact]
    public void A_stale_name_error_is_told_as_such()
    {
        using TextCache cache = new();
        cache.Store("no.example. A", "NXDOMAIN", "authority example. 60 SOA ns.example. host.example. 1 2 3 4 60");
        cache.Clock.Advance(TimeSpan.FromSeconds(60));
        Assert.Equal("Stale", cache.Ask("no.example. A"));
        Assert.StartsWith("NXDOMAIN (StaleNxDomain)\nauthority example. 30 SOA", cache.AskStale("no.example. A"));
        // Below it nothing is known any more.
        Assert.Equal("Miss", cache.Ask("x.no.example. A"));
    }

    [Fact]
    public void An_answer_that_is_fresh_is_given_as_it_is()
    {
        using TextCache cache = Stored();
        Assert.Equal("NOERROR\nanswer www.example. 100 A 192.0.2.1", cache.AskStale("www.example. A"));
    }

    [Fact]
    public void A_failure_is_remembered_for_longer_each_time_up_to_five_minutes()
    {
        using TextCache cache = new();
        foreach (double pause in (double[])[1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300])
        {
            cache.Fail("www.example. A");
            cache.Clock.Advance(TimeSpan.FromSeconds(pause - 0.25));
            Assert.Equal("Failure SERVFAIL (NoReachableAuthority)", cache.Ask("www.example. A"));
            cache.Clock.Advance(TimeSpan.FromSeconds(0.25));
            Assert.Equal("Miss", cache.Ask("www.example. A"));
        }
    }

    [Fact]
    public void Outages_in_between_do_not_lengthen_the_next_pause()
    {
        using TextCache cache = new();
        cache.Fail("www.example. A");
        for (int i = 0; i < 3; i++)
        {
            cache.Clock.Advance(TimeSpan.FromSeconds(1));
            cache.Fail("www.example. A", isOutage: true);
        }
        cache.Clock.Advance(TimeSpan.FromSeconds(1));
        cache.Fail("www.example. A");
        cache.Clock.Advance(TimeSpan.FromSeconds(1.75));
        Assert.StartsWith("Failure", cache.Ask("www.example. A"));
        cache.Clock.Advance(TimeSpan.FromSeconds(0.25));
        Assert.Equal("Miss", cache.Ask("www.example. A"));
    }

    [Fact]
    public void An_old_name_error_is_not_given_for_a_ds()
    {
        using TextCache cache = new();
        cache.Store("no.example. TXT", "NXDOMAIN", "authority example. 60 SOA ns.example. host.example. 1 2 3 4 60");
        cache.Clock.Advance(TimeSpan.FromSeconds(61));
        Assert.StartsWith("NXDOMAIN (StaleNxDomain)", cache.AskStale("no.example. A"));
        Assert.Equal("nothing", cache.AskStale("no.example. DS"));
    }

    [Fact]
    public void A_failure_long_ago_counts_no_more()
    {
        using TextCache cache = new();
        cache.Fail("www.example. A");
        cache.Fail("www.example. A");
        cache.Clock.Advance(TimeSpan.FromSeconds(2 + 301));
        cache.Fail("www.example. A");
        cache.Clock.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal("Miss", cache.Ask("www.example. A"));
    }

    [Fact]
    public void A_failure_is_that_of_its_question()
    {
        using TextCache cache = new();
        cache.Fail("www.example. A", ExtendedErrorCode.NetworkError);
        Assert.Equal("Failure SERVFAIL (NetworkError)", cache.Ask("www.example. A"));
        Assert.Equal("Miss", cache.Ask("www.example. AAAA"));
        Assert.Equal("Miss", cache.Ask("x.www.example. A"));
        Assert.Equal("Miss", cache.Ask("www.example. A", QuestionFlags.DnssecOk));
    }

    [Fact]
    public void A_failure_neither_hides_a_fresh_answer_nor_removes_a_stale_one()
    {
        using TextCache cache = Stored();
        cache.Fail("www.example. A");
        Assert.Equal(Fresh + "100 A 192.0.2.1", cache.Ask("www.example. A"));
        cache.Clock.Advance(TimeSpan.FromSeconds(100));
        cache.Fail("www.example. A");
        Assert.Equal("Failure NOERROR (StaleAnswer)\nanswer www.example. 30 A 192.0.2.1", cache.Ask("www.example. A"));
    }

    [Fact]
    public void An_answer_ends_a_failure()
    {
        using TextCache cache = new();
        for (int i = 0; i < 5; i++) cache.Fail("www.example. A");
        cache.Store("www.example. A", Answer);
        Assert.Equal(1, cache.Cache.Counters.Entries);
        cache.Clock.Advance(TimeSpan.FromSeconds(86400 + 100));
        cache.Fail("www.example. A");
        cache.Clock.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal("Miss", cache.Ask("www.example. A"));
    }

    [Fact]
    public void A_popular_answer_is_due_once_in_its_last_tenth()
    {
        using TextCache cache = Stored();
        for (int i = 0; i < 3; i++) cache.Ask("www.example. A");
        cache.Clock.Advance(TimeSpan.FromSeconds(89.75));
        Assert.Equal(Fresh + "11 A 192.0.2.1", cache.Ask("www.example. A"));
        cache.Clock.Advance(TimeSpan.FromSeconds(0.25));
        Assert.Equal("DueForRefresh NOERROR\nanswer www.example. 10 A 192.0.2.1", cache.Ask("www.example. A"));
        Assert.Equal(Fresh + "10 A 192.0.2.1", cache.Ask("www.example. A"));
        cache.Store("www.example. A", Answer);
        cache.Clock.Advance(TimeSpan.FromSeconds(95));
        Assert.StartsWith("DueForRefresh", cache.Ask("www.example. A"));
    }

    [Fact]
    public void An_answer_that_moves_between_queues_is_due_once()
    {
        using TextCache cache = Stored(new CacheOptions { MaxBytes = 1 << 20 });
        for (int i = 0; i < 3; i++) cache.Ask("www.example. A");
        cache.Clock.Advance(TimeSpan.FromSeconds(95));
        Assert.StartsWith("DueForRefresh", cache.Ask("www.example. A"));
        for (int i = 0; i < 3_000; i++)
            cache.Store($"n{i}.example. A", "NOERROR", $"answer n{i}.example. 60 A 192.0.2.1");
        for (int i = 0; i < 5; i++) Assert.StartsWith("Fresh", cache.Ask("www.example. A"));
    }

    [Fact]
    public void An_answer_that_nobody_asks_for_twice_is_not_due()
    {
        using TextCache cache = Stored();
        cache.Ask("www.example. A");
        cache.Clock.Advance(TimeSpan.FromSeconds(95));
        Assert.StartsWith("Fresh", cache.Ask("www.example. A"));
    }

    [Fact]
    public void Nothing_is_due_where_that_is_off()
    {
        using TextCache cache = Stored(new CacheOptions { MaxBytes = 1 << 20, Prefetch = false });
        for (int i = 0; i < 3; i++) cache.Ask("www.example. A");
        cache.Clock.Advance(TimeSpan.FromSeconds(95));
        Assert.StartsWith("Fresh", cache.Ask("www.example. A"));
    }

    [Fact]
    public void A_refresh_that_failed_is_due_again_after_the_pause()
    {
        using TextCache cache = Stored();
        for (int i = 0; i < 3; i++) cache.Ask("www.example. A");
        cache.Clock.Advance(TimeSpan.FromSeconds(91));
        Assert.StartsWith("DueForRefresh", cache.Ask("www.example. A"));
        cache.Fail("www.example. A");
        Assert.StartsWith("Fresh", cache.Ask("www.example. A"));
        cache.Clock.Advance(TimeSpan.FromSeconds(1));
        Assert.StartsWith("DueForRefresh", cache.Ask("www.example. A"));
    }

    [Fact]
    public void A_popular_name_error_is_due_too()
    {
        using TextCache cache = new();
        cache.Store("no.example. A", "NXDOMAIN", "authority example. 60 SOA ns.example. host.example. 1 2 3 4 60");
        for (int i = 0; i < 3; i++) cache.Ask("no.example. A");
        cache.Clock.Advance(TimeSpan.FromSeconds(55));
        Assert.StartsWith("Fresh", cache.Ask("x.no.example. A"));
        Assert.StartsWith("DueForRefresh", cache.Ask("no.example. A"));
    }
}
