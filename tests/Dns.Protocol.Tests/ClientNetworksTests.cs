using System.Net;
using Xunit;

namespace Dns.Protocol.Tests;

public class ClientNetworksTests
{
    [Theory]
    [InlineData("198.51.100.0/24", "198.51.100.255", true)]
    [InlineData("198.51.100.0/24", "198.51.101.1", false)]
    [InlineData("198.51.100.7/32", "198.51.100.7", true)]
    [InlineData("198.51.100.7/32", "198.51.100.6", false)]
    [InlineData("0.0.0.0/0", "198.51.100.1", true)]
    [InlineData("0.0.0.0/0", "2001:db8::1", false)]
    [InlineData("2001:db8::/32", "2001:db8:ffff::1", true)]
    [InlineData("2001:db8::/32", "2001:db9::1", false)]
    [InlineData("2001:db8::/32", "198.51.100.1", false)]
    [InlineData("2001:db8::1/128", "2001:db8::1", true)]
    [InlineData("::/0", "2001:db8::1", true)]
    [InlineData("::/0", "198.51.100.1", false)]
    [InlineData("::ffff:198.51.100.0/120", "198.51.100.1", true)]
    [InlineData("::ffff:198.51.100.0/120", "198.51.101.1", false)]
    public void Clients_are_let_in_by_the_prefix_of_their_address(string network, string address, bool isIn) =>
        Assert.Equal(isIn, Contains([network], address));

    [Fact]
    public void One_of_several_networks_is_enough_and_none_holds_nobody()
    {
        Assert.True(Contains(["198.51.100.0/24", "192.0.2.0/24", "2001:db8::/32"], "2001:db8::1"));
        Assert.True(Contains(["198.51.100.0/24", "192.0.2.0/24", "2001:db8::/32"], "192.0.2.1"));
        Assert.False(Contains([], "192.0.2.1"));
    }

    private static bool Contains(string[] networks, string address)
    {
        ClientAddress client = ClientAddress.From(new IPEndPoint(IPAddress.Parse(address), 53000));
        return new ClientNetworks([.. networks.Select(IPNetwork.Parse)]).Contains(ref client);
    }
}
