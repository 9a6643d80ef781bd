using System.Net;
using Dns.Testing;

namespace Dns.Replication.Tests;

/// <summary>How many transfers run at a time, and who may have them.</summary>
public sealed class TransferSlotsTests : ITransferObserver
{
    private readonly ZoneSlot _slot = ServedZones.SlotOf("z.test", "@ 60 SOA ns h 3 1 1 1 1\n@ 60 NS ns.other.\n");
    private readonly List<TransferRefusal> _refused = [];
    private readonly OutgoingTransfers _transfers;
    private PeerList _allowed = new([new PeerRule([IPNetwork.Parse("0.0.0.0/0")], null)]);

    public TransferSlotsTests() =>
        _transfers = new OutgoingTransfers(new VirtualClock(), _ => _allowed) { Observer = this, MaxConcurrent = 4 };

    [Fact]
    public void One_address_has_half_of_the_places()
    {
        using TransferSequence? one = Start("192.0.2.1"), two = Start("192.0.2.1");
        Assert.Null(Start("192.0.2.1"));
        using TransferSequence? three = Start("192.0.2.2");
        Assert.True(one is not null && two is not null && three is not null);
        Assert.Equal(3, _transfers.Running);
        Assert.Equal([TransferRefusal.Busy], _refused);
    }

    [Fact]
    public void A_network_of_64_bits_has_half_of_the_places()
    {
        _allowed = new([new PeerRule([IPNetwork.Parse("::/0")], null)]);
        using TransferSequence? one = Start("2001:db8::1"), two = Start("2001:db8::ffff:2");
        Assert.Null(Start("2001:db8::3"));
        using TransferSequence? three = Start("2001:db8:0:1::1");
        Assert.True(one is not null && two is not null && three is not null);
        one.Dispose();
        Assert.Null(Start("2001:db8::3"));
        three.Dispose();
        using TransferSequence? four = Start("2001:db8::3");
        Assert.NotNull(four);
    }

    [Fact]
    public void As_many_run_as_may_and_the_next_gets_a_place_that_was_given_back()
    {
        List<TransferSequence?> running = [Start("192.0.2.1"), Start("192.0.2.1"), Start("192.0.2.2"),
            Start("192.0.2.3")];
        Assert.Null(Start("192.0.2.4"));
        running[0]!.Dispose();
        running[0]!.Dispose();
        Assert.Equal(3, _transfers.Running);
        running[0] = Start("192.0.2.4");
        Assert.NotNull(running[0]);
        running.ForEach(sequence => sequence!.Dispose());
        Assert.Equal(0, _transfers.Running);
    }

    [Fact]
    public void Each_further_address_has_half_of_the_rest()
    {
        _transfers.MaxConcurrent = 16;
        foreach ((string client, int share) in (ReadOnlySpan<(string, int)>)[("192.0.2.1", 8), ("192.0.2.2", 4),
            ("192.0.2.3", 2), ("192.0.2.4", 1), ("192.0.2.5", 1)])
        {
            for (int i = 0; i < share; i++) Assert.NotNull(Start(client));
            Assert.Null(Start(client));
        }
        Assert.Equal(16, _transfers.Running);
    }

    [Theory]
    [InlineData(1, 1)]
    [InlineData(2, 1)]
    [InlineData(3, 1)]
    [InlineData(5, 2)]
    public void Every_address_can_have_one(int most, int expected)
    {
        _transfers.MaxConcurrent = most;
        for (int i = 0; i < expected; i++) Assert.NotNull(Start("192.0.2.1"));
        Assert.Null(Start("192.0.2.1"));
    }

    [Fact]
    public void A_transfer_that_the_connection_does_not_take_gives_its_place_back()
    {
        TransferReply reply = Ask("192.0.2.1");
        byte[] room = new byte[512];
        Assert.Equal("SERVFAIL", Reply.Read(room[..reply.Sequence!.Refuse(room, Rcode.ServFail)]).Header);
        reply.Sequence.Dispose();
        Assert.Equal(0, _transfers.Running);
        Assert.Equal([TransferRefusal.Busy], _refused);
        Assert.Equal(1L, _transfers.Counters.Refused(TransferRefusal.Busy));
    }

    [Fact]
    public void Who_gets_none_is_told_of_with_the_reason()
    {
        _allowed = PeerList.Empty;
        Assert.Equal(default, Ask("192.0.2.1"));
        _allowed = new([new PeerRule([IPNetwork.Parse("0.0.0.0/0")], null)]);
        _slot.Expire("too old");
        Assert.Equal(0, _transfers.Running);
        Assert.True(Ask("192.0.2.1").Octets > 0);
        Assert.Equal([TransferRefusal.NotAllowed, TransferRefusal.NoData], _refused);
    }

    [Fact]
    public void A_zone_that_another_server_still_serves_is_given_to_nobody()
    {
        _transfers.Handover.Withhold(_slot.Name);
        TransferReply reply = Ask("192.0.2.1");
        Assert.Null(reply.Sequence);
        Assert.True(reply.Octets > 0);
        Assert.Equal([TransferRefusal.TakingOver], _refused);
        _transfers.Handover.Admit(_slot.Name);
        using TransferSequence? sequence = Start("192.0.2.1");
        Assert.NotNull(sequence);
    }

    void ITransferObserver.OnEnded(in TransferSummary summary)
    {
    }

    void ITransferObserver.OnRefused(DomainName zone, in ClientAddress client, TransferRefusal reason) =>
        _refused.Add(reason);

    private TransferSequence? Start(string from) => Ask(from).Sequence;

    private TransferReply Ask(string from) =>
        _transfers.Ask(_slot, QueryMessage.For("z.test AXFR").ToOctets(), out _, from: from);
}
