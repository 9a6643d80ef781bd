using Dns.Testing;
using Xunit;

namespace Dns.Answering.Tests;

public class CountingTests
{
    private readonly ServedZones _zones = new(
        ("example.test",
            "$TTL 60\n@ SOA ns host 1 2 3 4 5\n@ NS ns\nns A 192.0.2.1\nsub NS ns.sub\nns.sub A 192.0.2.2\n"));

    private AnswerCounts Counts => _zones.Responder.Counters.Read();

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
        Assert.Equal((1, 1, 1), (Counts.Of(kind), Counts.Answers(DnsTransport.Udp, rcode), Counts.Queries(type)));
        Assert.Equal(1, Enum.GetValues<AnswerKind>().Sum(Counts.Of));
        Assert.Equal(reply.Octets.Length, Counts.Octets);
    }

    [Fact]
    public void A_redirection_to_a_name_that_is_too_long_and_a_truncated_answer_count_as_positive()
    {
        string x = new('x', 60), text = string.Concat(Enumerable.Range(0, 10).Select(i => $"big TXT \"{i}{x}\"\n"));
        ServedZones zones = new(("z.test",
            $"$TTL 60\n@ SOA ns.other. h 1 2 3 4 5\n@ NS ns.other.\nd DNAME {x}.{x}.{x}.yyyyyyyyyy.\n{text}"));
        Assert.Equal("YXDOMAIN aa", zones.Ask($"{new string('a', 60)}.d.z.test").Header);
        Reply truncated = zones.Ask("big.z.test TXT");
        Assert.Equal((true, 0), (truncated.IsTruncated, truncated.Answer.Count));
        AnswerCounts counts = zones.Responder.Counters.Read();
        Assert.Equal(2, counts.Of(AnswerKind.Positive));
        Assert.Equal(2, Enum.GetValues<AnswerKind>().Sum(counts.Of));
    }

    [Theory]
    [InlineData(1, true)]
    [InlineData(65, true)]
    [InlineData(66, false)]
    [InlineData(255, true)]
    [InlineData(256, false)]
    [InlineData(257, true)]
    public void Low_types_and_ANY_and_CAA_are_counted_one_by_one(int type, bool isAlone)
    {
        Assert.Equal(isAlone, AnswerCounts.IsCountedAlone((RRType)type));
        _zones.Ask($"ns.example.test TYPE{type}");
        Assert.Equal((1, isAlone ? 0 : 1), (Counts.Queries((RRType)type), Counts.Queries(0)));
    }

    [Fact]
    public void What_cannot_be_read_and_what_is_not_answered_are_counted_too()
    {
        _zones.TryAsk([1, 2, 3]);
        _zones.Ask(QueryMessage.For("ns.example.test") with { Counts = [2, 0, 0, 0] });
        _zones.AskOverTcp(QueryMessage.For("ns.example.test"));
        Assert.Equal((1, 1, 1),
            (Counts.Of(AnswerKind.Silence), Counts.Of(AnswerKind.Malformed), Counts.Of(AnswerKind.Positive)));
        Assert.Equal(1, Counts.Answers(DnsTransport.Tcp, Rcode.NoError));
    }

    [Theory]
    [InlineData("", CookieState.None)]
    [InlineData("0102", CookieState.Malformed)]
    [InlineData("0102030405060708", CookieState.ClientOnly)]
    [InlineData("01020304050607080102030405060708", CookieState.ClientOnly)]
    [InlineData("010203040506070801000000000003E80102030405060708", CookieState.WithServerCookie)]
    public void Queries_are_counted_by_their_cookie(string cookie, CookieState state)
    {
        ServedZones zones = WithCookies(new ServerCookies(TimeSpan.Zero, 1000));
        QueryMessage query = ExampleZones.Query("www A");
        zones.Ask(cookie.Length == 0 ? query : query.WithOption(EdnsOptionCode.Cookie, cookie));
        AnswerCounts counts = zones.Responder.Counters.Read();
        Assert.Equal((1, 1), (counts.Of(state), Enum.GetValues<CookieState>().Sum(counts.Of)));
    }

    [Fact]
    public void A_cookie_that_comes_back_is_counted_as_valid_and_one_that_nobody_looks_at_as_none()
    {
        ServedZones zones = WithCookies(new ServerCookies(TimeSpan.Zero, 1000)), without = WithCookies(null);
        byte[] answer =
            zones.Ask(ExampleZones.Query("www A").WithOption(EdnsOptionCode.Cookie, "0102030405060708")).Octets;
        // The cookie is the last of an answer.
        QueryMessage query = ExampleZones.Query("www A")
            .WithOption(EdnsOptionCode.Cookie, Convert.ToHexString(answer[^24..]));
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
                _zones.Responder.RespondToBatch(slots, slot, lengths,
                    new ClientAddress[3].Select(_ => ScriptedRelay.Client).ToArray());
            }
        }))];
        foreach (Thread worker in workers) worker.Start();
        foreach (Thread worker in workers) worker.Join();
        Assert.Equal(threads * batches * 3, Counts.Of(AnswerKind.Positive));
        Assert.Equal(threads * batches * 3, Counts.Queries(RRType.A));
    }

    [Theory]
    [InlineData("ns.example.test A", "example.test.: NoError")]
    [InlineData("nx.example.test A", "example.test.: NXDomain")]
    [InlineData("nx.EXAMPLE.test A", "example.test.: NXDomain")]
    [InlineData("ns.example.test OPT", "example.test.: FormErr")]
    [InlineData("www.example.net A", "none: Refused")]
    [InlineData("ns.example.test A CH", "example.test.: Refused")]
    public void Answers_are_counted_by_zone_and_code(string question, string expected)
    {
        _zones.Ask(question);
        Assert.Equal(expected, Assert.Single(ByZone(_zones)));
    }

    [Fact]
    public void Each_message_is_counted_for_one_zone_or_none()
    {
        _zones.TryAsk([1, 2, 3]);
        _zones.Ask(QueryMessage.For("ns.example.test") with { Counts = [2, 0, 0, 0] });
        _zones.Ask("ns.example.test A");
        _zones.Ask("example.test AXFR");
        Assert.Equal(4, _zones.Responder.Counters.ReadZones(_zones.Published.Current).Sum(zone => zone.Queries));
        Assert.Equal(["none: FormErr", "none: 1 unanswered", "example.test.: NoError", "example.test.: Refused"],
            ByZone(_zones));
    }

    [Fact]
    public void Zones_beyond_the_bound_are_counted_together()
    {
        ServedZones zones = ManyZones(most: 2);
        foreach (int zone in (int[])[3, 1, 0, 2, 3]) zones.Ask($"z{zone}.test SOA");
        Assert.Equal(["other: 2 NoError", "z3.test.: 2 NoError", "z1.test.: NoError"], ByZone(zones));
    }

    [Fact]
    public void Zone_that_is_not_served_any_more_gives_its_slot_to_another_and_its_numbers_to_the_rest()
    {
        ServedZones zones = ManyZones(most: 1);
        foreach (int zone in (int[])[0, 0, 1]) zones.Ask($"z{zone}.test SOA");
        Assert.Equal(["other: NoError", "z0.test.: 2 NoError"], ByZone(zones));
        zones.Published.Publish(ZoneSet
            .Create(zones.Published.Current.Slots.Where(slot => !slot.Name.Equals(DomainName.Parse("z0.test")))));
        Assert.Equal(["other: 3 NoError"], ByZone(zones));
        zones.Ask("z1.test SOA");
        Assert.Equal(["other: 3 NoError", "z1.test.: NoError"], ByZone(zones));
    }

    [Fact]
    public void Zones_are_counted_by_all_threads()
    {
        const int threads = 4, queries = 200;
        ServedZones zones = ManyZones(most: 3);
        Thread[] workers = [.. Enumerable.Range(0, threads).Select(_ => new Thread(() =>
        {
            for (int i = 0; i < queries; i++) zones.Ask($"z{i % 4}.test SOA");
        }))];
        foreach (Thread worker in workers) worker.Start();
        foreach (Thread worker in workers) worker.Join();
        IReadOnlyList<ZoneAnswers> counted = zones.Responder.Counters.ReadZones(zones.Published.Current);
        Assert.Equal(threads * queries, counted.Sum(zone => zone.Queries));
        Assert.All(counted.Where(zone => zone.Zone == "other" || zone.Zone[^1] == '.'),
            zone => Assert.Equal(threads * queries / 4, zone.Queries));
    }

    [Fact]
    public void A_responder_for_questions_that_are_not_clients_counts_no_zone_and_takes_no_slot()
    {
        ClientAddress client = ScriptedRelay.Client;
        byte[] room = new byte[512], query = QueryMessage.For("ns.example.test").ToOctets();
        query.CopyTo(room, 0);
        Responder apart = _zones.Responder.Apart();
        apart.Respond(room, query.Length, DnsTransport.Udp, ref client);
        Assert.Empty(apart.Counters.ReadZones(_zones.Published.Current));
        Assert.Empty(ByZone(_zones));
        Assert.Equal(0, _zones.Published.Current.Slots.First().CounterSlot);
    }

    [Theory]
    [InlineData("192.0.2.1", true)]
    [InlineData("2001:db8::1", false)]
    public void Queries_are_counted_by_the_family_of_their_client_and_by_edns(string from, bool isIPv4)
    {
        QueryMessage query = QueryMessage.For("ns.example.test");
        foreach (QueryMessage one in (QueryMessage[])[query, query.WithEdns(1232, false), query.WithEdns(1232, true),
            query with { Counts = [2, 0, 0, 0] }])
            _zones.TryAsk(one.ToOctets(), from: from);
        Assert.Equal(
            (2, 1, 1), (Counts.Of(isIPv4, ClientEdns.None), Counts.Of(isIPv4, ClientEdns.Plain),
                Counts.Of(isIPv4, ClientEdns.DnssecOk)));
        Assert.Equal(0, Enum.GetValues<ClientEdns>().Sum(edns => Counts.Of(!isIPv4, edns)));
    }

    [Theory]
    [InlineData(12, 0)]
    [InlineData(64, 0)]
    [InlineData(65, 1)]
    [InlineData(512, 3)]
    [InlineData(513, 4)]
    [InlineData(1024, 4)]
    [InlineData(1025, 5)]
    [InlineData(1232, 5)]
    [InlineData(1233, 6)]
    [InlineData(2048, 6)]
    [InlineData(2049, 7)]
    [InlineData(65535, 11)]
    public void Lengths_fall_in_the_first_class_that_holds_them(int octets, int index)
    {
        Assert.Equal(index, AnswerLengths.Of(octets));
        Assert.InRange(octets, index == 0 ? 0 : AnswerLengths.Upper[index - 1] + 1, AnswerLengths.Upper[index]);
        Assert.Equal(AnswerLengths.Count, AnswerLengths.Upper.Count);
    }

    [Fact]
    public void Lengths_of_answers_are_counted_by_transport()
    {
        int octets = _zones.Ask("ns.example.test A").Octets.Length;
        _zones.AskOverTcp(QueryMessage.For("ns.example.test"));
        Assert.All((DnsTransport[])[DnsTransport.Udp, DnsTransport.Tcp], transport =>
        {
            Assert.Equal(octets, Counts.OctetsOf(transport));
            Assert.Equal((1, 1),
                (Counts.Lengths(transport)[AnswerLengths.Of(octets)], Counts.Lengths(transport).Sum()));
        });
    }

    private static ServedZones ManyZones(int most) => new(
        most,
        [.. Enumerable.Range(0, 4).Select(
            i => ServedZones.SlotOf($"z{i}.test", "$TTL 60\n@ SOA ns host 1 2 3 4 5\n@ NS ns\nns A 192.0.2.1\n"))]);

    /// <summary>What is not 0, a line for each zone and code.</summary>
    private static IEnumerable<string> ByZone(ServedZones zones) =>
        from zone in zones.Responder.Counters.ReadZones(zones.Published.Current)
        from i in Enumerable.Range(0, zone.Counts.Count)
        where zone.Counts[i] > 0
        let code = i < ZoneAnswers.Rcodes.Count
            ? ZoneAnswers.Rcodes[i].ToString() : i == zone.Counts.Count - 1 ? "unanswered" : "others"
        select $"{zone.Zone}: {(zone.Counts[i] == 1 && code != "unanswered" ? "" : zone.Counts[i] + " ")}{code}";

    [Fact]
    public void Query_that_waits_is_one_query_and_one_answer()
    {
        ScriptedRelay relay = new ScriptedRelay().Forward(".");
        ServedZones zones = new(new ResponderOptions(), relay);
        relay.Ask(zones, QueryMessage.For("www.example.net") with { Flags = MessageHeader.RecursionDesired });
        relay.Know("www.example.net. A", Rcode.NXDomain);
        relay.Complete(zones);
        AnswerCounts counts = zones.Responder.Counters.Read();
        Assert.Equal((1, 1, 1),
            (counts.Queries(RRType.A), counts.Of(AnswerKind.Later), counts.Of(AnswerKind.NameError)));
        Assert.Equal(1, counts.Relayed);
        Assert.Equal("forwarded: NXDomain", Assert.Single(ByZone(zones)));
        Assert.Equal(1, Enum.GetValues<ClientEdns>().Sum(edns => counts.Of(true, edns) + counts.Of(false, edns)));
    }
}
