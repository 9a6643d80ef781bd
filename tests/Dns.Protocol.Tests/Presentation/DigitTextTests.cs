using System.Numerics;
using System.Text;
using Xunit;

namespace Dns.Protocol.Tests;

/// <summary>Numbers and octets as digits, compared with their plain definitions.</summary>
public class DigitTextTests
{
    private const string Characters = "0123456789abcdefABCDEFgG+-. ,x\0/:@`~é";

    [Theory]
    [InlineData("0", 0, true)]
    [InlineData("00000000000000000000000000000007", 7, true)]
    [InlineData("18446744073709551615", ulong.MaxValue, true)]
    [InlineData("18446744073709551616", ulong.MaxValue, false)]
    [InlineData("256", 255, false)]
    [InlineData("255", 255, true)]
    [InlineData("", 9, false)]
    [InlineData("+1", 9, false)]
    [InlineData("-0", 9, false)]
    [InlineData(" 1", 9, false)]
    [InlineData("1 ", 9, false)]
    [InlineData("1.0", 9, false)]
    [InlineData("1,000", 9999, false)]
    [InlineData("1e1", 99, false)]
    [InlineData("1\0", 9, false)]
    [InlineData("0x1", 9, false)]
    public void A_number_is_digits_alone_and_at_most_the_limit(string text, ulong max, bool isNumber)
    {
        Assert.Equal(isNumber, NumberText.TryParse(Encoding.UTF8.GetBytes(text), max, out ulong value));
        if (isNumber) Assert.Equal(ulong.Parse(text), value);
    }

    [Fact]
    public void Random_text_is_a_number_or_hexadecimal_as_their_definitions_say()
    {
        Random random = new(7);
        for (int i = 0; i < 200_000; i++)
        {
            int kinds = random.Next(3) switch { 0 => 10, 1 => 22, _ => Characters.Length };
            string text = new([.. Enumerable.Range(0, random.Next(24)).Select(_ => Characters[random.Next(kinds)])]);
            byte[] octets = Encoding.UTF8.GetBytes(text);
            ulong max = random.Next(2) == 0 ? ulong.MaxValue : (ulong)random.NextInt64();
            bool isNumber = text.Length > 0 && text.All(char.IsAsciiDigit) && BigInteger.Parse(text) <= max;
            Assert.Equal(isNumber, NumberText.TryParse(octets, max, out ulong value));
            if (isNumber) Assert.Equal(BigInteger.Parse(text), value);
            bool isHex = text.Length % 2 == 0 && text.All(char.IsAsciiHexDigit);
            byte[] room = new byte[octets.Length / 2];
            Assert.Equal(isHex, HexText.TryParse(octets, room));
            if (isHex) Assert.Equal(text.ToUpperInvariant(), string.Concat(room.Select(octet => octet.ToString("X2"))));
        }
    }
}
