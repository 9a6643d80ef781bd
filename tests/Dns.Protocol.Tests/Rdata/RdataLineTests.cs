using System.Text;
using Xunit;

namespace Dns.Protocol.Tests;

public class RdataLineTests
{
    private static readonly DomainName Origin = DomainName.Parse("example.com");

    public static TheoryData<int> Rows => new(Enumerable.Range(0, RdataSamples.All.Count));

    [Theory, MemberData(nameof(Rows))]
    public void Text_becomes_octets_and_octets_text(int row)
    {
        RdataSamples.Sample sample = RdataSamples.All[row];
        RRType type = TextTokens.Type(sample.Type);
        byte[] octets = Convert.FromHexString(sample.Hex);
        Assert.Equal(octets, Rdata.Parse(type, sample.Text, Origin));
        Assert.Equal(sample.Canonical, Rdata.Format(type, octets));
    }

    [Theory, MemberData(nameof(Rows)), Trait("RFC", "3597 5")]
    public void The_generic_form_is_taken_for_every_type(int row)
    {
        RdataSamples.Sample sample = RdataSamples.All[row];
        Assert.Equal(sample.Hex, Convert
            .ToHexString(Rdata.Parse(TextTokens.Type(sample.Type), $@"\# {sample.Hex.Length / 2} {sample.Hex}")));
    }

    [Theory]
    [InlineData("C000020106", "192.0.2.1 6")]
    [InlineData("C00002010601", "192.0.2.1 6 7")]
    [InlineData("C0000201060100", "\\# 7 C0000201060100")]
    [InlineData("C00002010600", "\\# 6 C00002010600")]
    public void Octets_that_text_lacks_are_written_as_octets(string octets, string text)
    {
        Assert.Equal(text, Rdata.Format(RRType.WKS, Convert.FromHexString(octets)));
        Assert.Equal(octets, Convert.ToHexString(Rdata.Parse(RRType.WKS, text)));
    }

    [Theory]
    [InlineData("A", "", 1)]
    [InlineData("A", "   ", 4)]
    [InlineData("A", " 192.0.2.256", 2)]
    [InlineData("MX", "10", 3)]
    [InlineData("MX", "10 \t mail..example.", 6)]
    [InlineData("MX", "10 a. b", 7)]
    [InlineData("TXT", "one \"two", 5)]
    [InlineData("TXT", "one \"two\\\"", 5)]
    [InlineData("TXT", "one two ; three", 9)]
    [InlineData("TXT", "(one)", 1)]
    [InlineData("TXT", "one\ntwo", 4)]
    [InlineData("TXT", "one\rtwo", 4)]
    [InlineData("SVCB", "1 . key65400=\"a", 14)]
    [InlineData("TYPE65280", "\\# 2 01", 8)]
    [InlineData("TYPE65280", "0102", 1)]
    public void Errors_have_a_column(string type, string text, int column)
    {
        byte[] room = new byte[Rdata.MaxOctets];
        bool isGood = Rdata.TryParse(
            TextTokens.Type(type), Encoding.UTF8.GetBytes(text), default, room, out int written,
            out RdataSyntaxError error);
        Assert.False(isGood);
        Assert.Equal((0, column), (written, error.Column));
        FormatException thrown = Assert.Throws<FormatException>(() => Rdata.Parse(TextTokens.Type(type), text));
        Assert.EndsWith($"column {column}: expected {error.Expected}", thrown.Message);
    }

    [Theory]
    [InlineData("\"a b\" c", "\"a b\" \"c\"")]
    [InlineData("\"a;(b)\"", "\"a;(b)\"")]
    [InlineData("a\\;b\\ c", "\"a;b c\"")]
    [InlineData("\"\"\"\"", "\"\" \"\"")]
    public void Quotes_and_backslashes_hold_words_together(string text, string formatted) =>
        Assert.Equal(formatted, Rdata.Format(RRType.TXT, Rdata.Parse(RRType.TXT, text)));

    [Fact]
    public void As_many_words_as_octets_allow_are_read()
    {
        string text = string.Join(' ', Enumerable.Repeat("a", 32_767));
        Assert.Equal(65_534, Rdata.Parse(RRType.TXT, text).Length);
        Assert.Contains("65535", Assert.Throws<FormatException>(() => Rdata.Parse(RRType.TXT, text + " bb")).Message);
    }

    [Fact]
    public void Any_text_is_read_or_refused_within_the_line()
    {
        Random random = new(11);
        byte[] room = new byte[Rdata.MaxOctets];
        for (int round = 0; round < 20_000; round++)
        {
            byte[] text = new byte[random.Next(40)];
            for (int i = 0; i < text.Length; i++) text[i] = " \t\"\\#(;)\n\01aF.=-"u8[random.Next(16)];
            RRType type = random.Next(3) switch { 0 => RRType.TXT, 1 => RRType.SVCB, _ => (RRType)65280 };
            if (Rdata.TryParse(type, text, Origin.Octets, room, out int written, out RdataSyntaxError error))
                Assert.True(Rdata.IsValid(type, room.AsSpan(0, written)));
            else
                Assert.InRange(error.Column, 1, text.Length + 1);
        }
    }
}
