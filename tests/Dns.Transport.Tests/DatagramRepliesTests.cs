namespace Dns.Transport.Tests;

public sealed class DatagramRepliesTests
{
    [Theory]
    [InlineData(511, 1)]
    [InlineData(512, 1)]
    [InlineData(513, 0)]
    public void A_later_answer_longer_than_its_slot_is_not_sent_and_counts_as_failed(int octets, int sent)
    {
        Replies replies = new();
        replies.Expect();
        replies.Send(Path(replies), new byte[octets]);
        UdpCounters counters = replies.AddTo(default);
        Assert.Equal((sent, sent, 1 - sent), (replies.Tried, counters.Sent, counters.SendErrors));
    }

    [Fact]
    public void A_loop_is_over_with_the_last_answer_that_it_expects()
    {
        Replies replies = new();
        replies.Expect();
        replies.Expect();
        replies.NoMore();
        replies.Send(Path(replies), new byte[12]);
        Assert.False(replies.None.IsCompleted);
        replies.Abandon(Path(replies));
        Assert.True(replies.None.IsCompletedSuccessfully);
    }

    [Fact]
    public void Counters_of_two_addresses_are_added_up_one_by_one()
    {
        UdpCounters sum = new UdpCounters
        {
            Received = 1, Sent = 2, Unanswered = 3, ReceiveErrors = 4, SendErrors = 5, Faults = 6, KernelDrops = 7,
            Segmented = 8, SegmentationRefusals = 9, ReceiveBufferBytes = 10,
        } + new UdpCounters
        {
            Received = 100, Sent = 200, Unanswered = 300, ReceiveErrors = 400, SendErrors = 500, Faults = 600,
            KernelDrops = 700, Segmented = 800, SegmentationRefusals = 900, ReceiveBufferBytes = 4,
        };
        Assert.Equal(
            (101, 202, 303, 404, 505, 606, 707),
            (sum.Received, sum.Sent, sum.Unanswered, sum.ReceiveErrors, sum.SendErrors, sum.Faults, sum.KernelDrops));
        Assert.Equal((808, 909, 10), (sum.Segmented, sum.SegmentationRefusals, sum.ReceiveBufferBytes));
    }

    private static ReplyPath Path(Replies replies)
    {
        ClientAddress client = default;
        return new ReplyPath(replies, in client, roomOctets: 512, DnsTransport.Udp);
    }

    private sealed class Replies : DatagramReplies
    {
        public int Tried { get; private set; }

        protected override bool TrySend(in ReplyPath path, ReadOnlySpan<byte> answer)
        {
            Tried++;
            return true;
        }
    }
}
