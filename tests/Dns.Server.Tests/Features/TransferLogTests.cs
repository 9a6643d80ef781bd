using System.Net;
using Dns.Testing;
using Microsoft.Extensions.Logging;

namespace Dns.Server.Tests.Features;

/// <summary>What the log says of zones given away, of notifications and of updates that fail.</summary>
public sealed class TransferLogTests
{
    private static readonly DomainName Zone = DomainName.Parse("z.test");
    private static readonly ClientAddress Client = ClientAddress.From(IPEndPoint.Parse("192.0.2.7:53000"));
    private static readonly PeerAddress Peer = new(IPEndPoint.Parse("192.0.2.8:5353"), DomainName.Parse("k1."));

    private readonly VirtualClock _clock = new();
    private readonly LineLog<TransferLogTests> _lines = new();
    private readonly TransferLog _log;

    public TransferLogTests() => _log = new TransferLog(_lines, _clock);

    [Theory]
    [InlineData(TransferKind.Whole, TransferOutcome.Complete,
        "Information AXFR of z.test. to 192.0.2.7:53000 key:k1.: serial 7, 1,234 records in 1 message, 5,678 " +
            "octets, 1.50 s")]
    [InlineData(TransferKind.Changes, TransferOutcome.ClosedEarly,
        "Warning IXFR of z.test. to 192.0.2.7:53000 key:k1. ended early: serial 7, 1,234 records in 1 message, " +
            "5,678 octets, 1.50 s")]
    [InlineData(TransferKind.WholeForChanges, TransferOutcome.RecordTooLarge,
        "Error AXFR for IXFR of z.test. to 192.0.2.7:53000 key:k1. ended early: a.z.test. TXT exceeds a message; " +
            "serial 7")]
    public void Each_transfer_has_a_line(TransferKind kind, TransferOutcome outcome, string expected)
    {
        _log.OnEnded(new TransferSummary(
            Zone, Client, Peer.Key, kind, 7, outcome, 1234, 1, 5678, TimeSpan.FromSeconds(1.5), "a.z.test. TXT"));
        Assert.Equal([expected], _lines.Lines);
    }

    [Fact]
    public void Transfers_in_datagrams_have_a_line_in_ten_seconds_however_many_there_are()
    {
        TransferSummary summary = new(
            Zone, Client, null, TransferKind.Changes, 7, TransferOutcome.Complete, 6, 1, 500, TimeSpan.Zero, null)
                { IsDatagram = true };
        for (int i = 0; i < 1000; i++) _log.OnEnded(summary);
        Assert.Single(_lines.Lines);
        _clock.Advance(TimeSpan.FromSeconds(10));
        _log.OnEnded(summary);
        Assert.Contains("and 999 more since the line before", Assert.Single(_lines.Lines[1..]));
    }

    [Fact]
    public void Refusals_have_a_line_in_ten_seconds_however_many_come()
    {
        for (int i = 0; i < 1000; i++) _log.OnRefused(Zone, in Client, TransferRefusal.NotAllowed);
        Assert.Equal(["Warning No transfer of z.test. to 192.0.2.7:53000: AllowTransfer does not list it"],
            _lines.Lines);
        _clock.Advance(TimeSpan.FromSeconds(10));
        _log.OnRefused(Zone, in Client, TransferRefusal.Busy);
        Assert.Equal(
            "Warning No transfer of z.test. to 192.0.2.7:53000: as many transfers run as may, in all or to this " +
                "address, and 999 more since the line before",
            Assert.Single(_lines.Lines[1..]));
    }

    [Fact]
    public void A_transfer_during_a_takeover_is_told_with_what_follows()
    {
        _log.OnRefused(Zone, in Client, TransferRefusal.TakingOver);
        string line = Assert.Single(_lines.Lines);
        Assert.EndsWith("its serial is not reserved yet, as during a takeover: it is notified then", line);
    }

    [Fact]
    public void Updates_that_are_not_kept_have_a_line_in_ten_seconds_however_many_come()
    {
        UpdateLog log = new(_lines, _clock);
        for (int i = 0; i < 1000; i++) log.OnFailed(Zone, "no space left");
        Assert.Equal(["Error Updates of z.test. cannot be saved and are refused: no space left"], _lines.Lines);
        _clock.Advance(TimeSpan.FromSeconds(10));
        log.OnFailed(Zone, "no space left");
        Assert.EndsWith("no space left, and 999 more since the line before", Assert.Single(_lines.Lines[1..]));
    }

    [Fact]
    public void Defects_of_updates_have_a_line_in_ten_seconds_however_many_messages_meet_one()
    {
        UpdateLog log = new(_lines, _clock);
        for (int i = 0; i < 1000; i++) log.OnCrash(Zone, new InvalidOperationException());
        Assert.Equal(["Error Updating z.test. failed"], _lines.Lines);
        _clock.Advance(TimeSpan.FromSeconds(10));
        log.OnCrash(Zone, new InvalidOperationException());
        Assert.Equal("Error Updating z.test. failed, and 999 more since the line before",
            Assert.Single(_lines.Lines[1..]));
    }

    [Fact]
    public void What_servers_make_of_notifications_has_lines()
    {
        NotifyLog log = new(_lines, _clock);
        log.OnSilent(Peer, Zone, null);
        log.OnSilent(Peer, Zone, Rcode.NotAuth);
        log.OnAnswering(Peer);
        for (int i = 0; i < 9; i++) log.OnRefused(Peer, Zone, Rcode.Refused);
        for (int i = 0; i < 9; i++) log.OnKeyUnknown(Peer, Zone);
        Assert.Equal(
        [
            "Warning 192.0.2.8:5353 key:k1. does not answer notifications, the first of z.test.",
            "Warning 192.0.2.8:5353 key:k1. does not answer notifications, the first of z.test.: NOTAUTH came " +
                "without a good signature",
            "Information 192.0.2.8:5353 key:k1. answers notifications again",
            "Warning 192.0.2.8:5353 key:k1. answers the notification of z.test. with REFUSED",
            "Error 192.0.2.8:5353 key:k1. is not notified of z.test.: its key is unknown",
        ],
        _lines.Lines);
    }
}
