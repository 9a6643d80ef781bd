using Dns.Testing;
using Xunit;

namespace Dns.Forwarding.Tests;

/// <summary>RFC 6891 §6.2.2 and RFC 7873 §5: upstreams that know less, or want more.</summary>
public class EdnsFallbackTests
{
    private static readonly string True = ScriptedQuery.TrueAddress("www.example.");

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void An_upstream_that_does_not_know_edns_is_asked_once_without_it(bool isBare)
    {
        ForwarderRig rig = new();
        rig.Upstream.Script = query =>
        {
            if (!query.HasEdns) query.Answer();
            else query.Reply(isBare ? Bare(query, Rcode.FormErr) : query.Message(0x8181, []));
        };
        Assert.Equal(True, rig.Resolve("www.example").Result);
        Assert.Equal([true, false], rig.Upstream.Queries.Select(query => query.HasEdns));
        rig.Resolve("ftp.example");
        Assert.False(rig.Upstream.Queries[2].HasEdns);
        rig.Clock.Advance(TimeSpan.FromMinutes(1));
        rig.Resolve("mail.example");
        Assert.True(rig.Upstream.Queries[3].HasEdns);
    }

    [Theory]
    [InlineData(Rcode.FormErr, true)]
    [InlineData(Rcode.ServFail, true)]
    [InlineData(Rcode.NotImp, true)]
    [InlineData(Rcode.Refused, true)]
    [InlineData(Rcode.FormErr, false)]
    [InlineData(Rcode.NotImp, false)]
    public void An_error_without_a_question_or_about_edns_leads_to_one_query_without_edns_and_the_next_upstream(
        Rcode code, bool isBare)
    {
        ForwarderRig rig = new(upstreams: 2);
        rig.Upstream.Script = query =>
            query.Reply(isBare ? Bare(query, code) : query.Message(0x8180 | (int)code, []));
        Assert.Equal(True, rig.Resolve("www.example").Result);
        Assert.Equal([true, false], rig.Upstream.Queries.Select(query => query.HasEdns));
        Assert.Equal(1, rig.Upstreams[1].Asked);
        Assert.InRange(rig.Clock.Elapsed, TimeSpan.Zero, TimeSpan.FromMilliseconds(200));
        rig.AssertNothingIsLeft();
    }

    [Fact]
    public void A_bare_error_does_not_end_edns_for_an_upstream_that_has_spoken_it()
    {
        ForwarderRig rig = new();
        rig.Upstream.Script = query => query.Reply(query.TrueAnswer(options: []));
        rig.Resolve("ftp.example");
        rig.Upstream.Script = query =>
        {
            if (query.HasEdns) query.Reply(Bare(query, Rcode.FormErr));
            else query.Answer();
        };
        Assert.Equal(True, rig.Resolve("www.example").Result);
        rig.Resolve("mail.example");
        Assert.Equal([true, true, false, true, false], rig.Upstream.Queries.Select(query => query.HasEdns));
    }

    [Fact]
    public void A_bare_error_without_the_cookie_that_the_upstream_sends_is_decided_over_tcp()
    {
        ForwarderRig rig = new();
        rig.Upstream.Script = query => query.Reply(query.TrueAnswer(options: Cookie(query, "A1A2A3A4A5A6A7A8")));
        rig.Resolve("ftp.example");
        rig.Upstream.Script = query =>
        {
            if (query.IsStream) query.Reply(query.TrueAnswer(options: Cookie(query, "A1A2A3A4A5A6A7A8")));
            else query.Reply(Bare(query, Rcode.Refused));
        };
        Assert.Equal(True, rig.Resolve("www.example").Result);
        Assert.Equal([(true, false), (true, false), (true, true)],
            rig.Upstream.Queries.Select(query => (query.HasEdns, query.IsStream)));
    }

    [Fact]
    public void One_name_that_an_upstream_chokes_on_does_not_take_edns_from_the_others()
    {
        ForwarderRig rig = new();
        rig.Upstream.Script = query =>
        {
            if (query.HasEdns && query.Text.StartsWith("bad", StringComparison.Ordinal)) query.Fail(Rcode.FormErr);
            else query.Reply(query.TrueAnswer(options: []));
        };
        rig.Resolve("ftp.example");
        Assert.Equal(ScriptedQuery.TrueAddress("bad.example."), rig.Resolve("bad.example").Result);
        rig.Resolve("www.example");
        Assert.Equal([true, true, false, true], rig.Upstream.Queries.Select(query => query.HasEdns));
    }

    [Fact]
    public void A_version_that_the_upstream_does_not_know_is_asked_again_without()
    {
        ForwarderRig rig = new();
        rig.Upstream.Script = query =>
        {
            if (query.HasEdns) query.Reply(query.Message(0x8180, [], options: [], extendedRcode: 1));
            else query.Answer();
        };
        Assert.Equal(True, rig.Resolve("www.example").Result);
    }

    [Fact, Trait("RFC", "8914 2")]
    public void The_extended_error_of_an_upstream_is_passed_on_and_cached()
    {
        ForwarderRig rig = new();
        rig.Upstream.Script = query => query.Reply(query.TrueAnswer(options: Error(ExtendedErrorCode.ForgedAnswer)));
        Assert.Equal(ExtendedErrorCode.ForgedAnswer, rig.Resolve("www.example").Answer.Error);
        Assert.Equal(CacheState.Fresh, rig.Known("www.example", out RelayedAnswer cached));
        Assert.Equal(ExtendedErrorCode.ForgedAnswer, cached.Error);
        // 6 = DNSSEC Bogus.
        rig.Upstream.Script = query => query.Reply(query.Message(0x8182, [], options: Error((ExtendedErrorCode)6)));
        Assert.Equal("SERVFAIL 6", rig.Resolve("bogus.example").Result);
        Assert.Equal(CacheState.Failure, rig.Known("bogus.example", out cached));
        Assert.Equal((ExtendedErrorCode)6, cached.Error);
        // A stale answer of the upstream is none of this cache.
        rig.Upstream.Script = query => query.Reply(query.TrueAnswer(options: Error(ExtendedErrorCode.StaleAnswer)));
        RelayedAnswer stale = rig.Resolve("stale.example").Answer;
        Assert.Equal((ExtendedErrorCode.StaleAnswer, false), (stale.Error, stale.IsStale));
    }

    [Fact]
    public void The_cookie_of_an_upstream_is_sent_back_and_ours_stays_the_same()
    {
        ForwarderRig rig = new();
        string server = "A1A2A3A4A5A6A7A8";
        rig.Upstream.Script = query => query.Reply(query.TrueAnswer(options: Cookie(query, server)));
        rig.Resolve("www.example");
        rig.Resolve("ftp.example");
        ScriptedQuery[] queries = [.. rig.Upstream.Queries];
        Assert.Equal([8, 16], queries.Select(query => query.Cookie.Length));
        Assert.Equal(Convert.ToHexString(queries[0].Cookie) + server, Convert.ToHexString(queries[1].Cookie));
    }

    [Fact]
    public void Two_upstreams_get_different_cookies()
    {
        ForwarderRig rig = new(upstreams: 2, policy: UpstreamPolicy.RoundRobin);
        for (int i = 0; i < 4; i++) rig.Resolve($"n{i}.example");
        Assert.Equal(2, rig.Upstreams.SelectMany(upstream => upstream.Queries)
            .Select(query => Convert.ToHexString(query.Cookie)).Distinct().Count());
    }

    [Theory]
    [InlineData("0000000000000000A1A2A3A4A5A6A7A8")]
    [InlineData("0000")]
    public void A_reply_with_a_cookie_that_is_not_ours_is_decided_over_tcp(string cookie)
    {
        ForwarderRig rig = new();
        rig.Upstream.Script = query =>
        {
            byte[] option = WireOctets.Option(EdnsOptionCode.Cookie, WireOctets.Hex(cookie));
            byte[] forgery = query.Message(0x8180, [ScriptedQuery.Address(ScriptedQuery.Forged)], options: [option]);
            if (!query.IsStream) query.Reply(forgery, 5);
            query.Reply(query.TrueAnswer(options: Cookie(query, "A1A2A3A4A5A6A7A8")));
        };
        Assert.Equal(True, rig.Resolve("www.example").Result);
        Assert.Equal(1, rig.Forwarder.Upstreams[0].Mismatched);
    }

    [Fact]
    public void An_upstream_that_changes_our_cookie_is_queried_over_tcp_from_then_on()
    {
        ForwarderRig rig = new();
        rig.Upstream.Script = query =>
        {
            byte[] cookie = [.. query.Cookie];
            if (cookie.Length > 0) cookie[0] ^= 1;
            query.Reply(query.TrueAnswer(options: [WireOctets.Option(EdnsOptionCode.Cookie, cookie)]));
        };
        Assert.Equal(True, rig.Resolve("www.example").Result);
        Assert.Equal([false, true], rig.Upstream.Queries.Select(query => query.IsStream));
        Assert.InRange(rig.Clock.Elapsed, TimeSpan.Zero, TimeSpan.FromMilliseconds(100));
        Assert.True(rig.Forwarder.Upstreams[0].IsStreamOnly);
        rig.Resolve("ftp.example");
        Assert.Equal([false, true, true], rig.Upstream.Queries.Select(query => query.IsStream));
        // The cookie of another is not sent back.
        Assert.All(rig.Upstream.Queries, query => Assert.Equal(rig.First.Cookie, query.Cookie));
    }

    [Fact]
    public void A_reply_without_the_cookie_that_the_upstream_used_to_send_is_asked_for_again_over_tcp()
    {
        ForwarderRig rig = new();
        rig.Upstream.Script = query => query.Reply(query.TrueAnswer(options: Cookie(query, "A1A2A3A4A5A6A7A8")));
        rig.Resolve("ftp.example");
        rig.Upstream.Script = query => query.Reply(query.IsStream ? query.TrueAnswer() : query.Forge());
        Assert.Equal(True, rig.Resolve("www.example").Result);
        Assert.Equal([false, false, true], rig.Upstream.Queries.Select(query => query.IsStream));
        // It said over TCP that it sends none any more: then datagrams need none.
        rig.Upstream.Script = query => query.Answer();
        rig.Resolve("mail.example");
        Assert.Equal(4, rig.Upstream.Asked);
    }

    [Fact]
    public void A_bad_cookie_is_asked_again_with_the_one_that_came_with_it()
    {
        ForwarderRig rig = new();
        rig.Upstream.Script = query =>
        {
            if (query.Cookie.Length == 16) query.Reply(query.TrueAnswer(options: Cookie(query, "B1B2B3B4B5B6B7B8")));
            else query.Reply(query.Message(0x8187, [], options: Cookie(query, "B1B2B3B4B5B6B7B8"), extendedRcode: 1));
        };
        Assert.Equal(True, rig.Resolve("www.example").Result);
        Assert.Equal([false, false], rig.Upstream.Queries.Select(query => query.IsStream));
    }

    [Fact]
    public void A_second_bad_cookie_is_asked_again_over_tcp()
    {
        ForwarderRig rig = new();
        rig.Upstream.Script = query =>
        {
            byte[][] cookie = Cookie(query, "B1B2B3B4B5B6B7B8");
            if (query.IsStream) query.Reply(query.TrueAnswer(options: cookie));
            else query.Reply(query.Message(0x8187, [], options: cookie, extendedRcode: 1));
        };
        Assert.Equal(True, rig.Resolve("www.example").Result);
        Assert.Equal([false, false, true], rig.Upstream.Queries.Select(query => query.IsStream));
    }

    private static byte[] Bare(ScriptedQuery query, Rcode code) =>
        [.. query.Message(0x8180 | (int)code, [])[..4], 0, 0, 0, 0, 0, 0, 0, 0];

    private static byte[][] Error(ExtendedErrorCode code) =>
        [WireOctets.Option(EdnsOptionCode.ExtendedError, [0, (byte)code, .. "text"u8])];

    private static byte[][] Cookie(ScriptedQuery query, string server) =>
        [WireOctets.Option(EdnsOptionCode.Cookie, [.. query.Cookie[..8], .. WireOctets.Hex(server)])];
}
