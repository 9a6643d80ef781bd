using Dns.Testing;
using Xunit;

namespace Dns.Forwarding.Tests;

/// <summary>The limits of a reply, and one beyond each.</summary>
public class AcceptanceLimitTests
{
    private const string Address = "answer www.example. 60 A 192.0.2.1";

    private static byte[] Reply(params string[] lines) => ReplyText.Build("www.example. A", lines);

    [Fact]
    public void A_chain_may_end_at_the_top_of_the_zone()
    {
        AcceptanceRules rules = new(DomainName.Parse("corp.example."), new CacheOptions());
        byte[] reply = ReplyText.Build("a.corp.example. A",
            "NOERROR", "answer a.corp.example. 60 CNAME corp.example.", "answer corp.example. 60 A 192.0.2.1");
        Assert.Equal("NOERROR\nanswer a.corp.example. 60 CNAME corp.example.\nanswer corp.example. 60 A 192.0.2.1",
            Taken.From("a.corp.example. A", reply, rules).Text);
    }

    [Fact]
    public void Two_questions_are_malformed()
    {
        byte[] reply = Reply("NOERROR", Address);
        MessageHeader.SetCount(reply, 0, 2);
        Assert.Equal(ReplyVerdict.Malformed, Taken.From("www.example. A", reply).Verdict);
    }

    [Fact]
    public void A_reply_of_another_opcode_is_malformed()
    {
        byte[] reply = Reply("NOERROR", Address);
        reply[2] |= (byte)Opcode.Notify << 3;
        Assert.Equal(ReplyVerdict.Malformed, Taken.From("www.example. A", reply).Verdict);
    }

    [Fact]
    public void Octets_behind_the_last_record_are_ignored() =>
        Assert.Equal(ReplyVerdict.Accepted, Taken.From("www.example. A", [.. Reply("NOERROR", Address), 0]).Verdict);

    [Theory, Trait("RFC", "3597 4")]
    [InlineData(RRType.HTTPS, "0001C00C", "1 www.example.")]
    [InlineData(RRType.DNAME, "0161C00C", "a.www.example.")]
    [InlineData(RRType.LP, "0001C00C", "1 www.example.")]
    [InlineData(RRType.NSEC, "C00C000140", "www.example. A")]
    public void Compressed_names_in_rdata_of_newer_types_are_expanded(RRType type, string rdata, string text)
    {
        string typeText = RRTypeText.Format(type);
        Assert.Equal($"NOERROR\nanswer www.example. 60 {typeText} {text}",
            Taken.From($"www.example. {typeText}", Compressed(type, WireOctets.Hex(rdata))).Text);
    }

    /// <summary>A reply with one record of <c>www.example.</c>, whose RDATA may have pointers.</summary>
    internal static byte[] Compressed(RRType type, byte[] rdata) =>
        (QueryMessage.For($"www.example. {RRTypeText.Format(type)}") with
        {
            Flags = 0x8180,
            Answer =
            [
                [
                    0xC0, 12, .. WireOctets.UInt16((int)type), 0, 1, .. WireOctets.UInt32(60),
                    .. WireOctets.UInt16(rdata.Length), .. rdata,
                ],
            ],
        }).ToOctets();

    [Fact]
    public void An_opt_outside_the_additional_section_is_malformed()
    {
        byte[] reply =
            ReplyText.Build("www.example. A", ["NOERROR"], [WireOctets.Record(".", RRType.OPT, 1232, 0, [])]);
        Assert.Equal(ReplyVerdict.Accepted, Taken.From("www.example. A", reply).Verdict);
        MessageHeader.SetCount(reply, 1, 1);
        MessageHeader.SetCount(reply, 3, 0);
        Assert.Equal(ReplyVerdict.Malformed, Taken.From("www.example. A", reply).Verdict);
    }

    [Fact]
    [Trait("RFC", "6891 6.1.1")]
    public void A_second_opt_is_malformed()
    {
        byte[] opt = WireOctets.Record(".", RRType.OPT, 1232, 0, []);
        Assert.Equal(ReplyVerdict.Malformed,
            Taken.From("www.example. A", ReplyText.Build("www.example. A", ["NOERROR"], [opt, opt])).Verdict);
    }

    [Fact]
    public void Records_of_another_class_are_left()
    {
        byte[] reply = Reply("NOERROR", Address);
        // The class stands behind the pointer and the type of the only record.
        reply[reply.Length - 4 - 10 + 3] = (byte)RRClass.CH;
        Assert.Equal("NOERROR", Taken.From("www.example. A", reply).Text);
    }

    [Fact]
    public void A_redirection_does_not_redirect_its_own_name() =>
        Assert.Equal("NOERROR", Taken.From("old.example. A",
            "NOERROR", "answer old.example. 60 DNAME fresh.example.", "answer fresh.example. 60 A 192.0.2.1").Text);

    [Fact]
    [Trait("RFC", "6672 2.2")]
    public void A_redirection_may_lead_to_a_name_of_255_octets()
    {
        string label = new('x', 60), target = $"{label}.{label}.{label}.{new string('y', 10)}.";
        // The target has 3 * 61 + 11 + 1 octets, so that 60 are left for the label in front of it.
        foreach ((int length, bool fits) in new[] { (59, true), (60, false) })
        {
            string name = $"{new string('x', length)}.old.example.";
            Taken taken = Taken.From($"{name} A", "NOERROR", $"answer old.example. 60 DNAME {target}");
            Assert.Equal(fits, taken.Verdict == ReplyVerdict.Accepted);
        }
    }

    [Fact]
    public void Of_two_aliases_the_first_is_taken() =>
        Assert.Equal("NOERROR\nanswer a.example. 60 CNAME b.example.\nanswer b.example. 60 A 192.0.2.1",
            Taken.From("a.example. A",
            "NOERROR", "answer a.example. 60 CNAME b.example.", "answer a.example. 60 CNAME c.example.",
            "answer b.example. 60 A 192.0.2.1").Text);

    [Fact]
    [Trait("RFC", "2308 5")]
    public void A_name_error_behind_an_alias_is_not_kept_without_a_SOA()
    {
        Taken taken = Taken.From("a.example. A", "NXDOMAIN", "answer a.example. 60 CNAME b.example.");
        Assert.Equal((ReplyVerdict.Accepted, 0u), (taken.Verdict, taken.LifetimeSeconds));
    }

    [Fact]
    public void A_signature_that_was_not_asked_for_shortens_nothing() =>
        Assert.Equal(60u, Taken.From("www.example. A",
            "NOERROR", Address,
            "answer www.example. 30 RRSIG A 13 2 300 20300101000000 20200101000000 1 example. AAAA").LifetimeSeconds);

    [Theory]
    [InlineData("A 0.255.255.255", "A 1.0.0.0")]
    [InlineData("A 10.255.255.255", "A 9.255.255.255")]
    [InlineData("A 100.127.255.255", "A 100.128.0.0")]
    [InlineData("A 127.255.255.255", "A 128.0.0.0")]
    [InlineData("A 169.254.255.255", "A 169.255.0.0")]
    [InlineData("A 172.16.0.0", "A 172.32.0.0")]
    [InlineData("A 192.168.255.255", "A 192.169.0.0")]
    [InlineData("AAAA fc00::", "AAAA fbff::1")]
    [InlineData("AAAA fdff::1", "AAAA fe00::1")]
    [InlineData("AAAA fe80::", "AAAA fe7f::1")]
    [InlineData("AAAA feff::1", "AAAA ff00::1")]
    public void A_private_network_ends_at_its_last_address(string inside, string outside)
    {
        AcceptanceRules filter = Taken.Plain with { DropPrivateAddresses = true };
        string Take(string data)
        {
            string question = $"www.example. {data.Split(' ')[0]}";
            return Taken.From(question, ReplyText.Build(question, "NOERROR", $"answer www.example. 60 {data}"),
                filter).Text;
        }
        Assert.Equal("NOERROR", Take(inside));
        Assert.NotEqual("NOERROR", Take(outside));
    }
}
