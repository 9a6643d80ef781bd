using Xunit;

namespace Dns.Protocol.Tests;

public class TruncatedReplyTests
{
    private const string Question = "0161" + "00" + "0001" + "0001";
    private const string Address = "C00C" + "0001" + "0001" + "0000003C" + "0004" + "C0000201";
    private const string Opt = "00" + "0029" + "04D0" + "00008000";

    [Theory]
    [InlineData("12348580" + "0001" + "0002" + "0000" + "0000" + Question + Address + Address,
        "12348780" + "0001" + "0000" + "0000" + "0000" + Question)]
    [InlineData("12348580" + "0001" + "0001" + "0000" + "0001" + Question + Address + Opt + "0000",
        "12348780" + "0001" + "0000" + "0000" + "0001" + Question + Opt + "0000")]
    [InlineData(
        "12348580" + "0001" + "0000" + "0001" + "0001" + Question + Address + Opt + "0006" + "000A0002" + "FFFF",
        "12348780" + "0001" + "0000" + "0000" + "0001" + Question + Opt + "0000")]
    [InlineData("12348583" + "0001" + "0000" + "0000" + "0000" + Question,
        "12348783" + "0001" + "0000" + "0000" + "0000" + Question)]
    public void Header_question_and_OPT_stay(string reply, string expected)
    {
        byte[] octets = Convert.FromHexString(reply), elsewhere = new byte[TruncatedReply.MaxOctets];
        Assert.Equal(expected, Convert.ToHexString(elsewhere[..TruncatedReply.Write(octets, elsewhere)]));
        Assert.Equal(expected, Convert.ToHexString(octets[..TruncatedReply.Write(octets, octets)]));
    }

    [Theory]
    [InlineData("")]
    [InlineData("123485800001000000000000")]
    [InlineData("123485800000000000000000")]
    [InlineData("123485800002000000000000" + Question + Question)]
    [InlineData("123485800001000000000000" + "016100" + "0001" + "00")]
    [InlineData("123485800001000100000000" + Question + "C00C" + "0001" + "0001" + "0000003C" + "0005" + "C0000201")]
    [InlineData("123485800001000100000000" + Question + "C00C" + "0001")]
    [InlineData("123485800001FFFFFFFFFFFF" + Question)]
    public void What_cannot_be_read_is_not_shortened(string reply)
    {
        byte[] octets = Convert.FromHexString(reply);
        Assert.Equal(0, TruncatedReply.Write(octets, new byte[TruncatedReply.MaxOctets]));
    }

    [Fact]
    public void Every_start_of_a_reply_is_read_within_its_bounds()
    {
        byte[] octets =
            Convert.FromHexString("12348580" + "0001" + "0001" + "0000" + "0001" + Question + Address + Opt + "0000");
        for (int length = 0; length < octets.Length; length++)
            Assert.Equal(0,
                TruncatedReply.Write(octets.AsSpan(0, length).ToArray(), new byte[TruncatedReply.MaxOctets]));
    }
}
