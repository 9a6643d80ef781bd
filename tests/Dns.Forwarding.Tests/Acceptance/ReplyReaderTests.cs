using Dns.Testing;
using Xunit;

namespace Dns.Forwarding.Tests;

/// <summary>What of a reply answers the question.</summary>
public class ReplyReaderTests
{
    private const string Soa = "authority example. 3600 SOA ns.example. host.example. 1 7200 900 86400 300";

    [Fact]
    public void An_answer_is_taken_and_what_comes_with_it_is_left()
    {
        Taken taken = Taken.From("www.example. A",
            "NOERROR", "answer www.example. 300 A 192.0.2.1", "answer www.example. 200 A 192.0.2.2",
            "answer other.example. 300 A 192.0.2.66", "answer www.example. 300 TXT \"x\"",
            "authority example. 300 NS ns.example.", "additional ns.example. 300 A 192.0.2.53");
        Assert.Equal("NOERROR\nanswer www.example. 200 A 192.0.2.1\nanswer www.example. 200 A 192.0.2.2", taken.Text);
        Assert.Equal(200u, taken.LifetimeSeconds);
    }

    [Fact]
    public void A_chain_is_put_in_order()
    {
        Taken taken = Taken.From("a.example. A",
            "NOERROR", "answer c.example. 60 A 192.0.2.1", "answer b.example. 50 CNAME c.example.",
            "answer a.example. 70 CNAME b.example.");
        Assert.Equal(
            "NOERROR\nanswer a.example. 70 CNAME b.example.\nanswer b.example. 50 CNAME c.example.\nanswer " +
                "c.example. 60 A 192.0.2.1",
            taken.Text);
        Assert.Equal(50u, taken.LifetimeSeconds);
        Assert.Equal(2, taken.Answer.AliasCount);
    }

    [Fact]
    public void An_alias_that_is_asked_for_is_the_answer() =>
        Assert.Equal("NOERROR\nanswer a.example. 60 CNAME b.example.", Taken.From("a.example. CNAME",
            "NOERROR", "answer a.example. 60 CNAME b.example.", "answer b.example. 60 A 192.0.2.1").Text);

    [Fact]
    public void Every_type_is_taken_where_any_is_asked_for() =>
        Assert.Equal("NOERROR\nanswer a.example. 50 A 192.0.2.1\nanswer a.example. 50 TXT \"x\"",
            Taken.From("a.example. ANY",
            "NOERROR", "answer a.example. 60 A 192.0.2.1", "answer a.example. 50 TXT \"x\"",
            "answer b.example. 60 A 192.0.2.2").Text);

    [Fact]
    public void A_redirection_is_taken_with_its_alias() =>
        Assert.Equal(
            "NOERROR\nanswer old.example. 60 DNAME fresh.example.\nanswer a.old.example. 60 CNAME a.fresh.example.\n" +
            "answer a.fresh.example. 60 A 192.0.2.1",
            Taken.From("a.old.example. A",
                "NOERROR", "answer old.example. 60 DNAME fresh.example.",
                "answer a.old.example. 60 CNAME a.fresh.example.", "answer a.fresh.example. 60 A 192.0.2.1").Text);

    [Fact]
    public void A_redirection_without_its_alias_gets_it() =>
        Assert.Equal(
            "NOERROR\nanswer old.example. 60 DNAME fresh.example.\nanswer a.old.example. 60 CNAME a.fresh.example.\n" +
            "answer a.fresh.example. 30 A 192.0.2.1",
            Taken.From("a.old.example. A",
                "NOERROR", "answer old.example. 60 DNAME fresh.example.",
                "answer a.fresh.example. 30 A 192.0.2.1").Text);

    [Fact]
    public void An_alias_that_contradicts_its_redirection_is_useless() =>
        Assert.Equal(ReplyVerdict.Useless, Taken.From("a.old.example. A",
            "NOERROR", "answer old.example. 60 DNAME fresh.example.",
            "answer a.old.example. 60 CNAME a.evil.example.").Verdict);

    [Theory]
    [InlineData("example.")]
    [InlineData(".")]
    public void A_dname_above_the_forwarded_zone_is_left_and_its_cname_taken(string owner)
    {
        AcceptanceRules rules = new(DomainName.Parse("corp.example"), new CacheOptions());
        string target = owner == "." ? "x.corp.example.y.corp.example." : "x.corp.y.corp.example.";
        string[] reply =
        [
            "NOERROR", $"answer {owner} 60 DNAME y.corp.example.", $"answer x.corp.example. 60 CNAME {target}",
            $"answer {target} 60 A 192.0.2.9",
        ];
        string expected = string.Join('\n', reply[0], reply[2], reply[3]);
        const string question = "x.corp.example. A";
        Assert.Equal(expected, Taken.From(question, ReplyText.Build(question, reply), rules).Text);
        // At its name it is the zone's own.
        reply[1] = "answer corp.example. 60 DNAME z.test.";
        reply[2] = "answer x.corp.example. 60 CNAME x.z.test.";
        Assert.Equal($"NOERROR\n{reply[1]}\n{reply[2]}",
            Taken.From(question, ReplyText.Build(question, reply[..3]), rules).Text);
    }

    [Fact]
    public void A_redirection_to_a_name_that_is_too_long_is_told_as_it_is()
    {
        string label = new('x', 60), target = $"{label}.{label}.{label}.{label}.";
        string[] lines = ["YXDOMAIN", $"answer old.example. 60 DNAME {target}"];
        Assert.Equal($"YXDOMAIN\nanswer old.example. 60 DNAME {target}",
            Taken.From($"{label}.old.example. A", lines).Text);
        lines[0] = "NOERROR";
        Assert.Equal(ReplyVerdict.Useless, Taken.From($"{label}.old.example. A", lines).Verdict);
    }

    [Fact]
    public void A_loop_of_aliases_is_useless()
    {
        Assert.Equal(ReplyVerdict.Useless, Taken.From("a.example. A",
            "NOERROR", "answer a.example. 60 CNAME b.example.", "answer b.example. 60 CNAME a.example.").Verdict);
        Assert.Equal(ReplyVerdict.Useless,
            Taken.From("a.example. A", "NOERROR", "answer a.example. 60 CNAME a.example.").Verdict);
    }

    [Theory]
    [InlineData(AcceptedAnswer.MaxAliases, ReplyVerdict.Accepted)]
    [InlineData(AcceptedAnswer.MaxAliases + 1, ReplyVerdict.Useless)]
    public void A_chain_has_a_bound(int aliases, ReplyVerdict verdict)
    {
        string[] chain =
            [.. Enumerable.Range(0, aliases).Select(i => $"answer n{i}.example. 60 CNAME n{i + 1}.example.")];
        Assert.Equal(verdict,
            Taken.From("n0.example. A", ["NOERROR", .. chain, $"answer n{aliases}.example. 60 A 192.0.2.1"]).Verdict);
    }

    [Fact]
    public void A_chain_that_nothing_follows_leads_on_and_is_kept_as_such()
    {
        Taken taken = Taken.From("a.example. A", "NOERROR", "answer a.example. 60 CNAME b.example.");
        Assert.Equal("NOERROR\nanswer a.example. 60 CNAME b.example.", taken.Text);
        Assert.True(taken.Answer.EndsInAlias);
        Assert.Equal("b.example.", NameText.ToText(taken.Answer.LastName.Octets));
        Assert.Equal(60u, taken.LifetimeSeconds);
    }

    [Fact]
    public void Upstreams_of_a_zone_are_not_believed_about_other_zones()
    {
        AcceptanceRules rules = new(DomainName.Parse("corp.example."), new CacheOptions());
        byte[] reply = ReplyText.Build("a.corp.example. A",
            "NXDOMAIN", "answer a.corp.example. 60 CNAME www.bank.example.",
            "answer www.bank.example. 60 A 192.0.2.66");
        Taken taken = Taken.From("a.corp.example. A", reply, rules);
        Assert.Equal("NOERROR\nanswer a.corp.example. 60 CNAME www.bank.example.", taken.Text);
        Assert.True(taken.Answer.EndsInAlias);
        Assert.Equal(60u, taken.LifetimeSeconds);
    }

    [Fact]
    public void A_name_error_is_kept_as_long_as_the_soa_says()
    {
        Taken taken = Taken.From("no.example. A", "NXDOMAIN", Soa, "authority example. 60 NS ns.example.");
        Assert.Equal("NXDOMAIN\nauthority example. 300 SOA ns.example. host.example. 1 7200 900 86400 300", taken.Text);
        Assert.Equal(300u, taken.LifetimeSeconds);
        Assert.True(taken.Answer.IsNameError);
    }

    [Fact]
    public void No_data_behind_an_alias_is_taken_with_the_alias()
    {
        Taken taken = Taken.From("a.example. AAAA", "NOERROR", "answer a.example. 200 CNAME b.example.", Soa);
        Assert.Equal("NOERROR\nanswer a.example. 200 CNAME b.example.\n" +
            "authority example. 300 SOA ns.example. host.example. 1 7200 900 86400 300", taken.Text);
        Assert.Equal(200u, taken.LifetimeSeconds);
        Assert.True(taken.Answer.IsNoData);
    }

    [Theory]
    [InlineData("NXDOMAIN")]
    [InlineData("NOERROR")]
    public void A_negative_answer_without_soa_is_not_kept(string code)
    {
        Taken taken = Taken.From("no.example. A", code);
        Assert.Equal(code, taken.Text);
        Assert.Equal(0u, taken.LifetimeSeconds);
    }

    [Theory]
    [InlineData("www.name.example.")]
    [InlineData("other.example.")]
    public void A_soa_below_or_beside_the_name_is_passed_over_for_the_one_above(string owner)
    {
        string wrong = $"authority {owner} 300 SOA ns.example. host.example. 1 2 3 4 60";
        Taken alone = Taken.From("name.example. A", "NXDOMAIN", wrong);
        Assert.Equal((ReplyVerdict.Accepted, "NXDOMAIN", 0u), (alone.Verdict, alone.Text, alone.LifetimeSeconds));
        const string right = "authority example. 60 SOA ns.example. host.example. 1 2 3 4 60";
        Assert.Equal($"NXDOMAIN\n{right}", Taken.From("name.example. A", "NXDOMAIN", wrong, right).Text);
    }

    [Fact]
    public void The_soa_of_a_zone_that_the_name_is_not_in_does_not_count()
    {
        Taken taken =
            Taken.From("no.example. A", "NXDOMAIN", "authority test. 3600 SOA ns.test. host.test. 1 2 3 4 300");
        Assert.Equal("NXDOMAIN", taken.Text);
        Assert.Equal(0u, taken.LifetimeSeconds);
    }

    [Fact]
    public void A_referral_is_useless() =>
        Assert.Equal(ReplyVerdict.Useless, Taken.From("www.example. A",
            "NOERROR", "authority example. 60 NS ns.example.", "additional ns.example. 60 A 192.0.2.53").Verdict);

    [Fact]
    public void A_name_error_with_an_answer_is_useless() =>
        Assert.Equal(ReplyVerdict.Useless,
            Taken.From("www.example. A", "NXDOMAIN", "answer www.example. 60 A 192.0.2.1").Verdict);

    [Theory]
    [InlineData("FORMERR", ReplyVerdict.FormatError)]
    [InlineData("SERVFAIL", ReplyVerdict.ServerFailure)]
    [InlineData("NOTIMP", ReplyVerdict.FormatError)]
    [InlineData("REFUSED", ReplyVerdict.Refused)]
    [InlineData("NOTAUTH", ReplyVerdict.Refused)]
    [InlineData("NXRRSET", ReplyVerdict.ServerFailure)]
    [InlineData("NOERROR tc", ReplyVerdict.Truncated)]
    [InlineData("NXDOMAIN tc", ReplyVerdict.Truncated)]
    [InlineData("SERVFAIL tc", ReplyVerdict.ServerFailure)]
    public void A_code_has_its_verdict(string header, ReplyVerdict verdict) =>
        Assert.Equal(verdict, Taken.From("www.example. A", header).Verdict);

    [Theory]
    [InlineData(1, 0, ReplyVerdict.FormatError)] // 16 BADVERS
    [InlineData(1, 7, ReplyVerdict.BadCookie)] // 23
    public void Upper_bits_of_a_code_count(int upper, int lower, ReplyVerdict verdict)
    {
        byte[] opt = WireOctets.Record(".", RRType.OPT, 1232, (uint)upper << 24, []);
        byte[] reply = ReplyText.Build("www.example. A", ["NOERROR"], [opt]);
        reply[3] |= (byte)lower;
        Assert.Equal(verdict, Taken.From("www.example. A", reply).Verdict);
    }

    [Fact]
    public void A_bare_header_tells_a_code() =>
        Assert.Equal(ReplyVerdict.FormatError,
            Taken.From("www.example. A", WireOctets.Hex("0000 8181 0000 0000 0000 0000")).Verdict);

    [Fact]
    public void Another_question_is_malformed()
    {
        byte[] reply = ReplyText.Build("www.example. AAAA", "NOERROR");
        Assert.Equal(ReplyVerdict.Malformed, Taken.From("www.example. A", reply).Verdict);
    }

    [Fact]
    public void Data_is_authentic_only_if_the_upstream_is_trusted()
    {
        byte[] reply = ReplyText.Build("www.example. A", "NOERROR ad", "answer www.example. 60 A 192.0.2.1");
        Assert.Equal("NOERROR", Taken.From("www.example. A", reply).Text.Split('\n')[0]);
        Assert.Equal("NOERROR ad", Taken.From("www.example. A", reply, trust: true).Text.Split('\n')[0]);
    }

    [Fact]
    public void The_random_case_of_a_question_is_not_cached()
    {
        byte[] reply = [.. ReplyText.Build("wWw.ExAmPlE. SRV", "NOERROR")];
        // An SRV whose target is a pointer into the question's name.
        byte[] record = [0xC0, 12, 0, 33, 0, 1, 0, 0, 0, 60, 0, 8, 0, 1, 0, 2, 0, 3, 0xC0, 16];
        reply = [.. reply, .. record];
        MessageHeader.SetCount(reply, 1, 1);
        Assert.Equal("NOERROR\nanswer www.example. 60 SRV 1 2 3 example.", Taken.From("www.example. SRV", reply).Text);
    }
}
