using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace Dns.Protocol.Tests;

[Trait("RFC", "1035 4.1.4")]
public class CompressedNameTests
{
    private static readonly byte[] Header = new byte[MessageHeader.LengthOctets];

    private static string? Expand(string hex, int position, out int behind)
    {
        byte[] message = [.. Header, .. Convert.FromHexString(hex)], name = new byte[WireName.MaxOctets];
        behind = position;
        return WireName.TryExpand(message, ref behind, name, out int length)
            ? NameText.ToText(name.AsSpan(0, length)) : null;
    }

    [Fact]
    public void A_pointer_stands_for_the_rest_of_the_name()
    {
        Assert.Equal("b.a.", Expand("0161000162C00C", 15, out int behind));
        Assert.Equal(19, behind);
    }

    [Fact]
    public void A_pointer_may_lead_to_a_pointer() =>
        Assert.Equal("c.b.a.", Expand("0161000162C00C0163C00F", 19, out _));

    [Theory]
    [InlineData("C00E016100", 12)]
    [InlineData("C00C", 12)]
    [InlineData("0161C00C", 12)]
    [InlineData("0161000162C00F", 15)]
    [InlineData("016100C000", 15)]
    [InlineData("016100C00B", 15)]
    [InlineData("0161C00E0162C00C", 16)]
    [InlineData("C0", 12)]
    [InlineData("0161", 12)]
    [InlineData("016100416200", 15)]
    [InlineData("016100806200", 15)]
    public void A_pointer_that_does_not_lead_back_is_refused(string hex, int position)
    {
        Assert.Null(Expand(hex, position, out int behind));
        Assert.Equal(position, behind);
    }

    [Theory]
    [InlineData("C00C", 12, -1)]
    [InlineData("0161C00E", 12, -1)]
    [InlineData("0161C00F", 12, -1)]
    [InlineData("0161C00D", 12, 16)]
    [InlineData("016100C00C", 15, 17)]
    public void Skipping_refuses_a_pointer_to_itself_and_forward(string hex, int position, int behind)
    {
        byte[] message = [.. Header, .. Convert.FromHexString(hex)];
        int at = position;
        Assert.Equal(behind >= 0, WireName.TrySkip(message, ref at));
        Assert.Equal(behind >= 0 ? behind : position, at);
    }

    [Theory]
    [InlineData(WireName.MaxPointers, true)]
    [InlineData(WireName.MaxPointers + 1, false)]
    public void A_row_of_pointers_to_pointers_has_a_bound(int pointers, bool isName)
    {
        byte[] message = new byte[13 + pointers * 2];
        for (int i = 0; i < pointers; i++)
        {
            int target = i == 0 ? 12 : 11 + i * 2;
            message[13 + i * 2] = (byte)(0xC0 | target >> 8);
            message[14 + i * 2] = (byte)target;
        }
        int position = message.Length - 2;
        Assert.Equal(isName, WireName.TryExpand(message, ref position, new byte[WireName.MaxOctets], out _));
    }

    [Fact]
    public void A_name_that_grows_beyond_255_octets_by_pointers_is_refused()
    {
        byte[] label = [63, .. new byte[63]];
        byte[] first = [.. label, .. label, .. label, 0];
        byte[] message = [.. Header, .. first, 60, .. new byte[60], 0xC0, 12, 61, .. new byte[61], 0xC0, 12, 62,
            .. new byte[62], 0xC0, 12];
        byte[] name = new byte[WireName.MaxOctets];
        int position = Header.Length + first.Length;
        Assert.True(WireName.TryExpand(message, ref position, name, out int length));
        Assert.Equal(254, length);
        Assert.True(WireName.TryExpand(message, ref position, name, out length));
        Assert.Equal(255, length);
        Assert.False(WireName.TryExpand(message, ref position, name, out _));
    }

    [Fact]
    public void Octets_at_random_never_throw_and_never_give_a_bad_name() =>
        Prop.ForAll(Gen.Choose(int.MinValue, int.MaxValue).ToArbitrary(), seed =>
        {
            Random random = new(seed);
            byte[] message = new byte[random.Next(12, 80)], name = new byte[WireName.MaxOctets];
            for (int i = 12; i < message.Length; i++)
                message[i] = new byte[] { 0, 1, 2, 0xC0, 12, 13, 16, 0xFF }[random.Next(8)];
            for (int start = 12; start <= message.Length; start++)
            {
                int behind = start, skipped = start;
                bool expanded = WireName.TryExpand(message, ref behind, name, out int length);
                bool skips = WireName.TrySkip(message, ref skipped);
                if (!expanded) continue;
                Assert.True(WireName.IsValid(name.AsSpan(0, length)));
                Assert.True(skips);
                Assert.Equal(behind, skipped);
            }
        }).Check(Config.QuickThrowOnFailure.WithMaxTest(500));
}
