using Xunit;

namespace Dns.Forwarding.Tests;

/// <summary>What is cached, for how long, and for which questions.</summary>
public class AnswerCacheTests
{
    private const string Soa = "authority example. 3600 SOA ns.example. host.example. 1 7200 900 86400 300";
    private static readonly string[] Answer = ["NOERROR", "answer www.example. 300 CNAME a.example.",
        "answer a.example. 200 A 192.0.2.1"];

    private static string Counted(int first, int second) =>
        $"NOERROR\nanswer www.example. {first} CNAME a.example.\nanswer a.example. {second} A 192.0.2.1";

    [Fact]
    public void What_was_never_stored_is_a_miss()
    {
        using TextCache cache = new();
        Assert.Equal("Miss", cache.Ask("www.example. A"));
    }

    [Fact]
    public void Each_ttl_is_counted_down()
    {
        using TextCache cache = new();
        cache.Store("www.example. A", Answer);
        Assert.Equal("Fresh " + Counted(300, 200), cache.Ask("www.example. A"));
        cache.Clock.Advance(TimeSpan.FromSeconds(150.9));
        Assert.Equal("Fresh " + Counted(150, 50), cache.Ask("www.example. A"));
    }

    [Fact]
    public void An_answer_ends_with_its_shortest_ttl()
    {
        using TextCache cache = new(new CacheOptions { MaxBytes = 1 << 20, ServeStale = TimeSpan.Zero });
        cache.Store("www.example. A", Answer);
        cache.Clock.Advance(TimeSpan.FromSeconds(199.8));
        Assert.StartsWith("Fresh", cache.Ask("www.example. A"));
        cache.Clock.Advance(TimeSpan.FromSeconds(0.2));
        Assert.Equal("Miss", cache.Ask("www.example. A"));
        Assert.Equal("nothing", cache.AskStale("www.example. A"));
    }

    [Fact]
    public void The_letter_case_of_a_question_does_not_matter()
    {
        using TextCache cache = new();
        cache.Store("www.example. A", Answer);
        Assert.StartsWith("Fresh NOERROR\nanswer wWw.eXample. 300 CNAME a.eXample.", cache.Ask("wWw.eXample. A"));
    }

    [Theory]
    [InlineData("www.example. AAAA", QuestionFlags.None)]
    [InlineData("ww.example. A", QuestionFlags.None)]
    [InlineData("www.example. A CH", QuestionFlags.None)]
    [InlineData("www.example. A", QuestionFlags.DnssecOk)]
    [InlineData("www.example. A", QuestionFlags.CheckingDisabled)]
    public void Every_part_of_a_question_counts(string question, QuestionFlags flags)
    {
        using TextCache cache = new();
        cache.Store("www.example. A", Answer);
        Assert.Equal("Miss", cache.Ask(question, flags));
    }

    [Fact]
    public void The_latest_answer_is_the_one_that_is_given()
    {
        using TextCache cache = new();
        cache.Store("www.example. A", Answer);
        cache.Store("www.example. A", "NOERROR", "answer www.example. 60 A 192.0.2.9");
        Assert.Equal("Fresh NOERROR\nanswer www.example. 60 A 192.0.2.9", cache.Ask("www.example. A"));
        Assert.Equal(1, cache.Cache.Counters.Entries);
    }

    [Fact]
    public void An_answer_without_lifetime_is_not_kept()
    {
        using TextCache cache = new();
        cache.Store("www.example. A", "NOERROR", "answer www.example. 0 A 192.0.2.1");
        cache.Store("no.example. A", "NXDOMAIN");
        Assert.Equal(0, cache.Cache.Counters.Entries);
    }

    [Fact]
    public void Records_that_do_not_fit_are_left_out_whole()
    {
        using TextCache cache = new();
        cache.Store("www.example. A", "NOERROR", "answer www.example. 300 A 192.0.2.1");
        Assert.Equal("Fresh NOERROR too long", cache.Ask("www.example. A", room: 15));
        Assert.Equal("Fresh NOERROR\nanswer www.example. 300 A 192.0.2.1", cache.Ask("www.example. A", room: 16));
    }

    [Fact]
    public void Authentic_data_and_the_extended_error_are_kept()
    {
        using TextCache cache = new();
        cache.Store("www.example. A", "NOERROR ad", "answer www.example. 300 A 192.0.2.1");
        Assert.StartsWith("Fresh NOERROR ad\n", cache.Ask("www.example. A"));
    }

    [Fact]
    public void A_name_error_holds_for_all_types()
    {
        using TextCache cache = new();
        cache.Store("no.example. A", "NXDOMAIN", Soa);
        cache.Clock.Advance(TimeSpan.FromSeconds(100));
        const string answer = "NXDOMAIN\nauthority example. 200 SOA ns.example. host.example. 1 7200 900 86400 300";
        Assert.Equal("Fresh " + answer, cache.Ask("no.example. A"));
        Assert.Equal("Fresh " + answer, cache.Ask("no.example. MX"));
        Assert.Equal("Miss", cache.Ask("no.example. MX", QuestionFlags.DnssecOk));
    }

    [Fact]
    public void No_data_holds_for_its_type()
    {
        using TextCache cache = new();
        cache.Store("a.example. A", "NOERROR", Soa);
        Assert.StartsWith("Fresh NOERROR\nauthority", cache.Ask("a.example. A"));
        Assert.Equal("Miss", cache.Ask("a.example. MX"));
    }

    [Fact]
    public void A_name_error_covers_the_names_below_down_from_its_zone()
    {
        using TextCache cache = new();
        cache.Store("no.example. A", "NXDOMAIN", Soa);
        const string answer = "NXDOMAIN\nauthority example. 300 SOA ns.example. host.example. 1 7200 900 86400 300";
        Assert.Equal("Fresh " + answer, cache.Ask("x.y.no.example. TXT"));
        Assert.Equal("Fresh " + answer, cache.Ask("x.y.no.example. TXT", zoneLabels: 2));
        // y.no.example is forwarded elsewhere.
        Assert.Equal("Miss", cache.Ask("x.y.no.example. TXT", zoneLabels: 3));
        Assert.Equal("Miss", cache.Ask("x.y.no.example. TXT", zoneLabels: -1));
        Assert.Equal("Miss", cache.Ask("xno.example. TXT"));
    }

    [Fact]
    public void A_name_error_covers_no_names_below_where_that_is_off()
    {
        using TextCache cache = new(new CacheOptions { MaxBytes = 1 << 20, NameErrorCoversNamesBelow = false });
        cache.Store("no.example. A", "NXDOMAIN", Soa);
        Assert.Equal("Miss", cache.Ask("x.no.example. A"));
        Assert.StartsWith("Fresh", cache.Ask("no.example. A"));
    }

    [Fact]
    public void A_signed_name_error_is_moved_below_with_its_proofs()
    {
        using TextCache cache = new();
        const string tail = "13 1 300 20300101000000 20200101000000 1 example. AAAA";
        cache.Store("no.example. A",
            ["NXDOMAIN", "authority example. 300 SOA ns.example. host.no.example. 1 7200 900 86400 300",
                $"authority example. 300 RRSIG SOA {tail}",
            "authority a.example. 300 NSEC z.example. A RRSIG NSEC", $"authority a.example. 300 RRSIG NSEC {tail}"],
            QuestionFlags.DnssecOk);
        Assert.Equal(
            "Fresh NXDOMAIN\nauthority example. 300 SOA ns.example. host.no.example. 1 7200 900 86400 300\n" +
            $"authority example. 300 RRSIG SOA {tail}\nauthority a.example. 300 NSEC z.example. A RRSIG NSEC\n" +
            $"authority a.example. 300 RRSIG NSEC {tail}",
            cache.Ask("long-label.no.example. A", QuestionFlags.DnssecOk));
    }

    [Fact]
    public void A_name_error_behind_an_alias_says_nothing_of_other_names_and_types()
    {
        using TextCache cache = new();
        cache.Store("a.example. A", "NXDOMAIN", "answer a.example. 60 CNAME no.example.", Soa);
        Assert.StartsWith("Fresh NXDOMAIN\nanswer a.example.", cache.Ask("a.example. A"));
        Assert.Equal("Miss", cache.Ask("a.example. MX"));
        Assert.Equal("Miss", cache.Ask("x.a.example. A"));
    }

    [Fact]
    public void A_name_error_of_the_parent_says_nothing_of_a_child_that_is_forwarded_elsewhere()
    {
        using TextCache cache = new();
        cache.Store("child.example. DS", "NXDOMAIN", Soa);
        Assert.StartsWith("Fresh NXDOMAIN", cache.Ask("child.example. DS"));
        Assert.Equal("Miss", cache.Ask("child.example. A"));
        cache.Store("other.example. A", "NXDOMAIN", Soa);
        Assert.Equal("Miss", cache.Ask("other.example. DS"));
        Assert.StartsWith("Fresh NXDOMAIN", cache.Ask("x.other.example. DS"));
    }

    [Fact]
    public void Data_replaces_a_name_error_and_a_name_error_data()
    {
        using TextCache cache = new();
        cache.Store("a.example. A", "NXDOMAIN", Soa);
        cache.Store("a.example. MX", "NOERROR", "answer a.example. 60 MX 10 m.example.");
        Assert.Equal("Miss", cache.Ask("a.example. A"));
        cache.Store("a.example. MX", "NXDOMAIN", Soa);
        Assert.StartsWith("Fresh NXDOMAIN", cache.Ask("a.example. MX"));
    }

    [Fact]
    public void What_was_stored_after_the_time_was_read_is_fresh()
    {
        using TextCache cache = new();
        cache.Clock.Advance(TimeSpan.FromSeconds(10));
        cache.Store("www.example. A", Answer);
        cache.Clock.Advance(TimeSpan.FromSeconds(-5));
        Assert.Equal("Fresh " + Counted(300, 200), cache.Ask("www.example. A"));
    }

    [Fact]
    public void A_cache_below_the_least_size_is_refused() =>
        Assert.Throws<ArgumentOutOfRangeException>(
            () => new AnswerCache(new CacheOptions { MaxBytes = CacheOptions.LeastBytes - 1 }, TimeProvider.System));

    [Fact]
    public void Hits_and_misses_are_counted()
    {
        using TextCache cache = new();
        cache.Store("www.example. A", Answer);
        for (int i = 0; i < 3; i++) cache.Ask("www.example. A");
        cache.Ask("no.example. A");
        CacheCounters counters = cache.Cache.Counters;
        Assert.Equal((3, 1, 1, 1), (counters.Hits, counters.Misses, counters.Stored, counters.Entries));
    }
}
