using System.Net;
using Dns.Testing;
using Xunit;
using static Dns.Testing.ExampleZones;

namespace Dns.Answering.Tests;

public class RateLimiterTests
{
    private const int Rate = 4;

    private readonly ServerCookies _cookies = new([new CookieSecret(new byte[16])], 1_700_000_000);
    private RateLimiter _limiter;
    private ServedZones _served;

    public RateLimiterTests() => (_limiter, _served) = Make(new RateLimitOptions());

    [Theory]
    [InlineData("www A")]
    [InlineData("alias A")]
    [InlineData("www TXT")]
    [InlineData("nx A")]
    [InlineData("host.sub A")]
    [InlineData("foo.wild A")]
    [InlineData("www.elsewhere.net. A")]
    [InlineData("www OPT")]
    public void Each_kind_of_answer_has_its_rate(string question)
    {
        Assert.Equal("AAAA.T.T.T", Outcomes(10, _ => Query(question)));
        _limiter.Tick(1);
        Assert.Equal("AAAA.T.T.T", Outcomes(10, _ => Query(question)));
    }

    [Fact]
    public void A_change_of_the_rates_lets_nobody_off_and_keeps_the_counts()
    {
        Assert.Equal("AAAA.T", Outcomes(6, _ => Query("www A")));
        Change(Rate * 2);
        Assert.Equal("....", Outcomes(4, _ => Query("www A")));
        _limiter.Tick(1);
        Assert.Equal("AAAAAAAA..", Outcomes(10, _ => Query("www A")));
        Assert.Equal(new RateLimitCounters(12, 7, 1, 0), _limiter.Counters);
        // A bucket with more tokens than the rate allows now.
        _limiter.Tick(2);
        Assert.Equal("A", Outcomes(1, _ => Query("www A")));
        Change(2);
        Assert.Equal("AA.", Outcomes(3, _ => Query("www A")));
    }

    [Fact]
    public void A_question_that_is_no_client_s_takes_nothing_of_the_limit()
    {
        byte[] room = new byte[1232], query = Query("www A").ToOctets();
        ClientAddress client = ClientAddress.From(IPEndPoint.Parse("192.0.2.1:53000"));
        for (int i = 0; i < Rate * 2; i++)
        {
            query.CopyTo(room, 0);
            Assert.True(_served.Responder.Apart().Respond(room, query.Length, DnsTransport.Udp, ref client) > 12);
        }
        Assert.Equal("AAAA.", Outcomes(5, _ => Query("www A")));
    }

    private void Change(int rate)
    {
        _limiter = _limiter.With(new RateLimitOptions { ResponsesPerSecond = rate, Slip = 0, Table = 1000 });
        _served = WithOptions(new ResponderOptions { RateLimiter = _limiter, Cookies = _cookies });
    }

    [Theory]
    [InlineData("x{0}.nx A")]
    [InlineData("x{0}.y{0}.z{0} A")]
    [InlineData("x{0}.www A")]
    [InlineData("x{0}.host{0} A")]
    [InlineData("x.y{0}.host{0} A")]
    [InlineData("host{0}.sub A")]
    [InlineData("x{0}.wild A")]
    [InlineData("x{0}.wc A")]
    [InlineData("x{0}.wild TXT")]
    [InlineData("x{0}.dn A")]
    [InlineData("x{0}.wns A")]
    [InlineData("x{0}.elsewhere.net. A")]
    public void Random_names_fall_together(string question) =>
        Assert.Equal("AAAA.T.T", Outcomes(8, i => Query(string.Format(question, i))));

    [Fact]
    public void A_bad_version_of_edns_is_an_error_whatever_name_is_asked()
    {
        Assert.Equal("AAAA....",
            Outcomes(8, i => Query($"x{i}.y{i} A").With(WireOctets.Opt(1232, 1, 0))).Replace('T', '.'));
        AnswerCounts counts = _served.Responder.Counters.Read();
        Assert.Equal((0, 4), (counts.Of(AnswerKind.Referral), counts.Answers(DnsTransport.Udp, Rcode.BadVers)));
    }

    [Fact]
    public void Names_that_exist_and_kinds_have_rates_of_their_own()
    {
        string[] questions = ["www A", "ns1 A", "www TXT", "nx A", "host.sub A", "host.sec A", "www.elsewhere.net. A"];
        Assert.All(questions, question => Assert.Equal("AAAA.", Outcomes(5, _ => Query(question))));
    }

    [Theory]
    [InlineData("192.0.2.1", "192.0.2.254", true)]
    [InlineData("192.0.2.1", "192.0.3.1", false)]
    [InlineData("2001:db8:0:100::1", "2001:db8:0:1ff::1", true)]
    [InlineData("2001:db8:0:100::1", "2001:db8:0:200::1", false)]
    [InlineData("::ffff:192.0.2.1", "192.0.2.2", true)]
    public void Clients_of_one_network_share_a_rate(string one, string other, bool isShared)
    {
        Assert.Equal("AAAA.", Outcomes(5, _ => Query("www A"), one));
        Assert.Equal(isShared ? "T" : "A", Outcomes(1, _ => Query("www A"), other));
    }

    [Fact]
    public void The_length_of_networks_is_the_operator_s()
    {
        (_limiter, _served) = Make(new RateLimitOptions { IPv4Prefix = 32, IPv6Prefix = 64 });
        Assert.Equal("AAAA.", Outcomes(5, _ => Query("www A"), "192.0.2.1"));
        Assert.Equal("A", Outcomes(1, _ => Query("www A"), "192.0.2.2"));
        Assert.Equal("AAAA.", Outcomes(5, _ => Query("www A"), "2001:db8::1"));
        Assert.Equal("A", Outcomes(1, _ => Query("www A"), "2001:db8:0:1::1"));
        Assert.Equal("T", Outcomes(1, _ => Query("www A"), "2001:db8::ffff:1"));
    }

    [Fact]
    public void A_slipped_answer_is_empty_with_TC_and_no_longer_than_its_query()
    {
        QueryMessage query = Query("nx A").WithEdns(4096, true);
        Outcomes(Rate + 1, _ => query, "127.0.0.1");
        Reply reply = _served.Ask(query);
        Assert.Equal("NOERROR tc", reply.Header);
        Assert.Equal(["NOERROR tc"], reply.Lines);
        Assert.Equal(query.ToOctets().Length, reply.Octets.Length);
        Assert.NotNull(reply.Opt);
    }

    [Fact]
    public void A_slipped_answer_carries_a_cookie_and_nothing_else_that_was_asked_for()
    {
        QueryMessage query = Query("@ SOA").WithEdns(4096, true,
            WireOctets.Option(EdnsOptionCode.Cookie, new byte[8]), WireOctets.Option(EdnsOptionCode.Expire, []));
        Outcomes(Rate + 1, _ => query, "127.0.0.1");
        Reply reply = _served.Ask(query);
        Assert.Equal("NOERROR tc", reply.Header);
        Assert.StartsWith("Cookie 0000000000000000", Assert.Single(reply.Options));
    }

    [Fact]
    public void A_refused_signature_slips_with_its_question()
    {
        QueryMessage query = Query("www A").With(WireOctets.Tsig("key", new byte[32]));
        Assert.Equal("AAAA.T", Outcomes(6, _ => query));
    }

    [Theory]
    [InlineData("192.0.2.7", true)]
    [InlineData("198.51.100.7", false)]
    [InlineData("2001:db8::7", true)]
    public void Exempt_clients_have_no_limit(string client, bool isExempt)
    {
        (_limiter, _served) = Make(new RateLimitOptions
        {
            Exempt = [IPNetwork.Parse("192.0.2.0/24"), IPNetwork.Parse("2001:db8::/32")],
        });
        Assert.Equal(isExempt ? "AAAAAAAAAA" : "AAAA.T.T.T", Outcomes(10, _ => Query("nx A"), client));
        Assert.Equal(isExempt ? 0 : 4, _limiter.Counters.Passed);
    }

    [Fact]
    public void A_valid_cookie_has_no_limit_and_one_of_another_address_has()
    {
        QueryMessage fresh = Query("www A").WithOption(EdnsOptionCode.Cookie, "0102030405060708");
        string cookie = Assert.Single(_served.Ask(fresh).Options)["Cookie ".Length..];
        QueryMessage query = Query("www A").WithOption(EdnsOptionCode.Cookie, cookie);
        Assert.Equal("AAAAAAAAAA", Outcomes(10, _ => query, "127.0.0.1"));
        Assert.Equal("AAAA.T.T.T", Outcomes(10, _ => query, "192.0.2.1"));
        QueryMessage alone = query with { Question = [] };
        Assert.Equal("AAAAAAAAAA", Outcomes(10, _ => alone, "127.0.0.1"));
        Assert.Equal("AAAA......", Outcomes(10, _ => alone, "198.51.100.1"));
    }

    [Fact]
    public void Over_a_stream_there_is_no_limit()
    {
        byte[] query = Query("nx A").ToOctets();
        for (int i = 0; i < 20; i++) Assert.NotNull(_served.TryAsk(query, DnsTransport.Tcp));
        Assert.Equal(default, _limiter.Counters);
    }

    [Fact]
    public void What_cannot_be_read_is_limited_and_never_slips()
    {
        QueryMessage malformed = Query("www A") with { Counts = [1, 0, 0, 1] };
        Assert.Equal("AAAA......", Outcomes(10, _ => malformed));
        QueryMessage update = Query("www A") with { Flags = 5 << 11 };
        Assert.Equal("......", Outcomes(6, _ => update));
    }

    [Fact]
    public void Counting_alone_sends_everything()
    {
        (_limiter, _served) = Make(new RateLimitOptions { Mode = RateLimitMode.Log });
        Assert.Equal("AAAAAAAAAA", Outcomes(10, _ => Query("nx A"), "192.0.2.1"));
        Assert.Equal(new RateLimitCounters(Passed: 4, Dropped: 0, Slipped: 0, WouldDrop: 6), _limiter.Counters);
        Assert.Equal(IPNetwork.Parse("192.0.2.0/24"), _limiter.LastOver);
        Assert.Equal(IPNetwork.Parse("192.0.0.0/16"), _limiter.With(new RateLimitOptions { IPv4Prefix = 16 }).LastOver);
    }

    [Fact]
    public void What_was_judged_is_counted()
    {
        Outcomes(10, _ => Query("nx A"), "2001:db8:0:1ff::1");
        Assert.Equal(new RateLimitCounters(Passed: 4, Dropped: 3, Slipped: 3, WouldDrop: 0), _limiter.Counters);
        Assert.Equal(IPNetwork.Parse("2001:db8:0:100::/56"), _limiter.LastOver);
    }

    [Fact]
    public void A_rate_of_nothing_is_no_limit()
    {
        (_limiter, _served) = Make(new RateLimitOptions(), new RateLimitOptions { NxDomainsPerSecond = 0 });
        Assert.Equal("AAAAAAAAAA", Outcomes(10, _ => Query("nx A")));
    }

    [Fact]
    public void A_batch_is_limited_like_single_queries()
    {
        byte[] query = Query("nx A").ToOctets();
        const int count = 10, slot = 512;
        byte[] slots = new byte[count * slot];
        int[] lengths = new int[count];
        ClientAddress[] clients = new ClientAddress[count];
        for (int i = 0; i < count; i++)
        {
            query.CopyTo(slots, i * slot);
            lengths[i] = query.Length;
            clients[i] = ClientAddress.From(IPEndPoint.Parse("192.0.2.1:53000"));
        }
        _served.Responder.RespondToBatch(slots, slot, lengths, clients);
        Assert.Equal(7, lengths.Count(length => length > 0));
        Assert.Equal(3, lengths.Count(length => length == query.Length));
    }

    [Fact]
    public void A_flood_of_forged_sources_allocates_nothing()
    {
        byte[] query = Query("nx A").ToOctets(), room = new byte[1232];
        ClientAddress client = new() { Port = 53000 };
        Random random = new(7);
        Assert.Equal(0, AllocatedOctets.Least(() => Flood(100_000), () =>
        {
            (_limiter, _served) = Make(new RateLimitOptions());
            Flood(2);
        }));

        void Flood(int packets)
        {
            for (int i = 0; i < packets; i++)
            {
                query.CopyTo(room, 0);
                random.NextBytes(client.Address);
                _served.Responder.Respond(room, query.Length, DnsTransport.Udp, ref client);
            }
        }
    }

    private (RateLimiter, ServedZones) Make(RateLimitOptions options, RateLimitOptions? rates = null)
    {
        RateLimiter limiter = new(options with
        {
            ResponsesPerSecond = Rate, ErrorsPerSecond = Rate, NxDomainsPerSecond = rates?.NxDomainsPerSecond ?? Rate,
            Table = 1000,
        });
        return (limiter, WithOptions(new ResponderOptions { RateLimiter = limiter, Cookies = _cookies }));
    }

    /// <summary>Asks several times: A for an answer, T for an empty one with TC, a dot for none.</summary>
    private string Outcomes(int count, Func<int, QueryMessage> query, string from = "192.0.2.1")
    {
        string outcomes = "";
        for (int i = 0; i < count; i++)
        {
            Reply? reply = _served.TryAsk(query(i).ToOctets(), from: from);
            outcomes += reply is null ? '.' : reply.IsTruncated ? 'T' : 'A';
        }
        return outcomes;
    }
}
