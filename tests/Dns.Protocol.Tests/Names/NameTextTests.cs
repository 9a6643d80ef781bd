using System.Text;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace Dns.Protocol.Tests;

public class NameTextTests
{
    private static NameTextError Parse(string text, string? origin, out string hex)
    {
        byte[] name = new byte[WireName.MaxOctets];
        ReadOnlySpan<byte> originOctets = origin is null ? default : DomainName.Parse(origin).Octets;
        NameTextError error = NameText.Parse(Encoding.Latin1.GetBytes(text), originOctets, name, out int length);
        hex = Convert.ToHexString(name, 0, length);
        return error;
    }

    [Theory]
    [InlineData(".", "00")]
    [InlineData("a.", "016100")]
    [InlineData("A.b.", "0141016200")]
    [InlineData("a", "0161016F00")]
    [InlineData("@", "016F00")]
    [InlineData(@"\@", "0140016F00")]
    [InlineData(@"a\.b.", "03612E6200")]
    [InlineData(@"\000\255\046.", "0300FF2E00")]
    [InlineData(@"a\.", "02612E016F00")]
    [InlineData("*.x.", "012A017800")]
    [InlineData("é.", "01E900")]
    public void Text_becomes_labels(string text, string expected)
    {
        Assert.Equal(NameTextError.None, Parse(text, "o", out string hex));
        Assert.Equal(expected, hex);
    }

    [Theory]
    [InlineData("", NameTextError.Empty)]
    [InlineData("..", NameTextError.EmptyLabel)]
    [InlineData(".a", NameTextError.EmptyLabel)]
    [InlineData("a..b", NameTextError.EmptyLabel)]
    [InlineData("a..", NameTextError.EmptyLabel)]
    [InlineData(@"a\", NameTextError.BadEscape)]
    [InlineData(@"a\25", NameTextError.BadEscape)]
    [InlineData(@"a\256.", NameTextError.BadEscape)]
    [InlineData(@"a\1x2.", NameTextError.BadEscape)]
    public void Text_that_is_no_name_is_refused(string text, NameTextError expected)
    {
        Assert.Equal(expected, Parse(text, "o", out string hex));
        Assert.Equal("", hex);
        Assert.NotEqual("", NameText.Describe(expected));
    }

    [Theory]
    [InlineData("a")]
    [InlineData("@")]
    public void A_relative_name_needs_an_origin(string text) =>
        Assert.Equal(NameTextError.NoOrigin, Parse(text, null, out _));

    [Fact]
    public void Limits_are_exact()
    {
        string label = new('a', 63);
        string three = $"{label}.{label}.{label}.";
        Assert.Equal(NameTextError.None, Parse(three + new string('b', 61) + ".", null, out _));
        Assert.Equal(NameTextError.NameTooLong, Parse(three + new string('b', 62) + ".", null, out _));
        Assert.Equal(NameTextError.LabelTooLong, Parse(label + "a.", null, out _));
        Assert.Equal(NameTextError.None, Parse(three + new string('b', 59), "o", out _));
        Assert.Equal(NameTextError.NameTooLong, Parse(three + new string('b', 60), "o", out _));
        Assert.Equal(NameTextError.None, Parse(string.Concat(Enumerable.Repeat("a.", 127)), null, out _));
        Assert.Equal(NameTextError.NameTooLong, Parse(string.Concat(Enumerable.Repeat("a.", 128)), null, out _));
    }

    [Theory]
    [InlineData(@"\097")]
    [InlineData(@"\a")]
    public void Limits_are_those_of_the_octets_that_escapes_stand_for(string escape)
    {
        string label = string.Concat(Enumerable.Repeat(escape, 63)), three = $"{label}.{label}.{label}.";
        Assert.Equal(NameTextError.None, Parse(label + ".", null, out _));
        Assert.Equal(NameTextError.LabelTooLong, Parse(label + escape + ".", null, out _));
        Assert.Equal(NameTextError.LabelTooLong, Parse(label + escape, "o", out _));
        string last = string.Concat(Enumerable.Repeat(escape, 61));
        Assert.Equal(NameTextError.None, Parse(three + last + ".", null, out _));
        Assert.Equal(NameTextError.NameTooLong, Parse(three + last + escape + ".", null, out _));
    }

    [Fact]
    public void Every_name_reads_back_from_its_text() =>
        Prop.ForAll(Gen.Choose(int.MinValue, int.MaxValue).ToArbitrary(), seed =>
        {
            byte[] name = new NameGenerator(seed).Next();
            string text = NameText.ToText(name);
            Assert.DoesNotContain(text, letter => letter is <= ' ' or > '~');
            Assert.Equal(NameTextError.None, Parse(text, null, out string hex));
            Assert.Equal(Convert.ToHexString(name), hex);
        }).Check(Config.QuickThrowOnFailure.WithMaxTest(500));

    [Fact]
    public void Text_at_random_never_throws_and_never_gives_a_bad_name() =>
        Prop.ForAll(Gen.Choose(int.MinValue, int.MaxValue).ToArbitrary(), seed =>
        {
            Random random = new(seed);
            string text =
                string.Concat(Enumerable.Range(0, random.Next(300)).Select(_ => @"aaaa.\025@"[random.Next(10)]));
            if (Parse(text, "o", out string hex) == NameTextError.None)
                Assert.True(WireName.IsValid(Convert.FromHexString(hex)));
        }).Check(Config.QuickThrowOnFailure.WithMaxTest(500));

    [Fact]
    public void A_name_without_its_final_dot_is_absolute_in_settings()
    {
        Assert.Equal("a.b.", DomainName.Parse("a.b").ToString());
        Assert.Equal(DomainName.Parse("A.B."), DomainName.Parse("a.b"));
        Assert.Equal(DomainName.Parse("A.B.").GetHashCode(), DomainName.Parse("a.b").GetHashCode());
        Assert.Throws<FormatException>(() => DomainName.Parse("a..b"));
        Assert.False(DomainName.TryParse("\u0100", out _));
        Assert.False(DomainName.TryParse(new string('a', 5000), out _));
    }
}
