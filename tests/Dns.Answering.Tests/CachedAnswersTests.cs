using System.Globalization;
using Dns.Testing;
using Xunit;

namespace Dns.Answering.Tests;

/// <summary>
/// Answers that are copied from those of earlier queries, beside the encoder's. Every test has a thread of its own, and
/// so no answers.
/// </summary>
public class CachedAnswersTests
{
    private const string Above = """
        @ 300 SOA ns1 admin 1 2 3 4 5
        @ 300 NS ns1
        ns1 300 A 192.0.2.53
        sub 300 NS ns1.sub
        sub 300 NS ns2.far.sub
        sub 300 NS ns1
        sub 300 NS ns.elsewhere.test.
        sub 300 DS 12345 13 2 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
        ns1.sub 300 A 192.0.2.1
        ns1.sub 300 AAAA 2001:db8::1
        ns2.far.sub 300 A 192.0.2.2
        mail 300 MX 10 mx1.mail
        mail 300 MX 20 ns1
        mx1.mail 300 A 192.0.2.3
        outside 300 MX 10 mx.other.test.
        *.wild 300 MX 10 mx1.mail
        alias 300 CNAME mail
        www 300 CNAME web
        web 300 A 192.0.2.80
        web 300 AAAA 2001:db8::80
        chain 300 CNAME www.www2
        www.www2 300 CNAME www
        nothing 300 CNAME nobody
        circle 300 CNAME circle2
        circle2 300 CNAME circle
        away 300 CNAME mx.other.test.
        below 300 CNAME www.sub
        host.deep 300 A 192.0.2.81
        deeper 300 CNAME host.deep
        towild 300 CNAME x.wild
        *.many 300 CNAME web
        dname 300 DNAME example.com.
        todname 300 CNAME web.dname
        _sip._udp 300 SRV 0 0 5060 ns1
        svc 300 HTTPS 1 ns1 alpn=h2
        1.reverse 300 PTR ns1
        unserved 300 MX 10 mx.third.test.
        glued 300 MX 10 ns1.sub
        """;

    private static readonly string[] Questions =
    [
        "sub.example.com", "SUB.example.com NS", "www.sub.example.com", "a.b.c.d.sub.example.com MX",
        "ns1.sub.example.com",
        "x.ns1.sub.example.com", "far.sub.example.com", "ns2.far.sub.example.com", "NS2.x.sub.example.com",
        "mail.example.com MX",
        "MAIL.Example.com MX", "example.com NS", "outside.example.com MX", "one.wild.example.com MX",
        "two.wild.example.com MX",
        "alias.example.com MX", "www.example.com", "WWW.Example.com AAAA", "www.example.com TXT", "chain.example.com A",
        "nothing.example.com",
        "circle.example.com", "away.example.com", "below.example.com", "deeper.example.com", "towild.example.com MX",
        "a.many.example.com",
        "b.many.example.com", "wEb.dname.example.com", "todname.example.com", "www.example.com CNAME",
        "www.example.com ANY", "www.example.com TYPE0", "_sip._udp.example.com SRV", "svc.example.com HTTPS",
        "sub.example.com DS",
        "example.com SOA", "1.reverse.example.com PTR", "unserved.example.com MX", "glued.example.com MX",
    ];

    [Fact]
    public void Copied_answers_are_those_of_the_encoder() => Alone(() =>
    {
        (ServedZones cached, ServedZones encoded) = Both(("example.com", Above), ("other.test", Other(1)));
        for (int round = 0; round < 4; round++)
        {
            foreach (string question in Questions)
            {
                Compare(cached, encoded, QueryMessage.For(question).ToOctets());
                Compare(cached, encoded, QueryMessage.For(question).WithEdns().ToOctets());
                Compare(cached, encoded, QueryMessage.For(question).WithEdns(dnssecOk: true).ToOctets());
            }
        }
        // Asked again right before: two names may have one place, and the later one has it then.
        for (int i = 0; i < 2; i++) cached.Ask(QueryMessage.For("sub.example.com").WithEdns(dnssecOk: true).ToOctets());
        Assert.True(IsCached(cached, "sub.example.com", 0, dnssecOk: true));
        for (int i = 0; i < 2; i++) cached.Ask("sub.example.com");
        Assert.True(IsCached(cached, "sub.example.com", 0, dnssecOk: false));
        for (int i = 0; i < 2; i++) cached.Ask("mail.example.com MX");
        Assert.True(IsCached(cached, "mail.example.com", RRType.MX, dnssecOk: false));
        for (int i = 0; i < 2; i++) cached.Ask("outside.example.com MX");
        Assert.False(IsCached(cached, "outside.example.com", RRType.MX, dnssecOk: false),
            "another zone has these addresses, and may change");
    });

    [Theory]
    [InlineData("x.ns1.example.com")]
    [InlineData("x.admin.example.com")]
    [InlineData("a.b.Admin.example.com AAAA")]
    [InlineData("admin.example.com")]
    [InlineData("ns1.example.com MX")]
    [InlineData("x.other.example.com")]
    public void Negative_answers_whose_SOA_shares_labels_are_those_of_the_encoder(string question) => Alone(() =>
    {
        (ServedZones cached, ServedZones encoded) = Both(("example.com", Above));
        for (int i = 0; i < 3; i++)
        {
            Compare(cached, encoded, QueryMessage.For(question).ToOctets());
            Compare(cached, encoded, QueryMessage.For(question).WithEdns().ToOctets());
        }
        Assert.Equal(RRType.SOA, Assert.Single(cached.Ask(question).Authority).Type);
    });

    [Fact]
    public void Answers_from_one_zone_are_cached_and_others_are_not() => Alone(() =>
    {
        (ServedZones cached, ServedZones encoded) = Both(("example.com", Above), ("other.test", Other(1)));
        List<string> kept = [];
        foreach (string question in Questions)
        {
            for (int i = 0; i < 3; i++) Compare(cached, encoded, QueryMessage.For(question).ToOctets());
            string[] parts = question.ToLowerInvariant().Split(' ');
            RRType type = parts.Length == 1 ? RRType.A
                : RRTypeText.TryParse(System.Text.Encoding.ASCII.GetBytes(parts[1].ToUpperInvariant()),
                    out RRType named) ? named : default;
            if (IsCached(cached, parts[0], type, dnssecOk: false)) kept.Add(question);
        }
        Assert.Equal(
            ["mail.example.com MX", "MAIL.Example.com MX", "example.com NS", "alias.example.com MX", "www.example.com",
                "WWW.Example.com AAAA", "www.example.com TXT", "chain.example.com A", "circle.example.com",
                "below.example.com", "deeper.example.com", "towild.example.com MX", "www.example.com CNAME",
                "_sip._udp.example.com SRV",
                "svc.example.com HTTPS", "example.com SOA", "1.reverse.example.com PTR", "unserved.example.com MX",
                "glued.example.com MX"], kept);
    });

    [Fact]
    public void A_zone_that_comes_between_an_alias_and_its_target_is_asked_at_once() => Alone(() =>
    {
        ZoneSlot slot = ServedZones.SlotOf("example.com", Above);
        ServedZones zones = new(new ResponderOptions(), slot);
        for (int i = 0; i < 3; i++) Assert.Equal("192.0.2.81", zones.Ask("deeper.example.com").Answer[1].RdataText);
        const string deep = "@ 300 SOA ns admin 1 2 3 4 5\n@ 300 NS ns\nns 300 A 192.0.2.53\nhost 300 A 192.0.2.99\n";
        zones.Published.Publish(ZoneSet.Create([slot, ServedZones.SlotOf("deep.example.com", deep)]));
        for (int i = 0; i < 3; i++) Assert.Equal("192.0.2.99", zones.Ask("deeper.example.com").Answer[1].RdataText);
        zones.Published.Publish(ZoneSet.Create([slot]));
        Assert.Equal("192.0.2.81", zones.Ask("deeper.example.com").Answer[1].RdataText);
    });

    [Fact]
    public void A_zone_that_comes_with_a_host_of_a_cached_answer_is_asked_at_once() => Alone(() =>
    {
        ZoneSlot slot = ServedZones.SlotOf("example.com", Above);
        ServedZones zones = new(new ResponderOptions(), slot);
        for (int i = 0; i < 3; i++) Assert.Empty(zones.Ask("unserved.example.com MX").Additional);
        zones.Published.Publish(ZoneSet.Create([slot, ServedZones.SlotOf("third.test", Other(7))]));
        Assert.Equal("192.0.2.7", zones.Ask("unserved.example.com MX").Additional[0].RdataText);
    });

    [Fact]
    public void A_child_zone_that_comes_with_a_host_that_was_glue_is_asked_at_once() => Alone(() =>
    {
        ZoneSlot slot = ServedZones.SlotOf("example.com", Above);
        ServedZones zones = new(new ResponderOptions(), slot);
        for (int i = 0; i < 3; i++)
            Assert.Equal("192.0.2.1", zones.Ask("glued.example.com MX").Additional[0].RdataText);
        const string child = "@ 300 SOA ns1 admin 1 2 3 4 5\n@ 300 NS ns1\nns1 300 A 192.0.2.98\n";
        zones.Published.Publish(ZoneSet.Create([slot, ServedZones.SlotOf("sub.example.com", child)]));
        Assert.Equal("192.0.2.98", zones.Ask("glued.example.com MX").Additional[0].RdataText);
    });

    [Fact]
    public void A_list_of_clients_that_changes_meanwhile_leaves_no_half_answer() => Alone(() =>
    {
        ZoneSlot slot = ServedZones.SlotOf("example.com", Above);
        ServedZones zones = new(new ResponderOptions(), slot);
        ClientNetworks nobody = new([]);
        bool isOver = false;
        Thread changing = new(() =>
        {
            while (!Volatile.Read(ref isOver)) slot.AllowQuery = slot.AllowQuery is null ? nobody : null;
        });
        changing.Start();
        int halves = 0;
        for (int i = 0; i < 2_000; i++)
        {
            // Nothing is cached for a new set.
            zones.Published.Publish(ZoneSet.Create([slot]));
            for (int ask = 0; ask < 4; ask++)
                if (zones.Ask("www.example.com").Answer.Count == 1) halves++;
        }
        Volatile.Write(ref isOver, true);
        changing.Join();
        Assert.Equal(0, halves);
    });

    [Fact]
    public void An_answer_that_leans_on_another_zone_follows_that_zone() => Alone(() =>
    {
        ZoneSlot other = ServedZones.SlotOf("other.test", Other(1));
        ServedZones zones = new(new ResponderOptions(), ServedZones.SlotOf("example.com", Above), other);
        for (int i = 0; i < 3; i++)
            Assert.Equal("192.0.2.1", zones.Ask("outside.example.com MX").Additional[0].RdataText);
        other.Publish(Dns.Testing.ZoneText.Load("other.test", Other(2)));
        Assert.Equal("192.0.2.2", zones.Ask("outside.example.com MX").Additional[0].RdataText);
    });

    [Fact]
    public void A_new_version_of_a_zone_answers_at_once() => Alone(() =>
    {
        ZoneSlot slot = ServedZones.SlotOf("example.com", Above);
        ServedZones zones = new(new ResponderOptions(), slot);
        for (int i = 0; i < 3; i++)
            Assert.Contains(zones.Ask("www.sub.example.com").Additional, record => record.RdataText == "192.0.2.1");
        slot.Publish(Dns.Testing.ZoneText.Load("example.com",
            Above.Replace("192.0.2.1\n", "192.0.2.77\n", StringComparison.Ordinal)));
        Reply reply = zones.Ask("www.sub.example.com");
        Assert.Contains(reply.Additional, record => record.RdataText == "192.0.2.77");
        Assert.DoesNotContain(reply.Additional, record => record.RdataText == "192.0.2.1");
    });

    [Fact]
    public void An_answer_is_found_by_every_part_of_its_key()
    {
        byte[] name = DomainName.Parse("www.example.com").Octets.ToArray(),
            other = DomainName.Parse("wwx.example.com").Octets.ToArray();
        byte[] octets = new byte[CachedAnswer.MaxSize];
        LookupName question = default;
        question.Set(name);
        CachedAnswerKey key = new(1, 2, name, NameHash.Compute(name), RRType.MX, dnssecOk: true);
        Assert.NotEqual(0,
            CachedAnswer.Write(octets, in key, new byte[64], 40, new RecordCounts { Answer = 1 }, in question, 0));
        Assert.True(Is(1, 2, name, RRType.MX, true));
        Assert.False(Is(3, 2, name, RRType.MX, true));
        Assert.False(Is(1, 3, name, RRType.MX, true));
        Assert.False(Is(1, 2, other, RRType.MX, true));
        Assert.False(Is(1, 2, name, RRType.NS, true));
        Assert.False(Is(1, 2, name, RRType.MX, false));

        bool Is(long snapshot, long zones, byte[] asked, RRType type, bool dnssecOk) =>
            new CachedAnswer(octets)
                .Is(new CachedAnswerKey(snapshot, zones, asked, NameHash.Compute(asked), type, dnssecOk));
    }

    [Fact]
    public void The_root_s_referrals_are_kept() => Alone(() =>
    {
        string[] letters = [.. Enumerable.Range(0, 13).Select(i => ((char)('a' + i)).ToString())];
        string zone =
            "@ 300 SOA a.root-servers.net. hostmaster.example. 1 1800 900 604800 86400\n@ 300 NS " +
                "a.root-servers.net.\n" + string.Join('\n', letters.Select((letter, i) =>
            $"com. 300 NS {letter}.gtld-servers.net.\n{letter}.gtld-servers.net. 300 A 192.0.2.{i}\n" +
                $"{letter}.gtld-servers.net. 300 AAAA 2001:db8::{i}"));
        (ServedZones cached, ServedZones encoded) = Both((".", zone));
        foreach (string name in new[] { "www.example.com", "com", "a.b.example.com", "x.com" })
            for (int i = 0; i < 3; i++) Compare(cached, encoded, QueryMessage.For(name).WithEdns(1232).ToOctets());
        Assert.Equal(26, cached.Ask(QueryMessage.For("www.example.com").WithEdns(1232).ToOctets()).Additional
            .Count(r => r.Type != RRType.OPT));
        Assert.True(IsCached(cached, "com", 0, dnssecOk: false));
    });

    [Fact]
    public void What_does_not_fit_is_left_to_the_encoder_and_not_kept() => Alone(() =>
    {
        string servers = string.Join('\n', Enumerable.Range(1, 13).Select(i =>
            $"sub 300 NS a-rather-long-name-{i}.sub\na-rather-long-name-{i}.sub 300 A 192.0.2.{i}\n" +
                $"a-rather-long-name-{i}.sub 300 AAAA 2001:db8::{i}"));
        (ServedZones cached, ServedZones encoded) =
            Both(("example.com", "@ 300 SOA ns admin 1 2 3 4 5\n@ 300 NS ns\n" + servers));
        for (int i = 0; i < 3; i++)
            Compare(cached, encoded, QueryMessage.For("www.sub.example.com").WithEdns(600).ToOctets());
        Assert.False(IsCached(cached, "sub.example.com", 0, dnssecOk: false));
        for (int i = 0; i < 3; i++)
            Compare(cached, encoded, QueryMessage.For("www.sub.example.com").WithEdns(1232).ToOctets());
        Assert.True(IsCached(cached, "sub.example.com", 0, dnssecOk: false));
        Compare(cached, encoded, QueryMessage.For("www.sub.example.com").WithEdns(600).ToOctets());
        Compare(cached, encoded, QueryMessage.For($"{string.Join('.', Enumerable.Repeat("long", 40))}.sub.example.com")
            .WithEdns(1232).ToOctets());
    });

    [Fact]
    public void Two_names_of_the_same_places_asked_for_in_turns_are_both_kept() => Alone(() =>
    {
        (ServedZones cached, _) = Both(("many.test", Many(3000)));
        Zone zone = cached.Published.Current.Slots.First().Zone!;
        // Pairs that agree in the thirteen bits by which a place is found.
        string[][] pairs = [.. Enumerable.Range(0, 3000).Select(i => $"n{i}.many.test")
            .GroupBy(name => KeyOf(zone, name) & 0x1FFF).Where(group => group.Count() == 2)
            .Select(group => group.ToArray())];
        Assert.NotEmpty(pairs);
        foreach (string[] pair in pairs.Take(20))
        {
            for (int i = 0; i < 3; i++) Assert.All(pair, name => cached.Ask("www." + name));
            Assert.All(pair, name => Assert.True(IsCached(cached, name, 0, dnssecOk: false)));
        }

        static ulong KeyOf(Zone zone, string name)
        {
            DomainName wire = DomainName.Parse(name);
            return new CachedAnswerKey(zone.Snapshot, 0, wire.Octets, NameHash.Compute(wire.Octets), 0,
                dnssecOk: false).Mixed;
        }
    });

    [Fact]
    public void The_first_answers_take_a_small_part_of_the_memory_that_all_may() => Alone(() =>
    {
        ServedZones zones = new(("example.com", Above));
        zones.Ask("www.example.com A");
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < 3; i++) zones.Ask("example.com SOA");
        Assert.True(IsCached(zones, "example.com", RRType.SOA, dnssecOk: false));
        // Of four megabytes, a limit of the process would count all at once.
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 64 << 10, 512 << 10);
    });

    [Fact]
    public void A_name_asked_for_once_is_not_kept_and_displaces_nothing() => Alone(() =>
    {
        (ServedZones cached, _) = Both(("example.com", Above), ("many.test", Many(20_000)));
        for (int i = 0; i < 2; i++) cached.Ask("www.sub.example.com");
        for (int i = 0; i < 20_000; i++) cached.Ask($"x.n{i}.many.test");
        Assert.True(IsCached(cached, "sub.example.com", 0, dnssecOk: false));
        Assert.False(IsCached(cached, "n7.many.test", 0, dnssecOk: false));
    });

    [Theory]
    [InlineData(20_000, 60_000)]
    [InlineData(300, 60_000)]
    public void Copied_answers_are_those_of_the_encoder_while_the_oldest_go(int cuts, int queries) => Alone(() =>
    {
        int seed = Environment.TickCount;
        Random random = new(seed);
        (ServedZones cached, ServedZones encoded) = Both(("many.test", Many(cuts)));
        string[] prefixes = ["", "www.", "ns.", "NS.", "a.ns.", "a.b.c.d.e.f.g.h.", "host.", "x.host."];
        for (int i = 0; i < queries; i++)
        {
            // Runs over neighbours, so that the second of two questions often finds the first one's mark.
            string name =
                $"{(random.Next(5) == 0 ? "c" : prefixes[random.Next(prefixes.Length)] + "n")}{(i / 6 * 7 + random.Next(3)) % cuts}.many.test";
            QueryMessage query = QueryMessage.For(random.Next(9) == 0 ? name + " NS" : name);
            if (random.Next(2) == 0) query = query.WithEdns(random.Next(3) == 0 ? 512 : 1232, random.Next(2) == 0);
            try
            {
                Compare(cached, encoded, query.ToOctets());
            }
            catch (Exception exception)
            {
                Assert
                    .Fail(string.Create(CultureInfo.InvariantCulture, $"seed {seed}, query {i}, {name}: {exception}"));
            }
        }
    });

    /// <summary>Cuts of several kinds, one zone: servers inside, beside, elsewhere, and up to eight of them.</summary>
    private static string Many(int cuts)
    {
        System.Text.StringBuilder text =
            new("@ 300 SOA ns admin 1 2 3 4 5\n@ 300 NS ns\nns 300 A 192.0.2.53\nns 300 AAAA 2001:db8::53\n");
        for (int i = 0; i < cuts; i++)
        {
            text.Append(CultureInfo.InvariantCulture,
                $"n{i} 300 NS ns.n{i}\nns.n{i} 300 A 192.0.2.{i % 250}\nc{i} 300 CNAME c{i + i % 3}.x\nc{i}.x 300 " +
                    $"CNAME ns\n");
            if (i % 2 == 0)
                text.Append(CultureInfo.InvariantCulture, $"n{i} 300 NS ns\nn{i} 300 NS ns.far{i % 5}.test.\n");
            for (int more = 0; more < i % 7; more++)
                text.Append(CultureInfo.InvariantCulture,
                    $"n{i} 300 NS s{more}.host.n{i}\ns{more}.host.n{i} 300 AAAA 2001:db8::{more}\n");
        }
        return text.ToString();
    }

    private static string Other(int host) => $"@ 300 SOA ns admin 1 2 3 4 5\n@ 300 NS ns\nmx 300 A 192.0.2.{host}\n";

    private static (ServedZones Ready, ServedZones Encoded) Both(params (string Apex, string Text)[] zones)
    {
        ZoneSlot[] slots = [.. zones.Select(zone => ServedZones.SlotOf(zone.Apex, zone.Text))];
        return (new ServedZones(new ResponderOptions(), slots),
            new ServedZones(new ResponderOptions { UseCachedOctets = false }, slots));
    }

    private static void Compare(ServedZones cached, ServedZones encoded, byte[] query) =>
        Assert.Equal(Convert.ToHexString(encoded.Ask(query).Octets), Convert.ToHexString(cached.Ask(query).Octets));

    private static bool IsCached(ServedZones zones, string name, RRType type, bool dnssecOk)
    {
        DomainName wire = DomainName.Parse(name);
        Zone zone =
            zones.Published.Current.Slots.First(slot => WireName.IsAtOrBelow(wire.Octets, slot.Name.Octets)).Zone!;
        long set = type == 0 ? 0 : zones.Published.Current.Snapshot;
        CachedAnswerKey key = new(zone.Snapshot, set, wire.Octets, NameHash.Compute(wire.Octets), type, dnssecOk);
        return Worker.OfThread.CachedAnswers.TryFind(in key, out _, out _);
    }

    private static void Alone(Action test)
    {
        Exception? failure = null;
        Thread thread = new(() =>
        {
            try
            {
                test();
            }
            catch (Exception exception)
            {
                failure = exception;
            }
        });
        thread.Start();
        thread.Join();
        if (failure is not null) System.Runtime.ExceptionServices.ExceptionDispatchInfo.Throw(failure);
    }
}
