using Xunit;

namespace Dns.Protocol.Tests;

/// <summary>The last value that a rule allows, and the first that it does not.</summary>
public class RdataLimitTests
{
    // "xx*n" in the octets stands for n times xx.
    private static byte[] Octets(string hex) => Convert.FromHexString(string.Concat(hex.Split(' ').Select(part =>
        part.Split('*') is [string octets, string times]
            ? string.Concat(Enumerable.Repeat(octets, int.Parse(times))) : part)));

    [Theory]
    [InlineData("LOC", "00 19 16 13 80000000 80000000 00989680", "00 1A 16 13 80000000 80000000 00989680")]
    [InlineData("LOC", "00 12 16 93 80000000 80000000 00989680", "00 12 16 A3 80000000 80000000 00989680")]
    [InlineData("LOC", "00 00 16 13 80000000 80000000 00989680", "00 01 16 13 80000000 80000000 00989680")]
    [InlineData("NSEC", "00 00 20 00*31 01", "00 00 21 00*32 01")]
    [InlineData("NSEC", "00 00 01 40 01 01 40", "00 01 01 40 01 01 40")]
    [InlineData("NXT", "00 40 00*14 01", "00 40 00*15 01")]
    [InlineData("WKS", "C0000201 06 00*8191 01", "C0000201 06 00*8192 01")]
    [InlineData("A6", "80 016100", "81 016100")]
    [InlineData("A6", "01 7F 00*15 016100", "01 80 00*15 016100")]
    [InlineData("HIP", "01 02 0001 AA BB", "01 02 0000 AA")]
    [InlineData("HIP", "01 02 0001 AA BB", "00 02 0001 BB")]
    [InlineData("IPSECKEY", "0A 01 00 C0000201", "0A 01 00 C00002")]
    [InlineData("IPSECKEY", "0A 02 00 20*16", "0A 02 00 20*15")]
    [InlineData("AMTRELAY", "0A 81 C0000201", "0A 81 C00002")]
    [InlineData("AMTRELAY", "0A 03 016100", "0A 04 016100")]
    [InlineData("APL", "0001 20 01 01", "0001 21 01 01")]
    [InlineData("APL", "0002 80 01 01", "0002 81 01 01")]
    [InlineData("APL", "0001 20 04 01010101", "0001 20 05 0101010101")]
    [InlineData("APL", "0001 10 02 0001", "0001 10 02 0100")]
    [InlineData("X25", "04 31323334", "03 313233")]
    [InlineData("TXT", "FF 61*255", "FF 61*254")]
    [InlineData("SVCB", "0001 00 0003 0002 0050 0004 0004 C0000201", "0001 00 0003 0002 0050 0003 0002 0051")]
    [InlineData("SVCB", "0001 00 0001 0002 0161", "0001 00 0001 0003 0161 00")]
    [InlineData("SVCB", "0001 00 0009 0004 001D 0017", "0001 00 0009 0004 001D 001D")]
    [InlineData("SVCB", "0001 00 0009 0004 001D 0018", "0001 00 0009 0003 001D 00")]
    [InlineData("DS", "0001 08 04 AA*48", "0001 08 04 AA*49")]
    [InlineData("DS", "0001 08 04 AA*48", "0001 08 04 AA*47")]
    [InlineData("DS", "0001 08 01 AA*20", "0001 08 01 AA*21")]
    [InlineData("DS", "0001 08 06 AA*32", "0001 08 06 AA*33")]
    [InlineData("SSHFP", "01 02 AA*32", "01 02 AA*31")]
    [InlineData("SSHFP", "01 02 AA*32", "01 02 AA*33")]
    [InlineData("SSHFP", "01 01 AA*20", "01 01 AA*19")]
    [InlineData("ZONEMD", "00000001 01 F0 AA*12", "00000001 01 F0 AA*11")]
    [InlineData("DHCID", "000201", "0002")]
    public void Wire_form_is_valid_to_its_limit(string type, string within, string beyond)
    {
        Assert.True(Rdata.IsValid(TextTokens.Type(type), Octets(within)));
        Assert.False(Rdata.IsValid(TextTokens.Type(type), Octets(beyond)));
    }

    [Theory]
    [InlineData("RRSIG", "A 8 2 60 20240101235959 20240101000000 1 a. AQID",
        "A 8 2 60 20240101235960 20240101000000 1 a. AQID", 4)]
    [InlineData("RRSIG", "A 8 2 60 20240101235959 20240101000000 1 a. AQID",
        "A 8 2 60 20240101236059 20240101000000 1 a. AQID", 4)]
    [InlineData("RRSIG", "A 8 2 60 19700101000000 20240101000000 1 a. AQID",
        "A 8 2 60 19691231235959 20240101000000 1 a. AQID", 4)]
    [InlineData("NSEC3", "1 0 0 - 00000000", "1 0 0 - 000000000", 4)]
    [InlineData("NSEC3", "1 0 0 - VO", "1 0 0 - W0", 4)]
    [InlineData("NSEC3", "1 0 0 - 04", "1 0 0 - 05", 4)]
    [InlineData("LOC", "1 2 3.5 N 0 E 0", "1 2 3. N 0 E 0", 2)]
    [InlineData("LOC", "1 2 3.999 N 0 E 0", "1 2 3.9999 N 0 E 0", 2)]
    [InlineData("LOC", "90 N 180 E 0", "90 N 181 E 0", 2)]
    [InlineData("LOC", "1 N 1 E 42849672.95", "1 N 1 E 42849672.96", 4)]
    [InlineData("LOC", "1 N 1 E -100000", "1 N 1 E -100000.01", 4)]
    [InlineData("NXT", "a 127", "a 128", 1)]
    [InlineData("WKS", "192.0.2.1 255 1", "192.0.2.1 256 1", 1)]
    [InlineData("A6", "128 a.", "129 a.", 0)]
    [InlineData("IPSECKEY", "10 3 0 a.", "10 4 0 a.", 1)]
    [InlineData("TYPE65280", @"\# 2 0102", @"\# 1 0102", 3)]
    public void Text_is_read_to_its_limit(string type, string within, string beyond, int tokenIndex)
    {
        Assert.NotNull(TextTokens.Parse(TextTokens.Type(type), within, out _));
        Assert.Null(TextTokens.Parse(TextTokens.Type(type), beyond, out RdataTextError error));
        Assert.Equal(tokenIndex, error.TokenIndex);
    }

    [Theory, Trait("RFC", "4034 3.1.5")]
    [InlineData("21060207062815", 4294967295L)]
    [InlineData("21060207062816", 0L)]
    [InlineData("99991231235959", 253402300799 % (1L << 32))]
    public void A_time_after_32_bits_of_seconds_loses_its_higher_bits(string time, long expected) =>
        Assert.Equal((uint)expected, System.Buffers.Binary.BinaryPrimitives.ReadUInt32BigEndian(
            TextTokens.Parse(RRType.RRSIG, $"A 8 2 60 {time} 20240101000000 1 a. AQID", out _).AsSpan(8)));

    [Fact]
    public void A_character_string_of_escapes_holds_255_octets()
    {
        string escapes = string.Concat(Enumerable.Repeat(@"\097", 255));
        Assert.Equal(256, TextTokens.Parse(RRType.TXT, escapes, out _)!.Length);
        Assert.Null(TextTokens.Parse(RRType.TXT, escapes + @"\097", out _));
    }

    [Theory]
    [InlineData("c")]
    [InlineData(" \"\"")]
    [InlineData(" d")]
    public void Valid_strings_that_exceed_the_record_are_said_to_be_too_long(string more)
    {
        string strings = string.Join(' ', Enumerable.Repeat(new string('a', 255), 255)) + ' ' + new string('b', 254);
        Assert.Equal(65_535, TextTokens.Parse(RRType.TXT, strings, out _)!.Length);
        Assert.Null(TextTokens.Parse(RRType.TXT, strings + more, out RdataTextError error));
        Assert.Equal("no more than 65535 octets of RDATA", error.Expected);
        Assert.Null(TextTokens.Parse(RRType.TXT, strings + @"\256", out error));
        Assert.StartsWith("a character-string", error.Expected);
    }

    [Fact]
    public void A_protocol_name_of_SVCB_holds_255_octets()
    {
        string name = new('a', 255);
        Assert.NotNull(TextTokens.Parse(RRType.SVCB, $"1 . alpn={name},h2", out _));
        Assert.Null(TextTokens.Parse(RRType.SVCB, $"1 . alpn={name}a,h2", out _));
    }

    /// <summary>
    /// The octets behind the first would be three protocol names, were the length of 257 written as 1.
    /// </summary>
    [Fact]
    public void A_protocol_name_of_SVCB_of_257_octets_does_not_become_several()
    {
        string name = "a" + "z" + new string('x', 122) + "J" + new string('x', 74) + "9" + new string('x', 57);
        Assert.Equal(257, name.Length);
        Assert.Null(TextTokens.Parse(RRType.SVCB, $"1 . alpn={name}", out _));
    }

    [Theory]
    [InlineData("1F7F20", @"""\031\127 """)]
    [InlineData("7E225C", @"""~\""\\""")]
    public void Octets_outside_printable_ASCII_are_written_as_numbers(string octets, string text)
    {
        byte[] rdata = [(byte)(octets.Length / 2), .. Convert.FromHexString(octets)];
        Assert.Equal(text, TextTokens.Format(RRType.TXT, rdata));
    }

    [Theory]
    [InlineData(0, true)]
    [InlineData(1, false)]
    [InlineData(41, true)]
    [InlineData(127, false)]
    [InlineData(128, true)]
    [InlineData(255, true)]
    [InlineData(256, false)]
    [Trait("RFC", "6895 3.1")]
    public void Meta_types_are_0_and_41_and_128_to_255(int type, bool isMeta) =>
        Assert.Equal(isMeta, Rdata.IsMeta((RRType)type));
}
