using System.Buffers;
using System.Text;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace Dns.Protocol.Tests;

public class Base64TextTests
{
    private static byte[]? Decode(params string[] tokens)
    {
        byte[] destination = new byte[1000];
        Base64Text.Decoder decoder = new(destination);
        foreach (string token in tokens)
            if (!decoder.TryAdd(Encoding.ASCII.GetBytes(token))) return null;
        return decoder.IsComplete ? destination[..decoder.Written] : null;
    }

    [Fact]
    public void The_platform_and_we_agree_however_the_text_is_broken() =>
        Prop.ForAll(Gen.Choose(int.MinValue, int.MaxValue).ToArbitrary(), seed =>
        {
            Random random = new(seed);
            byte[] octets = new byte[random.Next(600)];
            random.NextBytes(octets);
            ArrayBufferWriter<byte> output = new();
            PresentationWriter writer = new(output);
            Base64Text.Write(octets, ref writer);
            writer.Flush();
            string text = Encoding.ASCII.GetString(output.WrittenSpan);
            Assert.Equal(Convert.ToBase64String(octets), text);
            int cut = random.Next(text.Length + 1), second = random.Next(cut, text.Length + 1);
            Assert.Equal(octets, Decode(text[..cut], text[cut..second], text[second..]));
        }).Check(Config.QuickThrowOnFailure.WithMaxTest(300));

    [Theory]
    [InlineData("A")]
    [InlineData("AQ")]
    [InlineData("AQI")]
    [InlineData("AQ=")]
    [InlineData("A===")]
    [InlineData("====")]
    [InlineData("AQ=A")]
    [InlineData("AQ==AQ==")]
    [InlineData("AQIDAQ==AQID")]
    [InlineData("AR==")]
    [InlineData("AQJ=")]
    [InlineData("AQ-_")]
    [InlineData("AQ ID")]
    [InlineData("AQID\tAQIDAQID")]
    public void Text_that_is_not_strict_base64_is_refused(string text) => Assert.Null(Decode(text));
}
