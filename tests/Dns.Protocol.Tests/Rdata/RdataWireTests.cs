using System.Text;
using Dns.Testing;
using Xunit;

namespace Dns.Protocol.Tests;

public class RdataWireTests
{
    private static readonly byte[] Destination = new byte[Rdata.MaxOctets];

    // A header, the name example.com at offset 12, and the RDATA behind it.
    private static (bool Read, byte[] Rdata) Read(RRType type, string hex, bool isStrict = false)
    {
        byte[] message = [.. new byte[12], .. DomainName.Parse("example.com").Octets, .. Convert.FromHexString(hex)];
        byte[] destination = new byte[Rdata.MaxOctets];
        bool read = Rdata.TryRead(type, message, 25, message.Length - 25, destination, out int written, isStrict);
        return (read, destination[..written]);
    }

    [Theory]
    [InlineData("NS", "C00C", "example.com.")]
    [InlineData("CNAME", "0161C00C", "a.example.com.")]
    [InlineData("SOA", "026E73C00CC0190000000100000002000000030000000400000005",
        "ns.example.com. ns.example.com. 1 2 3 4 5")]
    [InlineData("MX", "000AC00C", "10 example.com.")]
    [InlineData("MINFO", "C00C0161C00C", "example.com. a.example.com.")]
    [InlineData("RP", "C00CC00C", "example.com. example.com.")]
    [InlineData("SRV", "000000010002C00C", "0 1 2 example.com.")]
    [InlineData("NAPTR", "0001000201530000C00C", "1 2 \"S\" \"\" \"\" example.com.")]
    [InlineData("NXT", "C00C40", "example.com. A")]
    [InlineData("PX", "0001C00CC00C", "1 example.com. example.com.")]
    [InlineData("KX", "0001C00C", "1 example.com.")]
    [InlineData("SIG", "00010502000000000000000000000000" + "0001C00C01",
        "A 5 2 0 19700101000000 19700101000000 1 example.com. AQ==")]
    [Trait("RFC", "3597 4")]
    public void Compressed_names_are_expanded_where_they_may_arrive(string type, string hex, string text)
    {
        (bool read, byte[] rdata) = Read(TextTokens.Type(type), hex, isStrict: true);
        Assert.True(read);
        Assert.Equal(text, TextTokens.Format(TextTokens.Type(type), rdata));
    }

    [Theory]
    [InlineData("DNAME", "C00C", "example.com.")]
    [InlineData("RRSIG", "00010502000000000000000000000000" + "0001C00C01",
        "A 5 2 0 19700101000000 19700101000000 1 example.com. AQ==")]
    [InlineData("NSEC", "C00C000140", "example.com. A")]
    [InlineData("SVCB", "0001C00C", "1 example.com.")]
    [InlineData("HTTPS", "00010161C00C000300020050", "1 a.example.com. port=80")]
    [InlineData("LP", "0001C00C", "1 example.com.")]
    [InlineData("TALINK", "C00CC00C", "example.com. example.com.")]
    [Trait("RFC", "3597 4")]
    public void Compressed_names_elsewhere_are_expanded_and_refused_only_if_strict(string type, string hex, string text)
    {
        (bool read, byte[] rdata) = Read(TextTokens.Type(type), hex);
        Assert.True(read);
        Assert.Equal(text.Replace("port=80", "port=\"80\""), TextTokens.Format(TextTokens.Type(type), rdata)
            .Replace("port=80", "port=\"80\""));
        Assert.False(Read(TextTokens.Type(type), hex, isStrict: true).Read);
    }

    [Theory]
    [InlineData("SVCB", "0001C01B")]
    [InlineData("NSEC", "C00C0001")]
    [InlineData("DNAME", "C00C00")]
    public void Rdata_with_a_compressed_name_is_checked_like_any_other(string type, string hex) =>
        Assert.False(Read(TextTokens.Type(type), hex).Read);

    [Theory]
    [InlineData("NS", "C019")]
    [InlineData("NS", "C0FF")]
    [InlineData("NS", "C000")]
    [InlineData("NS", "C00C00")]
    [InlineData("NS", "0361")]
    [InlineData("NS", "")]
    [InlineData("MX", "00")]
    [InlineData("SOA", "C00CC00C00000001000000020000000300000004000000")]
    public void Names_that_loop_or_leave_the_rdata_are_refused(string type, string hex) =>
        Assert.False(Read(TextTokens.Type(type), hex).Read);

    [Fact]
    public void A_name_does_not_take_octets_of_the_next_record()
    {
        byte[] message = [.. new byte[12], 1, (byte)'a', 0];
        Assert.False(Rdata.TryRead(RRType.NS, message, 12, 2, Destination, out _));
        Assert.True(Rdata.TryRead(RRType.NS, message, 12, 3, Destination, out _));
    }

    [Theory]
    [InlineData(-1, 0)]
    [InlineData(13, 1)]
    [InlineData(14, 0)]
    [InlineData(0, -1)]
    [InlineData(0, int.MaxValue)]
    [InlineData(int.MaxValue, int.MaxValue)]
    public void A_place_outside_the_message_is_refused(int position, int length) =>
        Assert.False(Rdata.TryRead((RRType)65280, new byte[13], position, length, Destination, out _));

    /// <summary>Each beside RDATA that is valid and differs in the one thing that is meant.</summary>
    [Theory]
    [InlineData("NSEC", "000000", "00000140")]
    [InlineData("NSEC", "0000020100", "0000020101")]
    [InlineData("NSEC", "00010140000140", "00000140010140")]
    [InlineData("NSEC", "00000140000140", "00000140010140")]
    [InlineData("NSEC3", "010000000000", "010000000001AA")]
    [InlineData("NSEC3", "0100000005AA01AA", "0100000001AA01AA")]
    [InlineData("TXT", "", "00")]
    [InlineData("TXT", "0561", "0161")]
    [InlineData("LOC", "01121613800000008000000000989680", "00121613800000008000000000989680")]
    [InlineData("LOC", "00A21613800000008000000000989680", "00921613800000008000000000989680")]
    [InlineData("LOC", "00121613934FD9018000000000989680", "00121613934FD9008000000000989680")]
    [InlineData("LOC", "001216136CB026FF8000000000989680", "001216136CB027008000000000989680")]
    [InlineData("LOC", "0012161380000000A69FB20100989680", "0012161380000000A69FB20000989680")]
    [InlineData("LOC", "001216138000000059604DFF00989680", "001216138000000059604E0000989680")]
    [InlineData("APL", "0001200201", "000120020101")]
    [InlineData("APL", "0001210101", "0001200101")]
    [InlineData("APL", "0001100100", "0001100101")]
    [InlineData("APL", "0003100101", "0001100101")]
    [InlineData("SVCB", "00010000020000", "00010000010003026832" + "00020000")]
    [InlineData("SVCB", "0001000003000200010003000200" + "02", "000100000300020001000500020002")]
    [InlineData("SVCB", "0001000004000400000001000300020001", "0001000003000200010004000400000001")]
    [InlineData("SVCB", "00010000010000", "00010000010003026832")]
    [InlineData("SVCB", "00010000030003000100", "000100000300020001")]
    [InlineData("SVCB", "00010000000000" + "000300020035", "000100000000020003" + "000300020035")]
    [InlineData("SVCB", "00010000000003000300" + "000300020035", "000100000000020003" + "000300020035")]
    [InlineData("SVCB", "000100000000020000", "000100000000020003" + "000300020035")]
    [InlineData("SVCB", "0001000000000400030003" + "000300020035", "000100000000020003" + "000300020035")]
    [InlineData("SVCB", "0001000000000400030001" + "00010003026832" + "000300020035",
        "0001000000000400010003" + "00010003026832" + "000300020035")]
    [InlineData("SVCB", "000100000000020003" + "0005000100", "000100000000020005" + "0005000100")]
    [InlineData("SVCB", "000100FFFF0000", "000100FFFE0000")]
    [InlineData("CAA", "00002D", "00016131")]
    [InlineData("CAA", "00012D", "000161")]
    [InlineData("IPSECKEY", "0A0402AA", "0A0002AA")]
    [InlineData("HIP", "0002000161", "01020001AA61")]
    [InlineData("X25", "03313233", "0431323334")]
    [InlineData("X25", "04313233", "0431323334")]
    [InlineData("HINFO", "0241", "01410142")]
    [InlineData("HINFO", "01410242", "01410142")]
    [InlineData("A", "C000020100", "C0000201")]
    [InlineData("MX", "000A01610000", "000A016100")]
    [InlineData("A6", "0001", "0000000000000000000000000000000001")]
    [InlineData("A6", "81014100", "80014100")]
    [InlineData("WKS", "C0000201", "C0000201060180")]
    [InlineData("NXT", "0080", "0040")]
    public void Malformed_rdata_is_not_valid(string type, string malformed, string valid)
    {
        Assert.True(Rdata.IsValid(TextTokens.Type(type), Convert.FromHexString(valid)),
            "the RDATA to compare with is refused");
        Assert.False(Rdata.IsValid(TextTokens.Type(type), Convert.FromHexString(malformed)));
    }

    [Theory]
    [InlineData(1, true)]
    [InlineData(32, true)]
    [InlineData(33, false)]
    [InlineData(255, false)]
    [Trait("RFC", "4034 4.1.2")]
    public void A_window_of_a_bitmap_has_at_most_32_octets(int octets, bool isValid)
    {
        byte[] bitmap = new byte[octets];
        Array.Fill(bitmap, (byte)1);
        Assert.Equal(isValid, Rdata.IsValid(RRType.NSEC, [0, 0, (byte)octets, .. bitmap]));
    }

    [Theory]
    [InlineData("NS", "0141036E455400", "0161036E657400")]
    [InlineData("MX", "000A014100", "000A016100")]
    [InlineData("SRV", "004100420043014100", "004100420043016100")]
    [InlineData("NAPTR", "00010002014100000141" + "00", "00010002014100000161" + "00")]
    [InlineData("RRSIG", "0001080200000000000000000000000000010141" + "0041",
        "0001080200000000000000000000000000010161" + "0041")]
    [InlineData("NSEC", "014100000140", "014100000140")]
    [InlineData("HINFO", "01410142", "01410142")]
    [InlineData("SVCB", "0001014100", "0001014100")]
    [InlineData("A6", "80014100", "80016100")]
    [InlineData("TYPE65280", "4142", "4142")]
    [Trait("RFC", "6840 5.1")]
    public void Canonical_form_lowers_the_names_of_the_listed_types_only(string type, string hex, string canonical)
    {
        byte[] rdata = Convert.FromHexString(hex);
        Assert.True(Rdata.IsValid(TextTokens.Type(type), rdata));
        Rdata.ToCanonical(TextTokens.Type(type), rdata);
        Assert.Equal(canonical, Convert.ToHexString(rdata));
    }

    [Theory]
    [InlineData("MX", "000A014100", "000A016100", true)]
    [InlineData("MX", "000A014100", "000B014100", false)]
    [InlineData("MX", "000A014100", "000A014200", false)]
    [InlineData("MX", "0041014100", "0061014100", false)]
    [InlineData("TXT", "0141", "0161", false)]
    [InlineData("TXT", "0141", "0141", true)]
    [InlineData("TXT", "0141", "01410142", false)]
    public void Rdata_is_equal_whatever_the_case_of_its_names(string type, string left, string right, bool isEqual)
    {
        RRType number = TextTokens.Type(type);
        byte[] one = Convert.FromHexString(left), other = Convert.FromHexString(right);
        Assert.Equal(isEqual, Rdata.AreEqual(number, one, other));
        Assert.Equal(isEqual, Rdata.HashOf(number, one) == Rdata.HashOf(number, other));
    }

    [Fact]
    public void Rdata_that_differs_in_letter_case_outside_of_names_has_a_hash_each()
    {
        HashSet<int> hashes = [];
        for (int i = 0; i < 4096; i++) hashes.Add(Rdata.HashOf(RRType.TXT, LetterCase.TextOf(i)));
        Assert.InRange(hashes.Count, 4090, 4096);
    }

    [Theory]
    [InlineData(new byte[0], new byte[] { 0 })]
    [InlineData(new byte[] { 1 }, new byte[] { 1, 0 })]
    [InlineData(new byte[] { 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
        new byte[] { 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 })]
    [InlineData(new byte[] { 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
        new byte[] { 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 })]
    public void Zeros_at_the_end_count_in_a_hash(byte[] one, byte[] other) =>
        Assert.NotEqual(NameHash.OfOctets(one), NameHash.OfOctets(other));

    [Fact]
    public void Every_octet_counts_in_a_hash()
    {
        byte[] octets = new byte[40];
        HashSet<ulong> hashes = [NameHash.OfOctets(octets)];
        for (int i = 0; i < octets.Length; i++)
        {
            octets[i] = 1;
            Assert.True(hashes.Add(NameHash.OfOctets(octets)), $"octet {i}");
            octets[i] = 0;
        }
    }

    [Fact]
    [Trait("RFC", "3597 4")]
    public void Only_types_of_rfc_1035_leave_compressed()
    {
        RRType[] compressible =
            [.. Enum.GetValues<RRType>().Where(type => Rdata.TryGetCompressibleNames(type, out _, out _))];
        Assert.Equal(
            [RRType.NS, RRType.MD, RRType.MF, RRType.CNAME, RRType.SOA, RRType.MB, RRType.MG, RRType.MR,
             RRType.PTR, RRType.MINFO, RRType.MX],
            compressible);
    }

    [Theory]
    [InlineData(RRType.NS, 0, 1)]
    [InlineData(RRType.SOA, 0, 2)]
    [InlineData(RRType.MX, 2, 1)]
    [InlineData(RRType.MINFO, 0, 2)]
    public void Compressible_names_are_placed(RRType type, int prefixOctets, int nameCount)
    {
        Assert.True(Rdata.TryGetCompressibleNames(type, out int prefix, out int names));
        Assert.Equal((prefixOctets, nameCount), (prefix, names));
    }

    [Theory]
    [InlineData("NS", "ns.example.", "ns.example.")]
    [InlineData("MX", "10 mx.example.", "mx.example.")]
    [InlineData("SRV", "1 2 3 srv.example.", "srv.example.")]
    [InlineData("SVCB", "1 svc.example. port=1", "svc.example.")]
    [InlineData("HTTPS", "0 svc.example.", "svc.example.")]
    [InlineData("NAPTR", "1 2 \"s\" \"\" \"\" naptr.example.", "naptr.example.")]
    [InlineData("DNAME", "d.example.", "d.example.")]
    [InlineData("AFSDB", "1 a.example.", "a.example.")]
    public void The_target_is_the_name_that_the_record_leads_to(string type, string text, string target)
    {
        byte[] rdata = TextTokens.Parse(TextTokens.Type(type), text);
        Assert.Equal(target, NameText.ToText(Rdata.TargetName(TextTokens.Type(type), rdata)));
    }

    [Theory]
    [InlineData("A", "192.0.2.1")]
    [InlineData("SOA", "a b 1 2 3 4 5")]
    [InlineData("NSEC", "a A")]
    [InlineData("RP", "a b")]
    public void Other_types_have_no_target(string type, string text) =>
        Assert.True(Rdata.TargetName(TextTokens.Type(type), TextTokens.Parse(TextTokens.Type(type), text)).IsEmpty);

    [Theory]
    [InlineData("A", "192.0.2.1")]
    [InlineData("AAAA", "2001:db8::1")]
    [InlineData("NS", "ns1")]
    [InlineData("MX", "10 mail")]
    [InlineData("TXT", "\"v=spf1 -all\"")]
    [InlineData("CNAME", "www")]
    [InlineData("RRSIG", "A 8 2 60 20240101000000 20240101000000 1 a. AQID")]
    [InlineData("NSEC3", "1 0 0 - 2T7B4G4VSA5SMI47K61MV5BV1A22BOJR A RRSIG")]
    public void Reading_text_allocates_nothing(string mnemonic, string text)
    {
        RRType type = TextTokens.Type(mnemonic);
        byte[] octets = Encoding.Latin1.GetBytes(text), origin = [.. DomainName.Parse("example.com").Octets];
        TextToken[] cut = TextTokens.Of(octets);
        Assert.Equal(0, AllocatedOctets.Least(() =>
        {
            TokenReader tokens = new(octets, cut, origin);
            Assert.True(Rdata.TryParse(type, ref tokens, Destination, out _, out _));
        }));
    }
}
