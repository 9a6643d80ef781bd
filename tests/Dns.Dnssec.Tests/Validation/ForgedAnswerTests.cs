using Dns.Testing;

namespace Dns.Dnssec.Tests;

/// <summary>Validly signed records in the wrong place: by the holder of a key of the zone, or by a replay.</summary>
public class ForgedAnswerTests
{
    private readonly SignedTree _tree = new("nsec");

    [Fact]
    [Trait("RFC", "4035 5.2")]
    public void DS_is_signed_by_the_zone_above()
    {
        SignedAnswer answer = new("child.example", RRType.DS);
        answer.Sign(MessageSection.Answer, "child.example", RRType.DS, $"1 13 2 {new string('A', 64)}", Plans.Zsk,
            "child.example");
        Assert.Equal(SecurityStatus.Bogus, Validate(answer).Status);
        answer = new("child.example", RRType.DS);
        answer.Sign(MessageSection.Answer, "child.example", RRType.DS, $"1 13 2 {new string('A', 64)}",
            Plans.Csk, "example");
        Assert.Equal(SecurityStatus.Secure, Validate(answer).Status);
    }

    [Fact]
    public void The_signer_is_a_zone()
    {
        SignedAnswer answer = new("www.example", RRType.A);
        answer.Sign(MessageSection.Answer, "www.example", RRType.A, "192.0.2.66", Plans.Csk, "www.example");
        Assert.Equal(SecurityStatus.Bogus, Validate(answer).Status);
    }

    [Fact]
    [Trait("RFC", "4035 5.3.4")]
    public void A_wildcard_needs_the_proof_that_it_is_for_the_name()
    {
        SignedAnswer answer = new("www.example", RRType.TXT);
        answer.Sign(MessageSection.Answer, "www.example", RRType.TXT, "\"x\"", Plans.Csk, "example", labels: 1);
        Assert.Contains("do not prove that the wildcard is for it", Validate(answer).Reason);
    }

    [Fact]
    public void An_NSEC_that_a_wildcard_was_expanded_to_denies_nothing()
    {
        SignedAnswer answer = new("www.example", RRType.TXT);
        answer.Sign(MessageSection.Authority, "www.example", RRType.NSEC, "x.example. A RRSIG NSEC", Plans.Csk,
            "example", labels: 1);
        Assert.Equal(SecurityStatus.Bogus, Validate(answer).Status);
        answer = new("www.example", RRType.TXT);
        answer.Sign(MessageSection.Authority, "www.example", RRType.NSEC, "x.example. A RRSIG NSEC",
            Plans.Csk, "example");
        Assert.Equal(SecurityStatus.Secure, Validate(answer).Status);
    }

    [Fact]
    public void A_referral_needs_a_delegation()
    {
        foreach ((string types, SecurityStatus expected) in ((string, SecurityStatus)[])
            [("A RRSIG NSEC", SecurityStatus.Bogus), ("NS RRSIG NSEC", SecurityStatus.Secure),
                ("NS DS RRSIG NSEC", SecurityStatus.Bogus)])
        {
            SignedAnswer answer = new("a.www.example", RRType.A);
            answer.Add(MessageSection.Authority, "www.example", RRType.NS, "ns.test.");
            answer.Sign(MessageSection.Authority, "www.example", RRType.NSEC, $"x.example. {types}",
                Plans.Csk, "example");
            Assert.Equal(expected, Validate(answer).Status);
        }
    }

    [Fact]
    public void An_answer_with_NXDOMAIN_is_bogus()
    {
        byte[] reply = _tree.Query(DomainName.Parse("www.example"), RRType.A)!;
        reply[3] |= (byte)Rcode.NXDomain;
        Assert.Equal(SecurityStatus.Bogus, new AnswerValidator(_tree, SignedTree.Anchors, Plans.Now)
            .Validate(reply, DomainName.Parse("www.example"), RRType.A).Status);
    }

    [Fact]
    [Trait("RFC", "6672 5.3.1")]
    public void A_CNAME_beside_a_DNAME_is_what_follows_from_it()
    {
        foreach ((string target, SecurityStatus expected) in ((string, SecurityStatus)[])
            [("www.child.example.", SecurityStatus.Secure), ("evil.child.example.", SecurityStatus.Bogus)])
        {
            SignedAnswer answer = new("www.d.example", RRType.A);
            answer.Sign(MessageSection.Answer, "d.example", RRType.DNAME, "child.example.", Plans.Csk, "example");
            answer.Add(MessageSection.Answer, "www.d.example", RRType.CNAME, target);
            ValidationResult result = Validate(answer);
            Assert.Equal(expected, result.Status);
            Assert.Equal("www.child.example.", result.NextName!.ToString());
        }
    }

    [Theory]
    [Trait("RFC", "4509 3")]
    [InlineData(false, SecurityStatus.Secure)]
    [InlineData(true, SecurityStatus.Bogus)]
    public void SHA_1_does_not_count_beside_a_stronger_digest(bool hasStronger, SecurityStatus expected)
    {
        byte[] a = WireOctets.Name("a");
        Assert.True(Plans.Ksk.Public.TryMakeDs(a, DsDigest.Sha1, out byte[] weak));
        string ds =
            $"a DS {Rdata.Format(RRType.DS, weak)}\n" + (hasStronger ? $"a DS 1 13 2 {new string('A', 64)}\n" : "");
        Zone root =
            SignedSource.Sign(Plans.OneKey(), $"$TTL 60\n@ SOA ns.a h.a 1 1 1 1 1\n@ NS ns.a.\na NS ns.a.\n{ds}", ".");
        Zone below = SignedSource.Sign(
            Plans.With([Plans.Ksk], [Plans.Ksk]), "$TTL 60\n@ SOA ns h 1 1 1 1 1\n@ NS ns\nns A 192.0.2.1\n", "a");
        AnswerValidator validator =
            new(new SignedTree(root, below), [TrustAnchor.OfKey(DomainName.Root, Plans.Csk.Public)], Plans.Now);
        Assert.Equal(expected, validator.Validate(DomainName.Parse("ns.a"), RRType.A).Status);
    }

    [Fact]
    public void A_DS_that_a_wildcard_was_expanded_to_leads_nowhere()
    {
        Assert.True(Plans.Ksk.Public.TryMakeDs(WireOctets.Name("www.example"), DsDigest.Sha256, out byte[] ds));
        SignedAnswer forged = new("www.example", RRType.DS), answer = new("www.example", RRType.A),
            keys = new("www.example", RRType.DNSKEY);
        forged.Sign(MessageSection.Answer, "www.example", RRType.DS, Rdata.Format(RRType.DS, ds), Plans.Csk,
            "example", labels: 1);
        answer.Sign(MessageSection.Answer, "www.example", RRType.A, "192.0.2.66", Plans.Ksk, "www.example");
        keys.Sign(MessageSection.Answer, "www.example", RRType.DNSKEY,
            Rdata.Format(RRType.DNSKEY, Plans.Ksk.Public.Rdata), Plans.Ksk, "www.example");
        _tree.OnTheWay = (name, type, reply) => name.ToString() != "www.example." ? reply
            : type == RRType.DS ? forged.Octets : type == RRType.DNSKEY ? keys.Octets : reply;
        ValidationResult result = Validate(answer);
        Assert.Equal(SecurityStatus.Bogus, result.Status);
        Assert.Contains("is of a wildcard", string.Join(' ', result.Chain.Select(zone => zone.Reason)));
    }

    private ValidationResult Validate(SignedAnswer answer) =>
        new AnswerValidator(_tree, SignedTree.Anchors, Plans.Now).Validate(answer.Octets, answer.Name, answer.Type);
}
