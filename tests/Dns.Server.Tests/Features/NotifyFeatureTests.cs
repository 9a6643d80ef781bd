using System.Net;
using Dns.Testing;
using Microsoft.Extensions.Logging.Abstractions;

namespace Dns.Server.Tests.Features;

/// <summary>Who is notified of a zone.</summary>
public sealed class NotifyFeatureTests
{
    private static readonly PeerAddress One = new(IPEndPoint.Parse("127.0.0.1:1")),
        Two = new(IPEndPoint.Parse("127.0.0.1:2"));

    [Fact]
    public void What_stands_in_a_zone_is_in_place_of_what_the_server_says()
    {
        VirtualClock clock = new();
        using NotifyFeature notifier = new(
            clock, new NotifyLog(NullLogger.Instance, clock), IExceptionSink.None,
            new ServerOptions { Notify = [One, Two] }, new Handover());
        Assert.Equal(2, notifier.Sender.Send(new ZoneSlot(DomainName.Parse("a.test"))));
        Assert.Equal(1, notifier.Sender
            .Send(new ZoneSlot(DomainName.Parse("b.test")) { Policy = new ZonePolicy { Notify = [One] } }));
        Assert.Equal(0,
            notifier.Sender.Send(new ZoneSlot(DomainName.Parse("c.test")) { Policy = new ZonePolicy { Notify = [] } }));
        Assert.Equal(0,
            notifier.Sender.Send(new ZoneSlot(DomainName.Parse("localhost")) { Precedence = ZonePrecedence.BuiltIn }));
        notifier.Use(new ServerOptions());
        Assert.Equal(0, notifier.Sender.Send(new ZoneSlot(DomainName.Parse("a.test"))));
    }
}
