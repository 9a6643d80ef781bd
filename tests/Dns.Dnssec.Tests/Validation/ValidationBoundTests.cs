using Dns.Testing;

namespace Dns.Dnssec.Tests;

/// <summary>
/// The work of one question is bounded, and unverifiable data is insecure only if the parent proves it.
/// </summary>
public class ValidationBoundTests
{
    /// <summary>CVE-2023-50868: a name of many labels in a zone with many iterations.</summary>
    [Fact]
    public void Hashes_of_one_question_are_bounded()
    {
        SignedTree tree = new("iterated");
        string deep = string.Concat(Enumerable.Repeat("a.", 100)) + "example";
        Assert.Equal(SecurityStatus.Secure, tree.Validate(deep, RRType.A).Status);
        byte[] reply = tree.Query(DomainName.Parse(deep), RRType.A)!;
        ValidationWork work = new(hashes: 1000);
        ValidationResult result = new AnswerValidator(tree, SignedTree.Anchors, Plans.Now, work).Validate(reply,
            DomainName.Parse(deep), RRType.A);
        Assert.Equal(SecurityStatus.Bogus, result.Status);
    }

    [Fact]
    public void Verifications_and_questions_of_one_question_are_bounded()
    {
        SignedTree tree = new("nsec");
        foreach (ValidationWork work in (ValidationWork[])[new(verifications: 2), new(questions: 2)])
        {
            ValidationResult result = new AnswerValidator(tree, SignedTree.Anchors, Plans.Now,
                work).Validate(DomainName.Parse("www.child.example"), RRType.A);
            Assert.Equal(SecurityStatus.Bogus, result.Status);
        }
    }

    [Fact]
    [Trait("RFC", "9276 3.2")]
    public void Too_many_iterations_are_insecure()
    {
        byte[] zone = WireOctets.Name("example"), name = WireOctets.Name("missing.example");
        const string digits = "0p9mhaveqvm6t7vbl5lop2u3t2rp3tom";
        foreach (int iterations in (int[])[100, 101])
        {
            ReceivedRRset rrset = new(MessageSection.Authority, WireOctets.Name($"{digits}.example"), RRType.NSEC3);
            rrset.Rdata.Add(SignedText.Rdata(RRType.NSEC3, $"1 0 {iterations} - {digits} A"));
            Nsec3DenialProof proof = new(zone, [rrset], new ValidationWork());
            DenialVerdict expected = iterations > 100 ? DenialVerdict.Insecure : DenialVerdict.NotProven;
            Assert.Equal(expected, proof.ProveNoName(name));
            Assert.Equal(expected, proof.ProveNoType(name, RRType.A, out _));
            if (iterations > 100) Assert.Equal(expected, proof.ProveExpansion(name, 1));
        }
    }

    [Theory]
    [Trait("RFC", "4035 5.2")]
    [InlineData("DS 1 253 2 ", SecurityStatus.Insecure)]
    [InlineData("DS 1 13 200 ", SecurityStatus.Insecure)]
    [InlineData("DS 1 13 2 ", SecurityStatus.Bogus)]
    public void DS_of_unknown_algorithms_leave_a_zone_insecure(string ds, SecurityStatus expected)
    {
        Zone root = SignedSource.Sign(Plans.OneKey(),
            $"$TTL 60\n@ SOA ns.a h.a 1 1 1 1 1\n@ NS ns.a.\na NS ns.a.\na {ds}{new string('A', 64)}\n", ".");
        Zone below = ZoneText.Load("a", "$TTL 60\n@ SOA ns h 1 1 1 1 1\n@ NS ns\nns A 192.0.2.1\n");
        SignedTree tree = new(root, below);
        AnswerValidator validator = new(tree, [TrustAnchor.OfKey(DomainName.Root, Plans.Csk.Public)], Plans.Now);
        Assert.Equal(expected, validator.Validate(DomainName.Parse("ns.a"), RRType.A).Status);
    }

    [Fact]
    [Trait("RFC", "5011 2.1")]
    public void A_revoked_key_signs_nothing()
    {
        Dnskey revoked = Plans.Csk.Public.WithFlags((ushort)(Plans.Csk.Public.Flags | Dnskey.RevokeFlag));
        Assert.True(revoked.IsRevoked);
        Assert.NotEqual(Plans.Csk.Public.Tag, revoked.Tag);
        using SigningKey key = Plans.Csk.WithFlags(revoked.Flags);
        Zone root = SignedSource.Sign(Plans.With([key], [key]), "$TTL 60\n@ SOA ns.a h.a 1 1 1 1 1\n@ NS ns.a.\n", ".");
        AnswerValidator validator =
            new(new SignedTree(root), [TrustAnchor.OfKey(DomainName.Root, key.Public)], Plans.Now);
        Assert.Equal(SecurityStatus.Bogus, validator.Validate(DomainName.Root, RRType.SOA).Status);
    }
}
