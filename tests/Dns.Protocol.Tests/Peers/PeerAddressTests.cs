using System.Net;
using Xunit;

namespace Dns.Protocol.Tests;

public class PeerAddressTests
{
    private static readonly PeerScheme[] Schemes =
    [
        PeerScheme.Plain, new("tls", 853, HasDatagrams: false, HasName: true),
        new("https", 443, HasDatagrams: false, HasPath: true),
    ];

    [Theory]
    [InlineData("192.0.2.1:5353", "192.0.2.1:5353", "plain", null, "")]
    [InlineData("plain://192.0.2.1:5353", "192.0.2.1:5353", "plain", null, "")]
    [InlineData("TLS://192.0.2.1:853#dns.example", "tls://192.0.2.1:853#dns.example", "tls", "dns.example", "")]
    [InlineData("https://[2001:db8::1]:443/dns-query", "https://[2001:db8::1]:443/dns-query", "https", null,
        "/dns-query")]
    public void A_server_has_a_scheme_and_what_the_scheme_has(
        string text, string written, string scheme, string? name, string path)
    {
        PeerAddress peer = PeerAddress.Parse(text, schemes: Schemes)!;
        Assert.Equal((written, scheme, name, path), (peer.ToString(), peer.Scheme.Word, peer.Name, peer.Path));
        Assert.Equal(peer, PeerAddress.Parse(peer.ToString(), schemes: Schemes));
    }

    [Theory]
    [InlineData("quic://192.0.2.1")]
    [InlineData("plain://192.0.2.1#dns.example")]
    [InlineData("tls://192.0.2.1/dns-query")]
    [InlineData("://192.0.2.1")]
    [InlineData("dns.example")]
    [InlineData("")]
    public void What_is_no_server_or_has_what_its_scheme_lacks_is_refused(string text) =>
        Assert.Null(PeerAddress.Parse(text, schemes: Schemes));

    [Fact]
    public void Without_a_port_it_has_that_of_its_scheme()
    {
        PeerAddress peer = PeerAddress.Parse("tls://192.0.2.1", Read, Schemes)!;
        Assert.Equal(IPEndPoint.Parse("192.0.2.1:853"), peer.EndPoint);

        static IPEndPoint Read(string address, int port) => new(IPAddress.Parse(address), port);
    }

    [Fact]
    public void An_address_alone_is_a_plain_server() =>
        Assert.Equal(new PeerAddress(IPEndPoint.Parse("192.0.2.1:53")), (PeerAddress)IPEndPoint.Parse("192.0.2.1:53"));
}
