using Dns.Testing;
using Xunit;
using static Dns.Conformance.Tests.Expectations;
using static Dns.Testing.ExampleZones;

namespace Dns.Conformance.Tests;

public class CookieTests
{
    private const string ClientCookie = "2464C4ABCF10C957";
    private const long Now = 1_700_000_000;

    private readonly ServerCookies _cookies = new([new CookieSecret(new byte[16])], Now);
    private readonly ServedZones _served;

    public CookieTests() =>
        _served = WithOptions(new ResponderOptions { Cookies = _cookies, Identity = new string('i', 230) });

    [Fact, Trait("RFC", "7873 5.2.3"), Trait("RFC", "9018 4")]
    public void A_client_cookie_alone_is_answered_with_a_server_cookie()
    {
        Reply reply = _served.Ask(WithCookie(ClientCookie));
        reply.Says("NOERROR aa", "answer www.example.test. 3600 A 192.0.2.10");
        string cookie = CookieOf(reply);
        Assert.Equal(48, cookie.Length);
        Assert.StartsWith(ClientCookie + "01000000" + "6553F100", cookie);
    }

    [Theory, Trait("RFC", "7873 5.2.2"), Trait("RFC", "6891 7")]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(7)]
    [InlineData(9)]
    [InlineData(15)]
    [InlineData(41)]
    [InlineData(300)]
    public void A_cookie_of_an_impossible_length_is_malformed(int octets)
    {
        Reply reply = _served.Ask(WithCookie(new string('0', octets * 2)));
        reply.Says("FORMERR");
        // Without OPT it would say that EDNS is unknown.
        Assert.Equal(1232, reply.Payload);
        Assert.Empty(reply.Options);
        Assert.NotEmpty(reply.Question);
    }

    [Theory, Trait("RFC", "7873 5.2.4")]
    [InlineData(16)]
    [InlineData(23)]
    [InlineData(24)]
    [InlineData(25)]
    [InlineData(40)]
    public void A_server_cookie_that_is_not_ours_gets_the_answer_with_a_fresh_one(int octets)
    {
        Reply reply = _served.Ask(WithCookie(ClientCookie + new string('1', octets * 2 - 16)));
        Assert.Equal("NOERROR aa", reply.Header);
        Assert.Equal(CookieOf(_served.Ask(WithCookie(ClientCookie))), CookieOf(reply));
    }

    [Fact, Trait("RFC", "7873 5.2.4")]
    public void Over_tcp_a_wrong_cookie_is_answered_alike()
    {
        Reply reply = _served.AskOverTcp(WithCookie(ClientCookie + new string('1', 32)));
        Assert.Equal("NOERROR aa", reply.Header);
        Assert.Equal(CookieOf(_served.Ask(WithCookie(ClientCookie))), CookieOf(reply));
    }

    [Theory, Trait("RFC", "9018 4.3")]
    [InlineData(0, true)]
    [InlineData(1799, true)]
    [InlineData(1800, false)]
    [InlineData(3599, false)]
    [InlineData(3600, false)]
    [InlineData(-300, true)]
    [InlineData(-301, false)]
    [InlineData(1L << 31, false)]
    public void A_server_cookie_comes_back_while_it_is_young(long age, bool isKept)
    {
        string cookie = CookieOf(_served.Ask(WithCookie(ClientCookie)));
        _cookies.Tick(Now + age, 0);
        string after = CookieOf(_served.Ask(WithCookie(cookie)));
        Assert.Equal(isKept, after == cookie);
    }

    [Fact, Trait("RFC", "7873 5.4")]
    public void A_query_without_a_question_and_with_a_cookie_is_answered_empty()
    {
        Reply reply = _served.Ask(WithCookie(ClientCookie) with { Question = [] });
        reply.Says("NOERROR");
        Assert.Equal(CookieOf(_served.Ask(WithCookie(ClientCookie))), CookieOf(reply));
    }

    [Fact, Trait("RFC", "9619 4")]
    public void A_query_without_a_question_and_without_a_cookie_is_malformed()
    {
        _served.Ask(Query("www A") with { Question = [] }).IsHeaderOnly("FORMERR");
        _served.Ask(Query("www A").WithEdns() with { Question = [] }).IsHeaderAndOpt("FORMERR");
        Served.Ask(WithCookie(ClientCookie) with { Question = [] }).IsHeaderAndOpt("FORMERR");
        _served.Ask(WithCookie("010203") with { Question = [] }).IsHeaderAndOpt("FORMERR");
    }

    [Fact, Trait("RFC", "6891 6.1.3")]
    public void Also_without_a_question_another_version_of_EDNS_is_named() =>
        _served.Ask((Query("www A") with { Question = [] }).With(WireOctets.Opt(1232, 1, 0))).IsHeaderAndOpt("BADVERS");

    [Fact, Trait("RFC", "7873 5.2")]
    public void Without_a_cookie_none_is_sent() => Assert.Empty(_served.Ask(Query("www A").WithEdns()).Options);

    [Theory, Trait("RFC", "7873 5.2.3")]
    [InlineData("nx A", "NXDOMAIN aa")]
    [InlineData("www.elsewhere.net. A", "REFUSED")]
    [InlineData("www OPT", "FORMERR")]
    [InlineData("host.sub A", "NOERROR")]
    [InlineData("version.bind. TXT CH", "REFUSED")]
    [InlineData("@ AXFR", "REFUSED")]
    public void Every_kind_of_answer_carries_the_cookie(string question, string header)
    {
        Reply reply = _served.Ask(Query(question).WithOption(EdnsOptionCode.Cookie, ClientCookie));
        Assert.Equal(header, reply.Header);
        Assert.Contains("Cookie " + ClientCookie, reply.Options[0]);
    }

    [Fact, Trait("RFC", "7873 5.2")]
    public void Of_several_cookies_the_first_counts()
    {
        Reply reply = _served
            .Ask(Query("www A").WithEdns(1232, false, Cookie(ClientCookie), Cookie("0102030405060708"), Cookie("01")));
        Assert.Equal(CookieOf(_served.Ask(WithCookie(ClientCookie))), CookieOf(reply));
    }

    [Fact, Trait("RFC", "6891 6.1.3")]
    public void An_unknown_version_is_a_bad_version_whatever_its_cookie()
    {
        Reply reply = _served.Ask(Query("www A").With(WireOctets.Opt(1232, 1, 0, Cookie("01"))));
        reply.Says("BADVERS");
        Assert.Empty(reply.Options);
    }

    [Fact]
    public void Where_options_do_not_fit_beside_the_longest_name_the_cookie_stays()
    {
        string name = string.Join('.', Enumerable.Repeat(new string('a', 60), 4)) + ".test.";
        QueryMessage query = QueryMessage.For(name).WithEdns(
            512, false, Cookie(ClientCookie), WireOctets.Option(EdnsOptionCode.Nsid, []));
        Reply reply = _served.Ask(query);
        Assert.Equal("REFUSED", reply.Header);
        Assert.Equal([$"Cookie {CookieOf(reply)}", "ExtendedError 0014"], reply.Options);
    }

    private static QueryMessage WithCookie(string hex) => Query("www A").WithOption(EdnsOptionCode.Cookie, hex);

    private static byte[] Cookie(string hex) => WireOctets.Option(EdnsOptionCode.Cookie, WireOctets.Hex(hex));

    private static string CookieOf(Reply reply) =>
        reply.Options.Single(option => option.StartsWith("Cookie ", StringComparison.Ordinal))["Cookie ".Length..];
}
