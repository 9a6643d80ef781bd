using System.Text;
using Xunit;

namespace Dns.Protocol.Tests;

/// <summary>Valid RDATA that BIND 9.18 or Knot DNS rejects.</summary>
public class RdataPortabilityTests
{
    [Theory]
    [InlineData("WKS", "01020304 06", true)]
    [InlineData("WKS", "01020304 06 0001", true)]
    [InlineData("WKS", "01020304 06 0100", false)]
    [InlineData("WKS", "01020304 06 00", false)]
    [InlineData("KEY", "C600 03 0D", false)]
    [InlineData("KEY", "C600 03 0D 78", false)]
    [InlineData("KEY", "8600 03 0D 78", true)]
    [InlineData("KEY", "4600 03 0D 78", true)]
    [InlineData("A", "01020300", true)]
    [InlineData("KEY", "0100 03 FD 0161 00", true)]
    [InlineData("KEY", "0100 03 FD 01", false)]
    [InlineData("KEY", "0100 03 FD FE61 0162 000000", false)]
    [InlineData("DNSKEY", "0100 03 FD 01", false)]
    [InlineData("RKEY", "0000 03 FD 01", false)]
    [InlineData("DNSKEY", "0100 03 FE 01", true)]
    [InlineData("CDNSKEY", "0000 03 00 00", true)]
    [InlineData("IPSECKEY", "00 00 00", false)]
    [InlineData("IPSECKEY", "00 00 02 01", true)]
    [InlineData("IPSECKEY", "00 01 00 01020304", false)]
    [InlineData("IPSECKEY", "00 00 00 01", false)]
    [InlineData("RRSIG", "0001 0D 02 0000003C FFFFFFFF 00000001 0001 0161016200 78", true)]
    [InlineData("RRSIG", "0001 0D 01 0000003C FFFFFFFF 00000001 0001 0161016200 78", false)]
    [InlineData("RRSIG", "0000 0D 02 0000003C FFFFFFFF 00000001 0001 0161016200 78", false)]
    [InlineData("RRSIG", "0100 0D 02 0000003C FFFFFFFF 00000001 0001 0161016200 78", true)]
    [InlineData("SIG", "0001 0D 01 0000003C FFFFFFFF 00000001 0001 0161016200 78", true)]
    [InlineData("NSEC3", "01 00 0001 00 14 0000000000000000000000000000000000000000 000140", true)]
    [InlineData("NSEC3", "01 00 0001 02 0102 14 0000000000000000000000000000000000000000 000140", true)]
    [InlineData("NSEC3", "01 00 0001 00 01 41 000140", false)]
    [InlineData("NSEC3", "01 00 0001 00 15 000000000000000000000000000000000000000000 000140", false)]
    [InlineData("SIG", "0000 0D 02 0000003C FFFFFFFF 00000001 0001 0161016200 78", false)]
    public void Valid_rdata_that_others_reject_is_found(string type, string octets, bool isPortable)
    {
        byte[] rdata = Convert.FromHexString(octets.Replace(" ", ""));
        Assert.True(Rdata.IsValid(TextTokens.Type(type), rdata));
        Assert.Equal(isPortable, Rdata.FindPortabilityFault(TextTokens.Type(type), rdata) is null);
    }

    [Theory]
    [Trait("RFC", "9461 §5")]
    [InlineData("/dns-query{?dns}", true)]
    [InlineData("/%41%af{?dns}%2F", true)]
    [InlineData("/{?dns,x}", false)]
    [InlineData("/{?dns", false)]
    [InlineData("/{?dns}{", false)]
    [InlineData("/{?dns}}", false)]
    [InlineData("/{?dnsx}", false)]
    [InlineData("/{?dns}%4", false)]
    [InlineData("/{?dns}%4g", false)]
    [InlineData("/{?dns}%g4", false)]
    public void A_template_that_others_may_not_read_is_found(string path, bool isPortable)
    {
        byte[] template = Encoding.ASCII.GetBytes(path);
        byte[] rdata = [0, 1, 0, 0, 3, 0, 2, 1, 187, 0, 7, 0, (byte)template.Length, .. template];
        Assert.True(Rdata.IsValid(RRType.HTTPS, rdata));
        Assert.Equal(isPortable, Rdata.FindPortabilityFault(RRType.HTTPS, rdata) is null);
    }

    [Theory]
    [Trait("RFC", "3402 §3.2")]
    [InlineData("")]
    [InlineData("!^.*$!sip:info@example.com!")]
    [InlineData(@"!^(\+44[0-9]+)$!sip:\1@example.com!i")]
    [InlineData(@"/urn:cid:.+@([^\.]+\.)(.*)$/\2/i")]
    [InlineData(@"!(a)(b|c)+!\2\1!iii")]
    [InlineData(@"!a\!b!c\!d!")]
    [InlineData("!a!!")]
    [InlineData("!a{1}b{2,}c{3,255}!x!")]
    [InlineData("![]a-z][a-][^]][[:alpha:]_][[=a=]][[.a.]-z]!x!")]
    [InlineData(@"!(a)\1!x!")]
    [InlineData("!a{b}{,2}c{!x!")]
    [InlineData("!^a|b$|[+a-b]!x!")]
    [InlineData("abaca")]
    public void A_substitution_expression_is_portable(string regexp) => Assert.True(IsPortable(regexp));

    [Theory]
    [Trait("RFC", "3402 §3.2")]
    [InlineData("a")]
    [InlineData("!a")]
    [InlineData("!a!")]
    [InlineData("!a!b!c")]
    [InlineData("!a!b!i!")]
    [InlineData("!a!b!I")]
    [InlineData("!!b!")]
    [InlineData("1a1b1")]
    [InlineData("iaibi")]
    [InlineData(@"\a\b\")]
    [InlineData("\0a\0b\0")]
    [InlineData("!a\0!b!")]
    [InlineData("!a!b\0!")]
    [InlineData(@"!a!b\!")]
    [InlineData(@"!a\!b!")]
    [InlineData(@"!a!\1!")]
    [InlineData(@"!(a)!\2!")]
    [InlineData(@"!(a)!\0!")]
    [InlineData("!(a!b!")]
    [InlineData("!a)!b!")]
    [InlineData("!()!b!")]
    [InlineData("!a|!b!")]
    [InlineData("!|a!b!")]
    [InlineData("!(a|)!b!")]
    [InlineData("!*a!b!")]
    [InlineData("!a**!b!")]
    [InlineData("!a{2}{2}!b!")]
    [InlineData("!{1}!b!")]
    [InlineData("aba")]
    [InlineData("!^*!b!")]
    [InlineData("!a${2}!b!")]
    [InlineData("![a-b-c]!b!")]
    [InlineData("![a-b-]!b!")]
    [InlineData("!a{1!b!")]
    [InlineData("!a{2,1}!b!")]
    [InlineData("!a{256}!b!")]
    [InlineData("!a{1,256}!b!")]
    [InlineData("![a!b!")]
    [InlineData("![]!b!")]
    [InlineData("![z-a]!b!")]
    [InlineData("![[:letter:]]!b!")]
    [InlineData("![[:alpha:]-z]!b!")]
    [InlineData("![[:alpha!b!")]
    [InlineData("![[=ab=]]!b!")]
    [InlineData(@"!a\1!b!")]
    [InlineData("![z[-a]!x!")]
    [InlineData("![A-[@]!x!")]
    [InlineData("![.-[a-c]!x!")]
    public void What_is_no_substitution_expression_is_found(string regexp) => Assert.False(IsPortable(regexp));

    private static bool IsPortable(string regexp)
    {
        byte[] text = System.Text.Encoding.Latin1.GetBytes(regexp);
        byte[] rdata = [0, 1, 0, 1, 1, (byte)'u', 0, (byte)text.Length, .. text, 0];
        Assert.True(Rdata.IsValid(RRType.NAPTR, rdata));
        return Rdata.FindPortabilityFault(RRType.NAPTR, rdata) is null;
    }
}
