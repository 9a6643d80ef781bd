namespace Dns.Management.Tests.Client;

/// <summary>Where a transfer ends that <c>dnsd query</c> prints.</summary>
public class TransferEndTests
{
    private static byte[] Message(string records, Rcode rcode = Rcode.NoError)
    {
        byte[] room = new byte[4096], rdata = new byte[22];
        MessageWriter writer = new(room, names: null);
        writer.WriteHeader(1, (ushort)(MessageHeader.QueryResponse | (int)rcode));
        foreach (string word in records.Split(' ', StringSplitOptions.RemoveEmptyEntries))
        {
            bool isSoa = byte.TryParse(word, out byte serial);
            rdata[5] = serial;
            writer.TryWrite(MessageSection.Answer, DomainName.Parse("z.test").Octets, isSoa ? RRType.SOA : RRType.TXT,
                RRClass.IN, 1, isSoa ? rdata : [1, 97]);
        }
        return room[..writer.Finish()];
    }

    /// <summary>Messages with the serials of SOA records and others, and the index of the last message.</summary>
    [Theory]
    [InlineData("5 x x 5", 0)]
    [InlineData("5 4 x x | 5 x 5", 1)]
    [InlineData("5 5", 0)]
    [InlineData("5 | x | x 5", 2)]
    [InlineData("5 x | x | 5", 2)]
    [InlineData("5 4 x 5 x 5", 0)]
    [InlineData("5 3 x 4 x | 4 x 5 x | 5", 2)]
    public void The_end_is_the_last_soa(string messages, int last)
    {
        TransferEnd end = new(isIncremental: true, fromSerial: 3);
        string[] parts = messages.Split('|');
        for (int i = 0; i < parts.Length; i++)
        {
            Assert.True(end.Take(Message(parts[i])));
            Assert.Equal(i == last, end.IsReached);
        }
    }

    [Theory]
    [InlineData(true, 5, true)]
    [InlineData(true, 6, true)]
    [InlineData(true, 4, false)]
    [InlineData(false, 5, false)]
    public void A_single_soa_that_is_not_newer_ends_differences(bool isIncremental, uint from, bool isEnd)
    {
        TransferEnd end = new(isIncremental, from);
        Assert.True(end.Take(Message("5")));
        Assert.Equal(isEnd, end.IsReached);
    }

    [Theory]
    [InlineData("x 5")]
    [InlineData("5 x 5 x")]
    public void Records_before_the_first_soa_or_behind_the_last_are_malformed(string records) =>
        Assert.False(new TransferEnd(false, 0).Take(Message(records)));

    [Fact]
    public void An_error_is_the_only_message()
    {
        TransferEnd end = new(false, 0);
        Assert.True(end.Take(Message("", Rcode.Refused)));
        Assert.True(end.IsReached);
    }
}
