using Dns.Testing;

namespace Dns.Replication.Tests;

/// <summary>Which messages are updates at all: RFC 2136 §3.1, §3.2, §3.4.1.</summary>
public class UpdateMessageTests
{
    private const string Hash31 = "0123456789ABCDEFGHIJKLMNOPQRSTU", Hash = Hash31 + "v";

    // SHA-1, no salt, a hash of 20 octets and type A.
    private const string Hashed = "0100000000140000000000000000000000000000000000000000000140";

    private static readonly DomainName Zone = DomainName.Parse("z.test");

    [Theory]
    [InlineData("www", RRType.A, RRClass.IN, 0u, "C0000209", Rcode.NoError)]
    [InlineData("www", RRType.A, RRClass.IN, 1u, "C0000209", Rcode.FormErr)]
    [InlineData("www", RRType.A, RRClass.ANY, 0u, "", Rcode.NoError)]
    [InlineData("www", RRType.ANY, RRClass.ANY, 0u, "", Rcode.NoError)]
    [InlineData("www", RRType.ANY, RRClass.NONE, 0u, "", Rcode.NoError)]
    [InlineData("www", RRType.ANY, RRClass.IN, 0u, "", Rcode.FormErr)]
    [InlineData("www", RRType.A, RRClass.ANY, 1u, "", Rcode.FormErr)]
    [InlineData("www", RRType.A, RRClass.ANY, 0u, "C0000209", Rcode.FormErr)]
    [InlineData("www", RRType.A, RRClass.NONE, 0u, "C0000209", Rcode.FormErr)]
    [InlineData("www", RRType.A, RRClass.CH, 0u, "", Rcode.FormErr)]
    [InlineData("www", RRType.A, RRClass.IN, 0u, "C00002", Rcode.FormErr)]
    [InlineData("www", RRType.AXFR, RRClass.ANY, 0u, "", Rcode.FormErr)]
    [InlineData("www", RRType.OPT, RRClass.ANY, 0u, "", Rcode.FormErr)]
    [InlineData("www.other.", RRType.A, RRClass.ANY, 0u, "", Rcode.NotZone)]
    [InlineData("test.", RRType.A, RRClass.ANY, 0u, "", Rcode.NotZone)]
    [InlineData("xz.test.", RRType.A, RRClass.ANY, 0u, "", Rcode.NotZone)]
    public void A_prerequisite_is_well_formed_or_the_message_is_not(
        string owner, RRType type, RRClass rrClass, uint ttl, string rdata, Rcode expected)
    {
        byte[] octets = Message(MessageSection.Answer, owner, type, rrClass, ttl, rdata);
        Assert.Equal(expected, UpdateMessage.Read(octets, Zone, out UpdateMessage? message));
        Assert.Equal(expected == Rcode.NoError, message?.Prerequisites.Count == 1);
    }

    [Theory]
    [InlineData("www", RRType.A, RRClass.IN, 300u, "C0000209", Rcode.NoError)]
    [InlineData("www", RRType.A, RRClass.IN, 300u, "C00002", Rcode.FormErr)]
    [InlineData("www", RRType.A, RRClass.IN, 300u, "", Rcode.FormErr)]
    [InlineData("www", RRType.ANY, RRClass.IN, 300u, "", Rcode.FormErr)]
    [InlineData("www", RRType.MAILB, RRClass.IN, 300u, "00", Rcode.FormErr)]
    [InlineData("www", RRType.OPT, RRClass.IN, 300u, "", Rcode.FormErr)]
    [InlineData("www", RRType.TSIG, RRClass.IN, 300u, "00", Rcode.FormErr)]
    [InlineData("www", RRType.A, RRClass.ANY, 0u, "", Rcode.NoError)]
    [InlineData("www", RRType.ANY, RRClass.ANY, 0u, "", Rcode.NoError)]
    [InlineData("www", RRType.IXFR, RRClass.ANY, 0u, "", Rcode.FormErr)]
    [InlineData("www", RRType.A, RRClass.ANY, 1u, "", Rcode.FormErr)]
    [InlineData("www", RRType.A, RRClass.ANY, 0u, "C0000209", Rcode.FormErr)]
    [InlineData("www", RRType.A, RRClass.NONE, 0u, "C0000209", Rcode.NoError)]
    [InlineData("www", RRType.A, RRClass.NONE, 1u, "C0000209", Rcode.FormErr)]
    [InlineData("www", RRType.ANY, RRClass.NONE, 0u, "", Rcode.FormErr)]
    [InlineData("www", RRType.A, RRClass.CH, 0u, "", Rcode.FormErr)]
    [InlineData("www", RRType.A, (RRClass)0, 0u, "", Rcode.FormErr)]
    [InlineData("www.other.", RRType.A, RRClass.IN, 300u, "C0000209", Rcode.NotZone)]
    [InlineData("www", (RRType)65280, RRClass.IN, 300u, "010203", Rcode.NoError)]
    // What BIND rejects is not added, but can be deleted.
    [InlineData("www", RRType.WKS, RRClass.IN, 300u, "01020304060100", Rcode.FormErr)]
    [InlineData("www", RRType.WKS, RRClass.NONE, 0u, "01020304060100", Rcode.NoError)]
    [InlineData("www", RRType.KEY, RRClass.IN, 300u, "C600030D78", Rcode.FormErr)]
    [InlineData("www", RRType.KEY, RRClass.IN, 300u, "C600030D", Rcode.FormErr)]
    [InlineData("www", RRType.KEY, RRClass.IN, 300u, "0200030D78", Rcode.NoError)]
    [InlineData("www", RRType.NAPTR, RRClass.IN, 300u, "00010001017500016100", Rcode.FormErr)]
    [InlineData("www", RRType.NAPTR, RRClass.IN, 300u, "0001000101750000016100", Rcode.NoError)]
    [InlineData("*", RRType.NS, RRClass.IN, 300u, "016100", Rcode.FormErr)]
    [InlineData("*.www", RRType.NS, RRClass.IN, 300u, "016100", Rcode.FormErr)]
    [InlineData("*", RRType.NS, RRClass.NONE, 0u, "016100", Rcode.NoError)]
    [InlineData("*", RRType.PTR, RRClass.IN, 300u, "016100", Rcode.NoError)]
    [InlineData("*a", RRType.NS, RRClass.IN, 300u, "016100", Rcode.NoError)]
    [InlineData("www", RRType.NULL, RRClass.IN, 300u, "", Rcode.FormErr)]
    [InlineData("www", RRType.NULL, RRClass.IN, 300u, "00", Rcode.NoError)]
    [InlineData("www", RRType.DNSKEY, RRClass.IN, 300u, "0100030D78", Rcode.FormErr)]
    [InlineData("z.test.", RRType.DNSKEY, RRClass.IN, 300u, "0100030D78", Rcode.NoError)]
    [InlineData("www", RRType.NSEC3, RRClass.IN, 300u, Hashed, Rcode.FormErr)]
    [InlineData(Hash + "a", RRType.NSEC3, RRClass.IN, 300u, Hashed, Rcode.FormErr)]
    [InlineData("w" + Hash31, RRType.NSEC3, RRClass.IN, 300u, Hashed, Rcode.FormErr)]
    [InlineData(Hash + ".www", RRType.NSEC3, RRClass.IN, 300u, Hashed, Rcode.FormErr)]
    [InlineData(Hash, RRType.NSEC3, RRClass.IN, 300u, Hashed, Rcode.NoError)]
    public void An_update_is_well_formed_or_the_prescan_says_so(
        string owner, RRType type, RRClass rrClass, uint ttl, string rdata, Rcode expected)
    {
        byte[] octets = Message(MessageSection.Authority, owner, type, rrClass, ttl, rdata);
        Assert.Equal(Rcode.NoError, UpdateMessage.Read(octets, Zone, out UpdateMessage? message));
        Assert.Equal(expected, message!.Prescan);
        Assert.Equal(expected == Rcode.NoError ? 1 : 0, message.Updates.Count);
    }

    [Fact]
    public void A_ttl_with_the_highest_bit_counts_as_zero()
    {
        byte[] octets = Message(MessageSection.Authority, "www", RRType.A, RRClass.IN, 0x80000001, "C0000209");
        UpdateMessage.Read(octets, Zone, out UpdateMessage? message);
        Assert.Equal(0u, message!.Updates[0].Ttl);
    }

    [Fact]
    public void Names_in_rdata_come_compressed_and_are_kept_whole()
    {
        byte[] octets = UpdateText.Message("z.test", "add www 300 MX 10 mail", "add www 300 CNAME www");
        UpdateMessage.Read(octets, Zone, out UpdateMessage? message);
        Assert.Equal(["10 mail.z.test.", "www.z.test."],
            message!.Updates.Select(record => Rdata.Format(record.Type, record.Rdata)));
    }

    [Theory]
    [InlineData("z.test A")]
    [InlineData("z.test ANY")]
    public void A_zone_section_of_another_type_is_malformed(string question) =>
        Assert.False(UpdateMessage.TryReadZone(QueryMessage.For(question).ToOctets(), out _, out _));

    [Fact]
    public void Two_zones_or_none_are_malformed()
    {
        QueryMessage one = QueryMessage.For("z.test SOA");
        Assert.True(UpdateMessage.TryReadZone(one.ToOctets(), out _, out _));
        Assert.False(UpdateMessage.TryReadZone((one with { Question = [] }).ToOctets(), out _, out _));
        byte[] two = (one with { Question = [.. one.Question, .. one.Question], Counts = [2, 0, 0, 0] }).ToOctets();
        Assert.False(UpdateMessage.TryReadZone(two, out _, out _));
    }

    [Fact]
    public void A_message_that_is_cut_anywhere_or_has_a_wrong_octet_never_throws()
    {
        byte[] whole = UpdateText.Message(
            "z.test", "yxrrset www A 192.0.2.1", "nxdomain new", "add new 300 MX 10 mail", "delete www TXT \"a\"",
            "delete old");
        for (int length = 0; length < whole.Length; length++)
        {
            byte[] cut = whole[..length];
            if (!UpdateMessage.TryReadZone(cut, out DomainName? zone, out _)) continue;
            Assert.Equal(Rcode.FormErr, UpdateMessage.Read(cut, zone, out _));
        }
        for (int at = 0; at < whole.Length * 8; at++)
        {
            byte[] wrong = [.. whole];
            wrong[at / 8] ^= (byte)(1 << at % 8);
            if (UpdateMessage.TryReadZone(wrong, out DomainName? zone, out _)) UpdateMessage.Read(wrong, zone, out _);
        }
    }

    private static byte[] Message(MessageSection section, string owner, RRType type, RRClass rrClass, uint ttl,
        string rdata)
    {
        byte[] room = new byte[512];
        MessageWriter writer = new(room, null);
        writer.WriteHeader(1, (int)Opcode.Update << 11);
        writer.TryWriteQuestion(Zone.Octets, RRType.SOA, RRClass.IN);
        writer.Begin(section, DomainName.Parse(owner.EndsWith('.') ? owner : owner + ".z.test").Octets, type,
            rrClass, ttl);
        writer.WriteOctets(Convert.FromHexString(rdata));
        Assert.True(writer.TryEnd());
        return room[..writer.Finish()];
    }
}
