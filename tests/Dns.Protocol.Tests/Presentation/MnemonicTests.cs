using System.Text;
using Xunit;

namespace Dns.Protocol.Tests;

public class MnemonicTests
{
    private static byte[] Octets(string text) => Encoding.Latin1.GetBytes(text);

    public static TheoryData<RRType> Types => new(Enum.GetValues<RRType>());

    [Theory, MemberData(nameof(Types))]
    public void The_mnemonic_of_a_type_is_read_in_any_case(RRType type)
    {
        string mnemonic = RRTypeText.Format(type);
        Assert.True(RRTypeText.TryParse(Octets(mnemonic), out RRType upper));
        Assert.True(RRTypeText.TryParse(Octets(mnemonic.ToLowerInvariant()), out RRType lower));
        Assert.Equal((type, type), (upper, lower));
    }

    [Theory, MemberData(nameof(Types))]
    public void A_type_with_a_mnemonic_is_read_by_number_too(RRType type)
    {
        Assert.True(RRTypeText.TryParse(Octets($"type{(int)type}"), out RRType read));
        Assert.Equal(type, read);
    }

    [Fact]
    public void Every_number_is_written_so_that_it_reads_back()
    {
        Span<byte> text = stackalloc byte[RRTypeText.MaxChars];
        for (int number = 0; number <= ushort.MaxValue; number++)
        {
            int length = RRTypeText.Format((RRType)number, text);
            Assert.True(RRTypeText.TryParse(text[..length], out RRType type));
            Assert.Equal(number, (int)type);
        }
    }

    [Theory]
    [InlineData("")]
    [InlineData("AA")]
    [InlineData("NSAPPTR")]
    [InlineData("NSEC3PARAMS")]
    [InlineData("OPENPGPKEX")]
    [InlineData("TYPE")]
    [InlineData("TYPE65536")]
    [InlineData("TYPE-1")]
    [InlineData("TYPE1 ")]
    [InlineData("CLASS1")]
    [InlineData("*")]
    public void What_is_no_type_is_refused(string text) => Assert.False(RRTypeText.TryParse(Octets(text), out _));

    [Theory]
    [InlineData("in", RRClass.IN)]
    [InlineData("CH", RRClass.CH)]
    [InlineData("Hs", RRClass.HS)]
    [InlineData("class1", RRClass.IN)]
    [InlineData("CLASS65535", (RRClass)65535)]
    public void Classes_are_read_in_any_case_and_by_number(string text, RRClass expected)
    {
        Assert.True(RRClassText.TryParse(Octets(text), out RRClass @class));
        Assert.Equal(expected, @class);
    }

    [Theory]
    [InlineData("")]
    [InlineData("INN")]
    [InlineData("CLASS65536")]
    [InlineData("TYPE1")]
    public void What_is_no_class_is_refused(string text) => Assert.False(RRClassText.TryParse(Octets(text), out _));

    [Fact]
    public void A_class_without_a_mnemonic_is_written_by_number()
    {
        Span<byte> text = stackalloc byte[RRClassText.MaxChars];
        Assert.Equal("CLASS32", Encoding.ASCII.GetString(text[..RRClassText.Format((RRClass)32, text)]));
        Assert.Equal("IN", RRClassText.Format(RRClass.IN));
    }

    [Theory]
    [InlineData(0, "NOERROR")]
    [InlineData(3, "NXDOMAIN")]
    [InlineData(11, "DSOTYPENI")]
    [InlineData(12, "RCODE12")]
    [InlineData(16, "BADVERS")]
    [InlineData(23, "BADCOOKIE")]
    [InlineData(4095, "RCODE4095")]
    public void Response_codes_are_written_in_capitals(int rcode, string text) =>
        Assert.Equal(text, RcodeText.Format((Rcode)rcode));

    [Theory]
    [InlineData(0, "QUERY")]
    [InlineData(3, "OPCODE3")]
    [InlineData(6, "DSO")]
    [InlineData(255, "OPCODE255")]
    public void Operation_codes_are_written_in_capitals(int opcode, string text) =>
        Assert.Equal(text, OpcodeText.Format((Opcode)opcode));
}
