using System.Net;
using System.Text;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace Dns.Protocol.Tests;

public class AddressTextTests
{
    private static string FormatIpv6(ReadOnlySpan<byte> address)
    {
        Span<byte> text = stackalloc byte[Ipv6Text.MaxChars];
        return Encoding.ASCII.GetString(text[..Ipv6Text.Format(address, text)]);
    }

    [Theory]
    [InlineData("::", "::")]
    [InlineData("::1", "::1")]
    [InlineData("1::", "1::")]
    [InlineData("0:0:0:0:0:0:0:0", "::")]
    [InlineData("2001:0DB8::0001", "2001:db8::1")]
    [InlineData("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1")]
    [InlineData("1:0:2:3:4:5:6:7", "1:0:2:3:4:5:6:7")]
    [InlineData("0:0:1:0:0:0:0:1", "0:0:1::1")]
    [InlineData("1:2:3:4:5:6:0:0", "1:2:3:4:5:6::")]
    [InlineData("::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8")]
    [InlineData("::ffff:192.0.2.1", "::ffff:192.0.2.1")]
    [InlineData("::ffff:c000:0201", "::ffff:192.0.2.1")]
    [InlineData("64:ff9b::192.0.2.1", "64:ff9b::c000:201")]
    [InlineData("ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff")]
    [Trait("RFC", "5952 4")]
    public void An_ipv6_address_has_one_text(string text, string canonical)
    {
        byte[] address = new byte[16];
        Assert.True(Ipv6Text.TryParse(Encoding.ASCII.GetBytes(text), address));
        Assert.Equal(canonical, FormatIpv6(address));
    }

    [Theory]
    [InlineData("")]
    [InlineData(":")]
    [InlineData(":::")]
    [InlineData("1:")]
    [InlineData(":1")]
    [InlineData("1::2::3")]
    [InlineData("1:2:3:4:5:6:7")]
    [InlineData("1:2:3:4:5:6:7:8:9")]
    [InlineData("1:2:3:4:5:6:7:8::")]
    [InlineData("1:2:3:4:5:6:7:1.2.3.4")]
    [InlineData("12345::")]
    [InlineData("::g")]
    [InlineData("::1%eth0")]
    [InlineData("::1.2.3")]
    [InlineData("1.2.3.4")]
    [InlineData("::1.2.3.4:5")]
    public void What_is_no_ipv6_address_is_refused(string text) =>
        Assert.False(Ipv6Text.TryParse(Encoding.ASCII.GetBytes(text), new byte[16]));

    [Fact]
    public void The_platform_reads_what_is_written() =>
        Prop.ForAll(Gen.Choose(int.MinValue, int.MaxValue).ToArbitrary(), seed =>
        {
            Random random = new(seed);
            byte[] address = new byte[16];
            random.NextBytes(address);
            for (int i = 0; i < 16; i++) if (random.Next(3) > 0) address[i] = 0;
            string text = FormatIpv6(address);
            byte[] again = new byte[16];
            Assert.True(Ipv6Text.TryParse(Encoding.ASCII.GetBytes(text), again));
            Assert.Equal(address, again);
            Assert.Equal(address, IPAddress.Parse(text).GetAddressBytes());
        }).Check(Config.QuickThrowOnFailure.WithMaxTest(300));

    [Fact]
    public void Text_that_is_read_means_what_the_platform_says() =>
        Prop.ForAll(Gen.Choose(int.MinValue, int.MaxValue).ToArbitrary(), seed =>
        {
            Random random = new(seed);
            string text = string.Concat(Enumerable.Range(0, random.Next(1, 12)).Select(_ => "::1.0f:"[random.Next(7)]));
            byte[] address = new byte[16];
            if (Ipv6Text.TryParse(Encoding.ASCII.GetBytes(text), address))
                Assert.Equal(IPAddress.Parse(text).GetAddressBytes(), address);
            else
                Assert.False(
                    IPAddress.TryParse(text, out IPAddress? other) && other.GetAddressBytes().Length == 16, text);
        }).Check(Config.QuickThrowOnFailure.WithMaxTest(2000));
}
