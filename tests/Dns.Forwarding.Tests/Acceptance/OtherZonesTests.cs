using Xunit;

namespace Dns.Forwarding.Tests;

/// <summary>Upstreams of one zone that speak, at the end of an alias, of names that belong to another.</summary>
public class OtherZonesTests
{
    private const string Soa = "authority . 300 SOA . . 1 2 3 4 300";

    private readonly ForwarderRig _rig = new(upstreams: 2);
    private readonly ServedNames _served = new();

    public OtherZonesTests()
    {
        _rig.Forwarder.Served = _served;
        _served.Use("local.example.");
        Use("corp.example.");
    }

    /// <summary>The first upstream has everything except these zones of the second.</summary>
    private void Use(params string[] zones) => _rig.Forwarder.Use(_rig.Options with
    {
        Zones =
        [
            new(DomainName.Root, [_rig.Upstream.Address], UpstreamPolicy.Ordered),
            .. zones.Select(
                zone => new ForwardZone(DomainName.Parse(zone), [_rig.Upstreams[1].Address], UpstreamPolicy.Ordered)),
        ],
    });

    private void Say(string question, params string[] lines) =>
        _rig.Upstream.Script = query =>
        {
            byte[] reply = ReplyText.Build(question, lines);
            query.Question.CopyTo(reply, MessageHeader.LengthOctets);
            (reply[0], reply[1]) = ((byte)(query.Id >> 8), (byte)query.Id);
            query.Reply(reply);
        };

    private static string Text(string question, ScriptedWaiter waiter) =>
        Taken.Format(Dns.Testing.QueryMessage.For(question).Question, waiter.Answer, waiter.Records)
            + (waiter.Answer.EndsInAlias ? " ..." : "");

    private string Ask(string question, params string[] lines)
    {
        Say(question, lines);
        return Text(question, _rig.Resolve(question));
    }

    /// <summary>The cached answer as text; empty on a miss.</summary>
    private string Known(string question)
    {
        byte[] records = new byte[1232];
        CacheState state = _rig.Known(question, records, out RelayedAnswer answer);
        return state == CacheState.Miss ? "nothing"
            : Taken.Format(Dns.Testing.QueryMessage.For(question).Question, answer, records.AsSpan(0, answer.Octets))
                + (answer.EndsInAlias ? " ..." : "");
    }

    [Theory]
    [InlineData("www.local.example.")]
    [InlineData("local.example.")]
    [InlineData("www.corp.example.")]
    [InlineData("corp.example.")]
    public void An_address_at_the_end_of_an_alias_into_another_zone_is_left(string target) => Assert.Equal(
        $"NOERROR\nanswer a.example. 300 CNAME {target} ...",
        Ask("a.example. A", "NOERROR", $"answer a.example. 300 CNAME {target}", $"answer {target} 300 A 203.0.113.66"));

    [Theory]
    [InlineData("www.local.example.")]
    [InlineData("www.corp.example.")]
    public void That_the_target_in_another_zone_does_not_exist_is_left(string target)
    {
        const string cut = "NOERROR\nanswer a.example. 300 CNAME ";
        Assert.Equal($"{cut}{target} ...",
            Ask("a.example. A", "NXDOMAIN", $"answer a.example. 300 CNAME {target}", Soa));
        Assert.Equal($"{cut}{target} ...",
            Ask("a.example. MX", "NOERROR", $"answer a.example. 300 CNAME {target}", Soa));
    }

    [Fact]
    public void A_redirection_into_another_zone_is_cut_behind_its_alias() => Assert.Equal(
        "NOERROR\nanswer d.example. 300 DNAME local.example.\nanswer www.d.example. 300 CNAME www.local.example. ...",
        Ask("www.d.example. A", "NOERROR", "answer d.example. 300 DNAME local.example.",
            "answer www.d.example. 300 CNAME www.local.example.", "answer www.local.example. 300 A 203.0.113.66"));

    [Theory]
    [InlineData("local.example.", false)]
    [InlineData("sub.local.example.", true)]
    [InlineData("example.", true)]
    public void A_redirection_of_a_served_zone_that_delegates_the_name_is_left(string owner, bool isTaken)
    {
        const string name = "dn.sub.local.example.";
        string prefix = name[..^owner.Length];
        string[] lines = ["NOERROR", $"answer {owner} 300 DNAME evil.", $"answer {name} 300 CNAME {prefix}evil."];
        string end = $"answer {prefix}evil. 300 A 203.0.113.66";
        string[] expected = isTaken ? [.. lines, end] : [lines[0], lines[2], end];
        Assert.Equal(string.Join('\n', expected), Ask(name + " A", [.. lines, end]));
    }

    [Fact]
    public void A_chain_through_another_zone_is_cut_there_and_not_taken_up_behind_it() => Assert.Equal(
        "NOERROR\nanswer a.example. 300 CNAME b.example.\nanswer b.example. 300 CNAME www.corp.example. ...",
        Ask("a.example. A", "NOERROR", "answer a.example. 300 CNAME b.example.",
            "answer b.example. 300 CNAME www.corp.example.",
            "answer www.corp.example. 300 CNAME c.example.", "answer c.example. 300 A 203.0.113.66"));

    [Fact]
    public void A_longer_forwarded_zone_below_a_served_one_and_the_other_way_round_count_by_length()
    {
        _served.Use("example.", "in.corp.example.");
        Use("corp.example.", "x.test.");
        const string cut = "NOERROR\nanswer a.test. 300 CNAME ";
        foreach (string target in (string[])["www.example.", "www.corp.example.", "www.in.corp.example.", "x.test."])
            Assert.Equal($"{cut}{target} ...",
                Ask("a.test. A", "NOERROR", $"answer a.test. 300 CNAME {target}",
                    $"answer {target} 300 A 203.0.113.66"));
        _rig.Forwarder.Cache.Flush();
        Assert.Equal($"{cut}y.test.\nanswer y.test. 300 A 192.0.2.1",
            Ask("a.test. A", "NOERROR", "answer a.test. 300 CNAME y.test.", "answer y.test. 300 A 192.0.2.1"));
    }

    [Fact]
    public void A_ds_at_the_top_of_another_zone_belongs_to_the_zone_above()
    {
        const string ds = "300 DS 1 13 2 0000000000000000000000000000000000000000000000000000000000000000";
        foreach (string target in (string[])["corp.example.", "local.example."])
            Assert.DoesNotContain("...",
                Ask("a.example. DS", "NOERROR", $"answer a.example. 300 CNAME {target}", $"answer {target} {ds}"),
                StringComparison.Ordinal);
        Assert.EndsWith("...",
            Ask("b.example. DS", "NOERROR", "answer b.example. 300 CNAME in.local.example.",
                $"answer in.local.example. {ds}"),
            StringComparison.Ordinal);
    }

    [Fact]
    public void What_is_remembered_is_cut_when_a_zone_comes_and_stays_when_another_comes()
    {
        string[] reply = ["NOERROR", "answer a.example. 300 CNAME www.new.example.",
            "answer www.new.example. 300 A 192.0.2.7"];
        const string whole =
            "NOERROR\nanswer a.example. 300 CNAME www.new.example.\nanswer www.new.example. 300 A 192.0.2.7";
        Assert.Equal(whole, Ask("a.example. A", reply));
        _served.Use("local.example.", "other.example.");
        Assert.Equal(whole, Known("a.example. A"));
        Assert.Equal(whole, Known("a.example. A"));
        _served.Use("local.example.", "new.example.");
        Assert.Equal("NOERROR\nanswer a.example. 300 CNAME www.new.example. ...", Known("a.example. A"));
        _served.Use("local.example.");
        Assert.Equal("NOERROR\nanswer a.example. 300 CNAME www.new.example. ...", Known("a.example. A"));
        Assert.Equal(1, _rig.Upstream.Asked);
    }

    [Fact]
    public void What_is_remembered_is_cut_when_a_forward_comes()
    {
        Ask("a.example. A", "NOERROR", "answer a.example. 300 CNAME www.new.example.",
            "answer www.new.example. 300 A 192.0.2.7");
        Ask("b.example. A", "NXDOMAIN", "answer b.example. 300 CNAME www.new.example.", Soa);
        Use("corp.example.", "new.example.");
        Assert.Equal("NOERROR\nanswer a.example. 300 CNAME www.new.example. ...", Known("a.example. A"));
        Assert.Equal("NOERROR\nanswer b.example. 300 CNAME www.new.example. ...", Known("b.example. A"));
        Assert.Equal(2, _rig.Upstream.Asked);
    }

    [Fact]
    public void A_cut_answer_is_no_younger_than_what_it_was_cut_from()
    {
        Ask("a.example. A", "NOERROR", "answer a.example. 300 CNAME www.new.example.",
            "answer www.new.example. 60 A 192.0.2.7");
        _rig.Clock.Advance(TimeSpan.FromSeconds(40));
        _served.Use("new.example.");
        Assert.Equal("NOERROR\nanswer a.example. 260 CNAME www.new.example. ...", Known("a.example. A"));
        _rig.Clock.Advance(TimeSpan.FromSeconds(20));
        Assert.Equal("nothing", Known("a.example. A"));
    }

    [Fact]
    public void An_old_answer_is_cut_too()
    {
        Ask("a.example. A", "NOERROR", "answer a.example. 300 CNAME www.new.example.",
            "answer www.new.example. 300 A 192.0.2.7");
        _rig.Clock.Advance(TimeSpan.FromSeconds(400));
        _served.Use("new.example.");
        _rig.Upstream.IsDead = true;
        Assert.Equal("NOERROR\nanswer a.example. 30 CNAME www.new.example. ...",
            Text("a.example. A", _rig.Resolve("a.example. A")));
    }

    [Fact]
    public void What_was_saved_is_cut_when_it_is_loaded_where_a_zone_has_come()
    {
        Ask("a.example. A", "NOERROR", "answer a.example. 300 CNAME www.new.example.",
            "answer www.new.example. 300 A 192.0.2.7");
        Ask("www.new.example. A", "NOERROR", "answer www.new.example. 300 A 192.0.2.7");
        using MemoryStream file = new();
        _rig.Forwarder.Cache.Save(file, DateTimeOffset.UnixEpoch, _rig.Forwarder.Origin);
        _rig.Forwarder.Cache.Flush();
        _served.Use("new.example.");
        file.Position = 0;
        Assert.True(_rig.Forwarder.Cache.TryLoad(
            file, DateTimeOffset.UnixEpoch, out int entries, out CacheFileFault fault, _rig.Forwarder.Origin),
            $"{fault}");
        Assert.Equal(1, entries);
        Assert.Equal("NOERROR\nanswer a.example. 300 CNAME www.new.example. ...", Known("a.example. A"));
    }

    [Fact]
    public void A_reply_that_was_on_its_way_when_a_zone_came_is_judged_by_the_zones_of_now()
    {
        Say("a.example. A", "NOERROR", "answer a.example. 300 CNAME www.new.example.",
            "answer www.new.example. 300 A 192.0.2.7");
        ScriptedWaiter waiter = _rig.Ask("a.example. A");
        _served.Use("new.example.");
        _rig.Clock.Advance(12);
        Assert.Equal("NOERROR\nanswer a.example. 300 CNAME www.new.example. ...", Text("a.example. A", waiter));
    }

    [Fact]
    public void Looking_at_a_remembered_answer_again_leaves_nothing_behind()
    {
        Ask("a.example. A", "NOERROR", "answer a.example. 300 CNAME b.example.", "answer b.example. 300 A 192.0.2.7");
        for (int i = 0; i < 100; i++)
        {
            _served.Use("new.example.");
            Assert.StartsWith("NOERROR\nanswer a.example. 300 CNAME b.example.\n", Known("a.example. A"),
                StringComparison.Ordinal);
        }
        Assert.Equal((1, 1), (_rig.Upstream.Asked, _rig.Forwarder.Cache.Counters.Stored));
        _rig.AssertNothingIsLeft();
    }
}
