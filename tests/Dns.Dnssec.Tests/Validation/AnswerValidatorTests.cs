using Dns.Testing;

namespace Dns.Dnssec.Tests;

/// <summary>
/// Answers of signed zones, as the real responder gives them, are secure, insecure or bogus for a validator.
/// </summary>
public class AnswerValidatorTests
{
    public static TheoryData<string, string, RRType, SecurityStatus> Questions
    {
        get
        {
            TheoryData<string, string, RRType, SecurityStatus> data = [];
            foreach (string denial in (string[])["nsec", "nsec3", "opt-out", "salted"])
            {
                // Where no name is denied by an opt-out span.
                SecurityStatus denied = denial == "opt-out" ? SecurityStatus.Insecure : SecurityStatus.Secure;
                data.Add(denial, "www.example", RRType.A, SecurityStatus.Secure);
                data.Add(denial, "WWW.Example", RRType.AAAA, SecurityStatus.Secure);
                data.Add(denial, "example", RRType.SOA, SecurityStatus.Secure);
                data.Add(denial, "example", RRType.DNSKEY, SecurityStatus.Secure);
                data.Add(denial, "example", RRType.DS, SecurityStatus.Secure);
                data.Add(denial, "alias.example", RRType.A, SecurityStatus.Secure);
                data.Add(denial, "far.example", RRType.A, SecurityStatus.Secure);
                data.Add(denial, "nowhere.example", RRType.A, denied);
                data.Add(denial, "www.d.example", RRType.A, SecurityStatus.Secure);
                data.Add(denial, "www.child.example", RRType.A, SecurityStatus.Secure);
                data.Add(denial, "child.example", RRType.DS, SecurityStatus.Secure);
                data.Add(denial, "missing.child.example", RRType.A, SecurityStatus.Secure);
                data.Add(denial, "www.example", RRType.TXT, SecurityStatus.Secure);
                data.Add(denial, "example", RRType.TXT, SecurityStatus.Secure);
                data.Add(denial, "b.c.example", RRType.A, SecurityStatus.Secure);
                data.Add(denial, "missing.example", RRType.A, denied);
                data.Add(denial, "x.y.missing.example", RRType.A, denied);
                data.Add(denial, "x.b.c.example", RRType.A, denied);
                data.Add(denial, "foo.wild.example", RRType.TXT, denied);
                data.Add(denial, "x.foo.wild.example", RRType.TXT, denied);
                data.Add(denial, "*.wild.example", RRType.TXT, SecurityStatus.Secure);
                data.Add(denial, "foo.wild.example", RRType.A, denied);
                data.Add(denial, "plain.example", RRType.DS, denied);
                data.Add(denial, "www.plain.example", RRType.A, SecurityStatus.Insecure);
                data.Add(denial, "missing.plain.example", RRType.A, SecurityStatus.Insecure);
                data.Add(denial, "www.child2.example", RRType.A, SecurityStatus.Secure);
                // A referral is secure if it is proved that there is no DS.
                data.Add(denial, "www.plain2.example", RRType.A, SecurityStatus.Secure);
                data.Add(denial, "missing", RRType.A, SecurityStatus.Secure);
                data.Add(denial, ".", RRType.NS, SecurityStatus.Secure);
            }
            return data;
        }
    }

    [Theory]
    [MemberData(nameof(Questions))]
    public void An_answer_is_worth_what_it_proves(string denial, string name, RRType type, SecurityStatus expected)
    {
        ValidationResult result = new SignedTree(denial).Validate(name, type);
        Assert.True(result.Status == expected, $"{result.Status}: {result.Reason}");
    }

    [Fact]
    public void Signatures_end()
    {
        SignedTree tree = new("nsec");
        ValidationResult result = tree.Validate("www.example", RRType.A, Plans.Now.AddDays(15));
        Assert.Equal(SecurityStatus.Bogus, result.Status);
        Assert.Contains("expired", result.Reason);
        Assert.Contains("not valid yet", tree.Validate("www.example", RRType.A, Plans.Now.AddDays(-1)).Reason);
    }

    [Fact]
    public void The_chain_names_the_keys_on_the_way()
    {
        ValidationResult result = new SignedTree("nsec").Validate("www.child.example", RRType.A);
        Assert.Equal([".", "example.", "child.example."], result.Chain.Select(zone => zone.Zone.ToString()));
        Assert.Equal([Plans.NextKsk.Public, Plans.Csk.Public, Plans.Ksk.Public],
            result.Chain.Select(zone => zone.Entry!));
        ValidatedRRset answer = result.RRsets.First(rrset => rrset.Type == RRType.A);
        Assert.Equal(Plans.Zsk.Public, answer.Key);
        Assert.Equal("child.example.", answer.Signer!.ToString());
    }

    [Theory]
    [InlineData("nsec")]
    [InlineData("nsec3")]
    public void An_answer_without_its_signatures_is_bogus(string denial)
    {
        foreach (string question in (string[])["www.example A", "missing.example A", "www.example TXT",
            "foo.wild.example TXT", "child.example DS"])
        {
            SignedTree tree = new(denial);
            string[] words = question.Split(' ');
            Assert.True(RRTypeText.TryParse(System.Text.Encoding.ASCII.GetBytes(words[1]), out RRType type));
            tree.OnTheWay = (name, asked, reply) =>
                name.ToString() == words[0] + "." && asked == type ? Without(reply, RRType.RRSIG) : reply;
            Assert.Equal(SecurityStatus.Bogus, tree.Validate(words[0], type).Status);
            tree.OnTheWay = (name, asked, reply) => name.ToString() == words[0] + "." && asked == type
                ? Without(Without(reply, RRType.NSEC), RRType.NSEC3) : reply;
            bool needsProof = type == RRType.TXT || words[0].StartsWith("missing", StringComparison.Ordinal);
            Assert.Equal(needsProof ? SecurityStatus.Bogus : SecurityStatus.Secure,
                tree.Validate(words[0], type).Status);
        }
    }

    [Fact]
    public void A_chain_without_its_DS_is_bogus()
    {
        SignedTree tree =
            new("nsec") { OnTheWay = (_, type, reply) => type == RRType.DS ? Without(reply, RRType.DS) : reply };
        Assert.Equal(SecurityStatus.Bogus, tree.Validate("www.example", RRType.A).Status);
    }

    [Theory]
    [Trait("RFC", "4035 4.3")]
    [InlineData("www.example A", "A at www.example.")]
    [InlineData(". DNSKEY", "DNSKEY at .")]
    [InlineData("example DS", "DS at example.")]
    [InlineData("example DNSKEY", "DNSKEY at example.")]
    public void A_query_without_reply_leaves_the_answer_indeterminate(string lost, string named)
    {
        SignedTree tree = new("nsec") { OnTheWay = (name, type, reply) => Is(lost, name, type) ? null : reply };
        ValidationResult result = tree.Validate("www.example", RRType.A);
        Assert.Equal((SecurityStatus.Indeterminate, $"there is no answer for {named}"), (result.Status, result.Reason));
    }

    [Theory]
    [Trait("RFC", "4035 4.3")]
    [InlineData(". DNSKEY", Rcode.ServFail)]
    [InlineData("example DS", Rcode.Refused)]
    [InlineData("example DNSKEY", Rcode.ServFail)]
    public void An_error_instead_of_a_link_leaves_the_answer_indeterminate(string failed, Rcode rcode)
    {
        SignedTree tree = new("nsec")
        {
            OnTheWay = (name, type, reply) => Is(failed, name, type) ? Error(reply, rcode) : reply,
        };
        ValidationResult result = tree.Validate("www.example", RRType.A);
        Assert.Equal(SecurityStatus.Indeterminate, result.Status);
        Assert.EndsWith($" is {rcode.ToString().ToUpperInvariant()}", result.Reason);
    }

    [Fact]
    public void A_reply_without_keys_or_that_cannot_be_read_is_bogus()
    {
        foreach (string zone in (string[])[".", "example."])
        {
            SignedTree tree = new("nsec");
            tree.OnTheWay = (name, type, reply) =>
                Is($"{zone} DNSKEY", name, type) ? Without(reply, RRType.DNSKEY) : reply;
            Assert.Equal((SecurityStatus.Bogus, $"there is no DNSKEY at {zone}"), StatusOf(tree));
            tree.OnTheWay = (name, type, reply) => Is($"{zone} DNSKEY", name, type) ? reply[..^3] : reply;
            Assert.Equal((SecurityStatus.Bogus, $"there is no answer that can be read for DNSKEY at {zone}"),
                StatusOf(tree));
        }
    }

    private static (SecurityStatus Status, string Reason) StatusOf(SignedTree tree)
    {
        ValidationResult result = tree.Validate("www.example", RRType.A);
        return (result.Status, result.Reason);
    }

    private static bool Is(string question, DomainName name, RRType type)
    {
        string[] words = question.Split(' ');
        return name.Equals(DomainName.Parse(words[0])) && RRTypeText.Format(type) == words[1];
    }

    /// <summary>The reply of a server that has only an error: the question, and no record.</summary>
    private static byte[] Error(byte[] reply, Rcode rcode)
    {
        int end = 12;
        while (reply[end] != 0) end += reply[end] + 1;
        byte[] error = reply[..(end + 5)];
        error[3] = (byte)(error[3] & 0xF0 | (byte)rcode);
        error.AsSpan(6, 6).Clear();
        return error;
    }

    [Fact]
    public void A_proof_for_another_name_is_bogus()
    {
        SignedTree tree = new("nsec");
        byte[] other = tree.Query(DomainName.Parse("missing.example"), RRType.A)!;
        byte[] forged = [.. other];
        byte[] question = WireOctets.Name("zzzzzzz.example");
        question.CopyTo(forged, 12);
        tree.OnTheWay = (name, type, reply) => name.ToString() == "zzzzzzz.example." ? forged : reply;
        Assert.Equal(SecurityStatus.Bogus, tree.Validate("zzzzzzz.example", RRType.A).Status);
    }

    [Fact]
    public void Without_an_anchor_above_nothing_is_decided()
    {
        AnswerValidator validator =
            new(new SignedTree("nsec"), [TrustAnchor.OfKey(DomainName.Parse("test"), Plans.Ksk.Public)], Plans.Now);
        Assert.Equal(SecurityStatus.Indeterminate,
            validator.Validate(DomainName.Parse("www.example"), RRType.A).Status);
        AnswerValidator wrong =
            new(new SignedTree("nsec"), [TrustAnchor.OfKey(DomainName.Root, Plans.Ksk.Public)], Plans.Now);
        Assert.Equal(SecurityStatus.Bogus, wrong.Validate(DomainName.Parse("www.example"), RRType.A).Status);
    }

    /// <summary>A reply without the records of a type, written anew.</summary>
    private static byte[] Without(byte[] reply, RRType type)
    {
        byte[] octets = new byte[ushort.MaxValue];
        int[] counts = new int[4];
        MessageReader.TryOpen(reply, out MessageReader message);
        message.TryReadQuestion(out QuestionReader question);
        int length = question.EndOffset;
        reply.AsSpan(0, length).CopyTo(octets);
        RecordReader records = message.ReadRecords();
        byte[] owner = new byte[255], rdata = new byte[65535];
        while (records.TryRead())
        {
            if (records.Type == type) continue;
            Assert.True(records.TryExpandOwner(owner, out int ownerOctets));
            Assert.True(records.TryReadRdata(rdata, out int rdataOctets));
            byte[] record =
            [
                .. owner[..ownerOctets], .. WireOctets.UInt16((int)records.Type),
                .. WireOctets.UInt16((int)records.Class),
                .. WireOctets.UInt32(records.Ttl), .. WireOctets.UInt16(rdataOctets), .. rdata[..rdataOctets],
            ];
            record.CopyTo(octets, length);
            length += record.Length;
            counts[(int)records.Section]++;
        }
        for (int section = 1; section < 4; section++)
            WireOctets.UInt16(counts[section]).CopyTo(octets, 4 + 2 * section);
        return octets[..length];
    }
}
