using Xunit;

namespace Dns.Protocol.Tests;

public class DnsTransportTests
{
    [Theory]
    [InlineData(TransportKind.Udp, "udp", false, false, false)]
    [InlineData(TransportKind.Tcp, "tcp", true, false, true)]
    [InlineData(TransportKind.Tls, "tls", true, true, true)]
    [InlineData(TransportKind.Https, "https", true, true, false)]
    [InlineData(TransportKind.Quic, "quic", true, true, false)]
    public void A_transport_has_the_properties_of_its_kind(
        TransportKind kind, string name, bool isReliable, bool mayPad, bool hasKeepalive)
    {
        DnsTransport transport = new(kind);
        Assert.Equal(
            (name, isReliable, mayPad, mayPad, hasKeepalive),
            (transport.ToString(), transport.IsReliable, transport.IsEncrypted, transport.MayPad,
                transport.HasKeepalive));
    }

    [Fact]
    public void Every_kind_is_listed_in_its_order() =>
        Assert.Equal(Enum.GetValues<TransportKind>(), DnsTransport.All.ToArray().Select(transport => transport.Kind));

    [Fact]
    public void The_default_value_is_a_datagram() => Assert.Equal(DnsTransport.Udp, default);
}
