using Dns.Protocol;
using Dns.Testing;
using Xunit;

namespace Dns.Answering.Tests;

public class CountingTests
{
    private readonly ServedZones _zones = new(
        ("example.test", "$TTL 60\n@ SOA ns host 1 2 3 4 5\n@ NS ns\nns A 192.0.2.1\nsub NS ns.sub\nns.sub A 192.0.2.2\n"));

    private AnswerTally Tally => _zones.Responder.Counters.Read();

    [Theory]
    [InlineData("ns.example.test A", AnswerKind.Positive, Rcode.NoError)]
    [InlineData("ns.example.test TXT", AnswerKind.NoData, Rcode.NoError)]
    [InlineData("nx.example.test A", AnswerKind.NameError, Rcode.NXDomain)]
    [InlineData("www.sub.example.test A", AnswerKind.Referral, Rcode.NoError)]
    [InlineData("www.example.net A", AnswerKind.Refused, Rcode.Refused)]
    [InlineData("ns.example.test OPT", AnswerKind.Malformed, Rcode.FormErr)]
    public void Each_answer_is_counted_by_kind_code_and_type(string question, AnswerKind kind, Rcode rcode)
    {
        Reply reply = _zones.Ask(question);
        QueryMessage query = QueryMessage.For(question);
        RRType type = (RRType)(query.Question[^4] << 8 | query.Question[^3]);
        Assert.Equal((1, 1, 1), (Tally.Of(kind), Tally.Answers(ResponseTransport.Datagram, rcode), Tally.Queries(type)));
        Assert.Equal(1, Enum.GetValues<AnswerKind>().Sum(Tally.Of));
        Assert.Equal(reply.Octets.Length, Tally.Octets);
    }

    [Fact]
    public void What_cannot_be_read_and_what_is_not_answered_are_counted_too()
    {
        _zones.TryAsk([1, 2, 3]);
        _zones.Ask(QueryMessage.For("ns.example.test") with { Counts = [2, 0, 0, 0] });
        _zones.AskOverTcp(QueryMessage.For("ns.example.test"));
        Assert.Equal((1, 1, 1), (Tally.Of(AnswerKind.Silence), Tally.Of(AnswerKind.Malformed), Tally.Of(AnswerKind.Positive)));
        Assert.Equal(1, Tally.Answers(ResponseTransport.Stream, Rcode.NoError));
    }

    [Theory]
    [InlineData("", CookieState.None)]
    [InlineData("0102", CookieState.Malformed)]
    [InlineData("0102030405060708", CookieState.WithoutOurs)]
    [InlineData("01020304050607080102030405060708", CookieState.WithoutOurs)]
    [InlineData("010203040506070801000000000003E80102030405060708", CookieState.WithOurs)]
    public void Queries_are_counted_by_their_cookie(string cookie, CookieState state)
    {
        ServedZones zones = WithCookies(new ServerCookies(TimeSpan.Zero, 1000));
        QueryMessage query = ExampleZones.Query("www A");
        zones.Ask(cookie.Length == 0 ? query : query.WithOption(EdnsOptionCode.Cookie, cookie));
        AnswerTally tally = zones.Responder.Counters.Read();
        Assert.Equal((1, 1), (tally.Of(state), Enum.GetValues<CookieState>().Sum(tally.Of)));
    }

    [Fact]
    public void A_cookie_that_comes_back_is_counted_as_valid_and_one_that_nobody_looks_at_as_none()
    {
        ServedZones zones = WithCookies(new ServerCookies(TimeSpan.Zero, 1000)), without = WithCookies(null);
        byte[] answer = zones.Ask(ExampleZones.Query("www A").WithOption(EdnsOptionCode.Cookie, "0102030405060708")).Octets;
        // The cookie is the last of an answer.
        QueryMessage query = ExampleZones.Query("www A").WithOption(EdnsOptionCode.Cookie, Convert.ToHexString(answer[^24..]));
        zones.Ask(query);
        without.Ask(query);
        Assert.Equal(1, zones.Responder.Counters.Read().Of(CookieState.Valid));
        Assert.Equal(1, without.Responder.Counters.Read().Of(CookieState.None));
    }

    private static ServedZones WithCookies(ServerCookies? cookies) =>
        ExampleZones.WithOptions(new ResponderOptions { Cookies = cookies });

    [Fact]
    public void Batches_and_threads_are_added_up()
    {
        const int slot = 512, threads = 4, batches = 50;
        byte[] query = QueryMessage.For("ns.example.test").ToOctets();
        Thread[] workers = [.. Enumerable.Range(0, threads).Select(_ => new Thread(() =>
        {
            byte[] slots = new byte[3 * slot];
            for (int batch = 0; batch < batches; batch++)
            {
                int[] lengths = [query.Length, query.Length, query.Length];
                for (int i = 0; i < 3; i++) query.CopyTo(slots, i * slot);
                _zones.Responder.RespondToBatch(slots, slot, lengths, new ClientAddress[3].Select(_ => ScriptedRelay.Client).ToArray());
            }
        }))];
        foreach (Thread worker in workers) worker.Start();
        foreach (Thread worker in workers) worker.Join();
        Assert.Equal(threads * batches * 3, Tally.Of(AnswerKind.Positive));
        Assert.Equal(threads * batches * 3, Tally.Queries(RRType.A));
    }

    [Fact]
    public void Query_that_waits_is_one_query_and_one_answer()
    {
        ScriptedRelay relay = new ScriptedRelay().Forward(".");
        ServedZones zones = new(new ResponderOptions(), relay);
        relay.Ask(zones, QueryMessage.For("www.example.net") with { Flags = MessageHeader.RecursionDesired });
        relay.Know("www.example.net. A", Rcode.NXDomain);
        relay.Complete(zones);
        AnswerTally tally = zones.Responder.Counters.Read();
        Assert.Equal((1, 1, 1), (tally.Queries(RRType.A), tally.Of(AnswerKind.Later), tally.Of(AnswerKind.NameError)));
        Assert.Equal(1, tally.Relayed);
    }
}
