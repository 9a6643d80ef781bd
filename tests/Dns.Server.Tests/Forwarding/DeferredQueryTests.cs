using System.Net;
using Dns.Testing;
using Xunit;
using TestZones = Dns.Testing.ServedZones;

namespace Dns.Server.Tests.Forwarding;

public sealed class DeferredQueryTests
{
    private readonly TestZones _served;

    public DeferredQueryTests()
    {
        ForwardZone zone = new(DomainName.Root, [IPEndPoint.Parse("192.0.2.53:53")]);
        Forwarder forwarder = new(new() { Zones = [zone], AllowFrom = [IPNetwork.Parse("127.0.0.0/8")] },
            new VirtualClock(), new SocketNetwork());
        _served = new(new ResponderOptions(), new ForwardedZones(forwarder));
    }

    [Theory]
    [InlineData(0x2A17, "wWw.eXample", true)]
    [InlineData(0x2A16, "wWw.eXample", false)]
    [InlineData(0x2A17, "www.example", false)]
    [InlineData(0x2A17, "wWw.eXample AAAA", false)]
    [InlineData(0x2A17, "wWw.eXample.com", false)]
    public void A_query_matches_its_own_id_and_question_in_its_letter_case(int id, string question, bool isExpected)
    {
        QueryMessage query =
            QueryMessage.For("wWw.eXample") with { Id = 0x2A17, Flags = MessageHeader.RecursionDesired };
        DeferredQuery deferred = CapturedQuery.Of(_served.Responder, query.WithEdns(), DnsTransport.Udp, 0);
        Assert.Equal(isExpected, deferred.Matches((ushort)id, QueryMessage.For(question).Question));
    }
}
