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
            else query.Reply(isBare ? Bare(query) : query.Message(0x8181, []));
        };
        Assert.Equal(True, rig.Resolve("www.example").Result);
        Assert.Equal([true, false], rig.Upstream.Queries.Select(query => query.HasEdns));
        rig.Resolve("ftp.example");
        Assert.False(rig.Upstream.Queries[2].HasEdns);
        rig.Clock.Advance(TimeSpan.FromMinutes(1));
        rig.Resolve("mail.example");
        Assert.True(rig.Upstream.Queries[3].HasEdns);
    }

    [Fact]
    public void A_bare_format_error_does_not_count_once_the_upstream_has_spoken_edns()
    {
        ForwarderRig rig = new();
        rig.Upstream.Script = query => query.Reply(query.TrueAnswer(options: []));
        rig.Resolve("ftp.example");
        rig.Upstream.Script = query =>
        {
            query.Reply(Bare(query), 5);
            query.Answer();
        };
        Assert.Equal(True, rig.Resolve("www.example").Result);
        Assert.Equal(2, rig.Upstream.Asked);
        Assert.Equal(1, rig.Forwarder.Upstreams[0].Mismatched);
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
    public void A_reply_with_a_cookie_that_is_not_ours_is_ignored(string cookie)
    {
        ForwarderRig rig = new();
        rig.Upstream.Script = query =>
        {
            byte[] option = WireOctets.Option(EdnsOptionCode.Cookie, WireOctets.Hex(cookie));
            query.Reply(query.Message(0x8180, [ScriptedQuery.Address(ScriptedQuery.Forged)], options: [option]), 5);
            query.Reply(query.TrueAnswer(options: Cookie(query, "A1A2A3A4A5A6A7A8")));
        };
        Assert.Equal(True, rig.Resolve("www.example").Result);
        Assert.Equal(1, rig.Forwarder.Upstreams[0].Mismatched);
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

    private static byte[] Bare(ScriptedQuery query) => [.. query.Message(0x8181, [])[..4], 0, 0, 0, 0, 0, 0, 0, 0];

    private static byte[][] Cookie(ScriptedQuery query, string server) =>
        [WireOctets.Option(EdnsOptionCode.Cookie, [.. query.Cookie[..8], .. WireOctets.Hex(server)])];
}
