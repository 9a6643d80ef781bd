using Xunit;

namespace Dns.Protocol.Tests;

public class RdataRefusedTextTests
{
    // The type, the text, and the index of the token that is wrong: the number of tokens if one is missing.
    [Theory]
    [InlineData("A", "", 0)]
    [InlineData("A", "192.0.2", 0)]
    [InlineData("A", "192.0.2.256", 0)]
    [InlineData("A", "192.0.2.01", 0)]
    [InlineData("A", "192.0.2.1 x", 1)]
    [InlineData("A", "\"192.0.2.1\"", 0)]
    [InlineData("AAAA", "1::2::3", 0)]
    [InlineData("AAAA", "1:2:3:4:5:6:7:8:9", 0)]
    [InlineData("AAAA", "12345::", 0)]
    [InlineData("NS", "a..b", 0)]
    [InlineData("NS", "\"a\"", 0)]
    [InlineData("NS", @"a\256b", 0)]
    [InlineData("MX", "10", 1)]
    [InlineData("MX", "65536 a", 0)]
    [InlineData("MX", "-1 a", 0)]
    [InlineData("MX", "10 a b", 2)]
    [InlineData("SOA", "a b 1h 2 3 4 5", 2)]
    [InlineData("SOA", "a b 1 2 3 4", 6)]
    [InlineData("SOA", "a b 1 2 3 4 5x", 6)]
    [InlineData("TXT", "", 0)]
    [InlineData("TXT", @"ok \300", 1)]
    [InlineData("TXT", "ok a\"b\"", 1)]
    [InlineData("HINFO", "one", 1)]
    [InlineData("X25", "123", 0)]
    [InlineData("X25", "12a4", 0)]
    [InlineData("WKS", "192.0.2.1 nonsense", 1)]
    [InlineData("WKS", "192.0.2.1 tcp 65536", 2)]
    [InlineData("NSAP", "4700", 0)]
    [InlineData("NSAP", "0x470", 0)]
    [InlineData("LOC", "90 0 0.001 N 0 E 0", 3)]
    [InlineData("LOC", "1 60 N 0 E 0", 1)]
    [InlineData("LOC", "1 N 1 N 0", 3)]
    [InlineData("LOC", "1 N 1 E", 4)]
    [InlineData("LOC", "1 N 1 E 42849673", 4)]
    [InlineData("LOC", "1 N 1 E -100000.01", 4)]
    [InlineData("LOC", "1 N 1 E 0 90000000.01", 5)]
    [InlineData("LOC", "1 N 1 E 0 1m 1m 1m 1m", 8)]
    [InlineData("NXT", "a TYPE128", 1)]
    [InlineData("NXT", "a", 1)]
    [InlineData("NXT", "a 128", 1)]
    [InlineData("KEY", "ZONE|FOO 3 8 AQID", 0)]
    [InlineData("KEY", "ZONE| 3 8 AQID", 0)]
    [InlineData("KEY", "256 SMTP 8 AQID", 1)]
    [InlineData("ATMA", "+.", 0)]
    [InlineData("APL", "1:192.0.2.0/33", 0)]
    [InlineData("APL", "3:192.0.2.0/24", 0)]
    [InlineData("APL", "1:192.0.2.0", 0)]
    [InlineData("DS", "1 8 2 aabb", 3)]
    [InlineData("DS", "1 NOSUCH 2 aabb", 1)]
    [InlineData("DS", "1 8 9 aab", 4)]
    [InlineData("DS", "1 8 9", 3)]
    [InlineData("SSHFP", "1 1 aabb", 2)]
    [InlineData("IPSECKEY", "10 4 2 . AQID", 1)]
    [InlineData("IPSECKEY", "10 0 2 a. AQID", 3)]
    [InlineData("IPSECKEY", "10 0 2 .", 3)]
    [InlineData("AMTRELAY", "10 2 0 .", 1)]
    [InlineData("RRSIG", "A 8 2 60 20240230000000 20240101000000 1 a. AQID", 4)]
    [InlineData("RRSIG", "A 8 2 60 20240101240000 20240101000000 1 a. AQID", 4)]
    [InlineData("RRSIG", "A 8 2 60 19691231235959 20240101000000 1 a. AQID", 4)]
    [InlineData("NSEC", "a", 1)]
    [InlineData("NSEC", "a NOSUCH", 1)]
    [InlineData("DNSKEY", "256 3 8", 3)]
    [InlineData("DNSKEY", "256 3 8 AQI", 4)]
    [InlineData("DNSKEY", "256 3 8 AQJ=", 3)]
    [InlineData("DNSKEY", "256 3 8 AQ== AQ==", 4)]
    [InlineData("KEY", "256 3 8", 2)]
    [InlineData("DHCID", "AQI=", 0)]
    [InlineData("NSEC3", "1 0 0 abc 2T7B4G4VSA5SMI47K61MV5BV1A22BOJR", 3)]
    [InlineData("NSEC3", "1 0 0 - 2T7B4G4VSA5SMI47K61MV5BV1A22BOJ", 4)]
    [InlineData("NSEC3", "1 0 0 - WXYZ", 4)]
    [InlineData("HIP", "2 20 AQI rvs.", 2)]
    [InlineData("RKEY", "1 3 8 AQID", 3)]
    [InlineData("ZONEMD", "1 1 1 0123456789abcdef01234567", 3)]
    [InlineData("ZONEMD", "1 1 240 0123456789abcdef012345", 3)]
    [InlineData("NID", "10 1:2:3", 1)]
    [InlineData("NID", "10 1:2:3:12345", 1)]
    [InlineData("EUI48", "00-00-5e-00-53", 0)]
    [InlineData("EUI48", "00:00:5e:00:53:2a", 0)]
    [InlineData("EUI64", "00-00-5e-ef-10-00-00-2g", 0)]
    [InlineData("URI", "10 1 \"\"", 2)]
    [InlineData("CAA", "0 tag-x \"\"", 1)]
    [InlineData("CAA", "256 issue \"\"", 0)]
    [InlineData("CAA", "0 issue a b", 3)]
    [InlineData("IPN", "18446744073709551616", 0)]
    [InlineData("NULL", "0102", 0)]
    [InlineData("TYPE65280", "0102", 0)]
    [InlineData("TYPE65280", @"\# 2 010203", 3)]
    [InlineData("TYPE65280", @"\# 2 01", 3)]
    [InlineData("TYPE65280", @"\# 65536 01", 1)]
    [InlineData("TYPE65280", @"\#", 1)]
    [InlineData("A", @"\# 3 010203", 2)]
    [InlineData("NSEC", @"\# 5 0000020000", 2)]
    public void Text_is_refused_at_the_token_that_is_wrong(string type, string text, int tokenIndex)
    {
        Assert.Null(TextTokens.Parse(TextTokens.Type(type), text, out RdataTextError error));
        Assert.Equal(tokenIndex, error.TokenIndex);
        Assert.NotEmpty(error.Expected);
    }

    [Theory]
    [InlineData("OPT")]
    [InlineData("ANY")]
    [InlineData("TSIG")]
    [InlineData("AXFR")]
    [InlineData("NXNAME")]
    [InlineData("TYPE0")]
    public void A_meta_type_has_no_rdata_in_a_zone(string type)
    {
        Assert.Null(TextTokens.Parse(TextTokens.Type(type), @"\# 0", out RdataTextError error));
        Assert.Contains("a type of zone records", error.Expected);
    }

    [Fact]
    public void A_character_string_of_256_octets_is_refused()
    {
        Assert.NotNull(TextTokens.Parse(RRType.TXT, new string('a', 255), out _));
        Assert.Null(TextTokens.Parse(RRType.TXT, new string('a', 256), out _));
    }

    [Fact]
    public void Rdata_of_65536_octets_is_refused()
    {
        string strings = string.Concat(Enumerable.Repeat(new string('a', 255) + " ", 255));
        Assert.Equal(65535, TextTokens.Parse(RRType.TXT, strings + new string('a', 254)).Length);
        Assert.Null(TextTokens.Parse(RRType.TXT, strings + new string('a', 255), out _));
    }

    [Fact]
    public void A_relative_name_without_an_origin_is_refused()
    {
        TokenReader tokens = new("ns"u8, [new TextToken(0, 2, 1, 1, false)], default);
        Assert.False(Rdata.TryParse(RRType.NS, ref tokens, new byte[Rdata.MaxOctets], out int written, out _));
        Assert.Equal(0, written);
    }
}
