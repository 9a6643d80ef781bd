using Dns.Testing;

namespace Dns.Dnssec.Tests;

/// <summary>What records must not be used to prove (RFC 6840 §4, RFC 5155 §8).</summary>
public class DenialProofTests
{
    private static readonly byte[] Zone = WireOctets.Name("example");

    [Theory]
    [Trait("RFC", "6840 4.1")]
    [InlineData("NS RRSIG NSEC")]
    [InlineData("DNAME RRSIG NSEC")]
    public void A_delegation_or_a_DNAME_denies_nothing_below_it(string types)
    {
        NsecDenialProof proof = Nsec(("sub", "www", types), ("example", "sub", "NS SOA RRSIG NSEC"));
        Assert.Equal(DenialVerdict.NotProven, proof.ProveNoName(Name("a.sub")));
        Assert.Equal(DenialVerdict.NotProven, proof.ProveNoType(Name("a.sub"), RRType.DS, out _));
        Assert.Equal(DenialVerdict.Proven, proof.ProveNoName(Name("t")));
        Nsec3DenialProof hashed =
            Nsec3(0, ("example", "NS SOA RRSIG"), ("sub", types.Replace(" NSEC", "")), ("www", "A RRSIG"));
        Assert.Equal(DenialVerdict.NotProven, hashed.ProveNoName(Name("a.sub")));
        Assert.Equal(DenialVerdict.Proven, hashed.ProveNoName(Name("t")));
    }

    [Fact]
    [Trait("RFC", "6840 4.4")]
    public void A_record_of_the_other_side_of_a_cut_denies_no_type()
    {
        foreach (IDenial above in (IDenial[])[Nsec(("sub", "www", "NS RRSIG NSEC")),
            Nsec3(0, ("sub", "NS"), ("www", "A"))])
        {
            Assert.Equal(DenialVerdict.NotProven, above.ProveNoType(Name("sub"), RRType.A, out _));
            Assert.Equal(DenialVerdict.Proven, above.ProveNoType(Name("sub"), RRType.DS, out bool isCut));
            Assert.True(isCut);
        }
        NsecDenialProof below = Nsec(("sub", "www.sub", "NS SOA RRSIG NSEC"));
        Assert.Equal(DenialVerdict.NotProven, below.ProveNoType(Name("sub"), RRType.DS, out _));
        Assert.Equal(DenialVerdict.Proven, below.ProveNoType(Name("sub"), RRType.A, out _));
    }

    [Fact]
    [Trait("RFC", "6840 4.3")]
    public void An_alias_denies_no_type()
    {
        Assert.Equal(DenialVerdict.NotProven,
            Nsec(("www", "x", "CNAME RRSIG NSEC")).ProveNoType(Name("www"), RRType.A, out _));
        Assert.Equal(DenialVerdict.NotProven,
            Nsec3(0, ("www", "CNAME RRSIG")).ProveNoType(Name("www"), RRType.A, out _));
    }

    [Fact]
    public void A_name_is_denied_with_the_wildcard_for_it()
    {
        Assert.Equal(DenialVerdict.NotProven, Nsec(("b", "d", "A RRSIG NSEC")).ProveNoName(Name("c")));
        Assert.Equal(DenialVerdict.Proven,
            Nsec(("b", "d", "A RRSIG NSEC"), ("example", "b", "SOA NS RRSIG NSEC")).ProveNoName(Name("c")));
        // An empty non-terminal exists.
        Assert.Equal(DenialVerdict.NotProven,
            Nsec(("b", "x.c", "A RRSIG NSEC"), ("example", "b", "SOA NS RRSIG NSEC")).ProveNoName(Name("c")));
        Nsec3DenialProof hashed = Nsec3(0, ("example", "NS SOA RRSIG"), ("*", "TXT RRSIG"), ("www", "A RRSIG"));
        Assert.Equal(DenialVerdict.NotProven, hashed.ProveNoName(Name("c")));
        Assert.Equal(DenialVerdict.Proven, hashed.ProveNoType(Name("c"), RRType.A, out _));
        Assert.Equal(DenialVerdict.NotProven, hashed.ProveNoType(Name("c"), RRType.TXT, out _));
    }

    [Fact]
    [Trait("RFC", "5155 8.8")]
    public void A_wildcard_is_only_for_names_right_below_the_closest_encloser()
    {
        NsecDenialProof proof = Nsec(("b", "d", "A RRSIG NSEC"));
        Assert.Equal(DenialVerdict.Proven, proof.ProveExpansion(Name("c"), 1));
        Assert.Equal(DenialVerdict.NotProven, proof.ProveExpansion(Name("a.b"), 1));
        Nsec3DenialProof hashed = Nsec3(0, ("example", "NS SOA RRSIG"), ("b", "A RRSIG"));
        Assert.Equal(DenialVerdict.Proven, hashed.ProveExpansion(Name("c"), 1));
        Assert.Equal(DenialVerdict.NotProven, hashed.ProveExpansion(Name("a.b"), 1));
    }

    [Fact]
    [Trait("RFC", "5155 9.2")]
    public void An_opt_out_span_leaves_open_whether_a_delegation_is_there()
    {
        Nsec3DenialProof proof = Nsec3(Nsec3Fields.OptOutFlag, ("example", "NS SOA RRSIG"), ("www", "A RRSIG"));
        Assert.Equal(DenialVerdict.Insecure, proof.ProveNoName(Name("c")));
        Assert.Equal(DenialVerdict.Insecure, proof.ProveNoType(Name("c"), RRType.DS, out _));
        Assert.Equal(DenialVerdict.Insecure, proof.ProveExpansion(Name("c"), 1));
        Assert.Equal(DenialVerdict.Proven, proof.ProveNoType(Name("www"), RRType.TXT, out _));
    }

    [Theory]
    [Trait("RFC", "5155 8.2")]
    [InlineData("1 0 0 -", "example", true)]
    [InlineData("1 0 0 aa", "example", false)]
    [InlineData("1 0 1 -", "example", false)]
    [InlineData("1 2 0 -", "example", false)]
    [InlineData("2 0 0 -", "example", false)]
    [InlineData("1 0 0 -", "sub", false)]
    public void Only_records_of_one_chain_of_the_zone_prove(string parameters, string zone, bool isProven)
    {
        // The first is that of the apex, the second denies all other names.
        byte[] first = HashOf("example"), second = [.. first];
        second[^1]++;
        Nsec3DenialProof proof = new(Zone,
            [Record(first, Zone, "1 0 0 -", second), Record(second, Name(zone), parameters, first)],
            new ValidationWork());
        Assert.Equal(isProven ? DenialVerdict.Proven : DenialVerdict.NotProven, proof.ProveNoName(Name("c")));
    }

    [Theory]
    [InlineData("www.example", "a.www.example", "x.example", true)]
    [InlineData("a.example", "b.example", "c.example", true)]
    [InlineData("a.example", "a.example", "c.example", false)]
    [InlineData("a.example", "c.example", "c.example", false)]
    [InlineData("z.example", "zz.example", "example", true)]
    [InlineData("z.example", "a.example", "example", false)]
    [InlineData("example", "b.example", "example", true)]
    [InlineData("A.example", "B.Example", "c.EXAMPLE", true)]
    public void A_name_is_between_its_neighbours(string owner, string name, string next, bool expected) =>
        Assert.Equal(expected,
            CanonicalNames.IsBetween(WireOctets.Name(name), WireOctets.Name(owner), WireOctets.Name(next)));

    private static byte[] Name(string text) => WireOctets.Name(text == "example" ? text : $"{text}.example");

    private static NsecDenialProof Nsec(params (string Owner, string Next, string Types)[] records) => new([
        .. records.Select(record =>
    {
        ReceivedRRset rrset = new(MessageSection.Authority, Name(record.Owner), RRType.NSEC);
        rrset.Rdata.Add(SignedText.Rdata(RRType.NSEC, $"{NameText.ToText(Name(record.Next))} {record.Types}"));
        return rrset;
    })]);

    /// <summary>The whole chain of some names.</summary>
    private static Nsec3DenialProof Nsec3(byte flags, params (string Name, string Types)[] names)
    {
        (byte[] Hash, string Types)[] hashes = [.. names.Select(name => (HashOf(name.Name), name.Types))
            .OrderBy(pair => Convert.ToHexString(pair.Item1), StringComparer.Ordinal)];
        List<ReceivedRRset> records = [];
        for (int i = 0; i < hashes.Length; i++)
            records.Add(Record(
                hashes[i].Hash, Zone, $"1 {flags} 0 -", hashes[(i + 1) % hashes.Length].Hash, hashes[i].Types));
        return new Nsec3DenialProof(Zone, records, new ValidationWork());
    }

    private static ReceivedRRset Record(
        byte[] hash, byte[] zone, string parameters, byte[] next, string types = "NS SOA RRSIG")
    {
        ReceivedRRset rrset = new(MessageSection.Authority, OwnerOf(hash, zone), RRType.NSEC3);
        string text = NameText.ToText(OwnerOf(next, [0]))[..^1];
        rrset.Rdata.Add(SignedText.Rdata(RRType.NSEC3, $"{parameters} {text} {types}"));
        return rrset;
    }

    private static byte[] HashOf(string name)
    {
        byte[] hash = new byte[Nsec3Hash.LengthOctets];
        Nsec3Hash.Compute(Name(name), [], 0, hash);
        return hash;
    }

    private static byte[] OwnerOf(byte[] hash, byte[] zone)
    {
        byte[] owner = new byte[255];
        return owner[..HashedOwner.Write(hash, zone, owner)];
    }
}
