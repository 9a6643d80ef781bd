using Dns.Testing;
using Xunit;

namespace Dns.Conformance.Tests;

/// <summary>
/// What signed zones prove: NSEC (RFC 4035 §3.1.3) and NSEC3 (RFC 5155 §7.2), by the labels of the records' owners.
/// </summary>
public class DenialTests
{
    private const string Apex = "z.test";

    private static readonly PlainRecord[] Plain =
    [
        Record("@", RRType.SOA, [.. WireOctets.Name("ns.z.test"), .. WireOctets.Name("h.z.test"), .. new byte[19], 60]),
        Record("@", RRType.NS, WireOctets.Name("ns.z.test")), Record("ns", RRType.A, [192, 0, 2, 1]),
        Record("a", RRType.A, [192, 0, 2, 2]),
        Record("b.ent", RRType.A, [192, 0, 2, 3]), Record("*.w", RRType.TXT, [1, 65]),
        Record("alias", RRType.CNAME, WireOctets.Name("x.w.z.test")),
        Record("mx", RRType.MX, [0, 1, .. WireOctets.Name("a.z.test")]),
        Record("cut", RRType.NS, WireOctets.Name("ns.cut.z.test")),
        Record("ns.cut", RRType.A, [192, 0, 2, 4]), Record("sec", RRType.NS, WireOctets.Name("ns.other.test")),
        Record("sec", RRType.DS, [0, 1, 13, 2, .. new byte[32]]),
        Record("dn", RRType.DNAME, WireOctets.Name("other.test")),
        Record("tocut", RRType.CNAME, WireOctets.Name("www.cut.z.test")),
        Record("tosec", RRType.CNAME, WireOctets.Name("www.sec.z.test")),
    ];

    private static readonly ServedZones Nsec = Serve(new SigningStyle(false)),
        Nsec3 = Serve(new SigningStyle(true, Salt: "AB", Iterations: 1)),
        OptOut = Serve(new SigningStyle(true, OptsOut: true)),
            Two = Serve(new SigningStyle(true, HasSecondChain: true));

    [Theory, Trait("RFC", "4035 3.1")]
    [InlineData("a A"), InlineData("x A"), InlineData("a TXT"), InlineData("x.w TXT"), InlineData("x.w A"),
        InlineData("www.cut A"), InlineData("www.sec A")]
    public void Without_the_dnssec_flag_no_record_of_dnssec_is_sent(string question)
    {
        foreach (ServedZones served in (ServedZones[])[Nsec, Nsec3, OptOut])
        {
            Reply reply = served.Ask(Query(question).WithEdns(4096));
            Assert.DoesNotContain(reply.Answer.Concat(reply.Authority).Concat(reply.Additional),
                record => record.Type is RRType.RRSIG or RRType.NSEC or RRType.NSEC3 or RRType.DS);
        }
    }

    [Theory, Trait("RFC", "4035 3.1.3.2")]
    [InlineData("x A", "*.w,@"), InlineData("c.a A", "a"), InlineData("0 A", "@"), InlineData("x.ent A", "b.ent,dn")]
    public void A_name_error_has_what_covers_name_and_wildcard(string question, string owners) =>
        Says(Nsec, question, "NXDOMAIN aa", owners);

    [Theory, Trait("RFC", "4035 3.1.3.1")]
    [InlineData("a TXT", "a"), InlineData("ent A", "dn"), InlineData("@ TXT", "@"), InlineData("cut DS", "cut"),
        InlineData("@ DS", "@")]
    public void No_data_has_the_record_of_the_name_or_of_what_is_before_an_empty_one(string question, string owners) =>
        Says(Nsec, question, "NOERROR aa", owners);

    [Fact, Trait("RFC", "4035 3.1.3.3")]
    public void A_wildcard_answer_has_what_covers_the_name()
    {
        Reply reply = Says(Nsec, "x.w TXT", "NOERROR aa", "*.w");
        Assert.Equal(["TXT", "RRSIG"], reply.Answer.Select(record => $"{record.Type}"));
        Assert.Equal(3, reply.Answer[1].Rdata[3]);
    }

    [Fact, Trait("RFC", "4035 3.1.3.4")]
    public void No_data_of_a_wildcard_has_the_wildcard_and_what_covers_the_name() =>
        Says(Nsec, "x.w A", "NOERROR aa", "*.w");

    [Fact, Trait("RFC", "4035 3.1.3.3")]
    public void An_alias_to_a_wildcard_has_its_proof() => Says(Nsec, "alias TXT", "NOERROR aa", "*.w");

    [Theory, Trait("RFC", "4035 3.1.4")]
    [InlineData("tosec A", "NS,DS,RRSIG"), InlineData("tocut A", "NS,NSEC,RRSIG")]
    [InlineData("tocut DS", "NS,NSEC,RRSIG")]
    public void An_alias_into_a_delegation_has_its_ds_or_the_proof_of_none(string question, string types)
    {
        Reply reply = Nsec.Ask(Query(question).WithEdns(4096, dnssecOk: true));
        Assert.Equal("NOERROR aa", reply.Header);
        Assert.Equal(["CNAME", "RRSIG"], reply.Answer.Select(record => $"{record.Type}"));
        Assert.Equal(types, string.Join(',', reply.Authority.Select(record => record.Type)));
    }

    [Theory, Trait("RFC", "5155 7.2")]
    [InlineData("x A", "NXDOMAIN aa", "=@ ~x ~*"), InlineData("x.y.a A", "NXDOMAIN aa", "=a ~y.a ~*.a"),
        InlineData("a TXT", "NOERROR aa", "=a")]
    [InlineData("ent A", "NOERROR aa", "=ent"), InlineData("x.w TXT", "NOERROR aa", "~x.w"),
        InlineData("y.x.w TXT", "NOERROR aa", "~x.w")]
    [InlineData("x.w A", "NOERROR aa", "=w ~x.w =*.w"), InlineData("www.cut A", "NOERROR", "=cut"),
        InlineData("cut DS", "NOERROR aa", "=cut")]
    public void Hashed_proofs_name_closest_encloser_next_closer_name_and_wildcard(string question, string header,
        string hashes) =>
        Says(Nsec3, question, header, Hashed(Nsec3, hashes, 1, [0xAB]));

    [Theory, Trait("RFC", "5155 7.2.4")]
    [InlineData("www.cut A", "NOERROR"), InlineData("cut DS", "NOERROR aa")]
    public void What_is_opted_out_has_the_closest_encloser_and_the_span(string question, string header)
    {
        Reply reply = Says(OptOut, question, header, Hashed(OptOut, "=@ ~cut", 0, []));
        Assert.Contains(reply.Authority, record => record.Type == RRType.NSEC3 && (record.Rdata[1] & 1) != 0);
    }

    [Fact, Trait("RFC", "5155 7.2.8")]
    public void The_owner_of_an_nsec3_record_does_not_exist()
    {
        string hash = SignedZone.Hash("a.z.test", 1, [0xAB]);
        foreach (string type in (string[])["NSEC3", "A", "RRSIG", "ANY"])
            Says(Nsec3, $"{hash} {type}", "NXDOMAIN aa", Hashed(Nsec3, $"=@ ~{hash} ~*", 1, [0xAB]));
        Says(Nsec3, $"x.{hash} A", "NXDOMAIN aa", Hashed(Nsec3, $"=@ ~{hash} ~*", 1, [0xAB]));
    }

    [Fact, Trait("RFC", "5155 7.3")]
    public void Of_several_chains_that_of_nsec3param_is_used() =>
        Says(Two, "x A", "NXDOMAIN aa", Hashed(Two, "=@ ~x ~*", 0, []));

    [Fact, Trait("RFC", "9077")]
    public void Records_of_proofs_keep_the_ttl_that_the_signer_gave_them()
    {
        Reply reply = Nsec.Ask(Query("x A").WithEdns(4096, dnssecOk: true));
        Assert.All(reply.Authority.Where(record => record.Type == RRType.NSEC),
            record => Assert.Equal(300u, record.Ttl));
        Assert.All(reply.Authority.Where(record => record.Owner.ToString() == "z.test." && record.Type == RRType.SOA),
            record => Assert.Equal(60u, record.Ttl));
        Assert.Equal(60u, reply.Authority.First(record => record.Type == RRType.RRSIG).Ttl);
    }

    [Fact]
    public void Nsec_at_a_cut_is_a_referral()
    {
        Reply reply = Nsec.Ask(Query("sec NSEC").WithEdns(4096, dnssecOk: true));
        Assert.Equal("NOERROR", reply.Header);
        Assert.Equal(["NS", "DS", "RRSIG"], reply.Authority.Select(record => $"{record.Type}"));
    }

    [Fact, Trait("RFC", "4035 3.1.4")]
    public void A_referral_has_the_ds_or_proves_that_there_is_none()
    {
        Says(Nsec, "www.cut A", "NOERROR", "cut");
        Assert.Equal(["NS", "DS", "RRSIG"],
            Nsec.Ask(Query("www.sec A").WithEdns(4096, dnssecOk: true)).Authority.Select(record => $"{record.Type}"));
    }

    [Fact, Trait("RFC", "4035 3.1.1")]
    public void Addresses_that_come_along_have_signatures_as_far_as_they_fit()
    {
        Reply reply = Nsec.Ask(Query("mx MX").WithEdns(4096, dnssecOk: true));
        Assert.Equal(["A", "RRSIG"], reply.Additional.Select(record => $"{record.Type}"));
    }

    [Fact, Trait("RFC", "2181 9")]
    public void A_proof_that_does_not_fit_sets_tc()
    {
        string deep = $"{new string('x', 60)}.{new string('y', 60)}.{new string('z', 60)} A";
        Assert.Equal("NXDOMAIN aa tc", Nsec3.Ask(Query(deep).WithEdns(512, dnssecOk: true)).Header);
        Assert.Equal("NXDOMAIN aa", Nsec3.AskOverTcp(Query(deep).WithEdns(512, dnssecOk: true)).Header);
    }

    [Fact]
    public void A_name_of_very_many_labels_costs_no_more_hashes_than_others()
    {
        string deep = string.Concat(Enumerable.Repeat("l.", 100)) + "a A";
        Says(Nsec3, deep, "NXDOMAIN aa", Hashed(Nsec3, "=a ~l.a ~*.a", 1, [0xAB]));
    }

    private static PlainRecord Record(string label, RRType type, byte[] rdata) => new(Full(label), type, 300, rdata);

    private static string Full(string label) => label == "@" ? Apex : $"{label}.{Apex}";

    private static QueryMessage Query(string question)
    {
        string[] words = question.Split(' ');
        return QueryMessage.For($"{Full(words[0])} {words[1]}");
    }

    private static ServedZones Serve(SigningStyle style)
    {
        ZoneBuilder builder = new(WireOctets.Name(Apex));
        foreach (PlainRecord record in SignedZone.Sign(Apex, Plain, style))
            builder.Add(WireOctets.Name(record.Owner), false, record.Type, record.Ttl, record.Rdata);
        ZoneSlot slot = new(DomainName.Parse(Apex));
        slot.Publish(builder.Build());
        return new ServedZones(new ResponderOptions { MaxUdpPayload = 4096 }, slot);
    }

    /// <summary>The owners that match (=) or cover (~) names, from the chain that NSEC3PARAM names.</summary>
    private static string Hashed(ServedZones served, string words, int iterations, byte[] salt)
    {
        List<string> labels = [];
        Zone zone = served.Published.Current.FindExact(DomainName.Parse(Apex))!.Zone!;
        foreach (ZoneNode node in zone)
            if (node.TryFind(RRType.NSEC3, out RRset rrset) && rrset.First[4] == salt.Length)
                labels.Add(NameOrder.Labels(NameText.ToText(node.Name))[0]);
        labels.Sort(StringComparer.Ordinal);
        return string.Join(',', words.Split(' ').Select(word =>
        {
            string hash = SignedZone.Hash(Full(word[1..]), iterations, salt);
            if (word[0] == '=') return labels.Single(label => label == hash);
            return labels.LastOrDefault(label => string.CompareOrdinal(label, hash) < 0) ?? labels[^1];
        }).Distinct());
    }

    private static Reply Says(ServedZones served, string question, string header, string owners)
    {
        Reply reply = served.Ask(Query(question).WithEdns(4096, dnssecOk: true));
        Assert.Equal(header, reply.Header);
        IEnumerable<MessageRecord> proofs = reply.Authority.Where(record => record.Type is RRType.NSEC or RRType.NSEC3);
        Assert.Equal(owners.Split(',').Select(Full).Order(),
            proofs.Select(record => ProofJudge.Text(record.Owner)).Order());
        Assert.All(proofs, proof =>
            Assert.Single(reply.Authority, record => record.Type == RRType.RRSIG && record.Owner.Equals(proof.Owner)
            && (RRType)(record.Rdata[0] << 8 | record.Rdata[1]) == proof.Type));
        return reply;
    }
}
