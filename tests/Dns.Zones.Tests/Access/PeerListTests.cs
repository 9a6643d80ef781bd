using System.Net;
using Xunit;

namespace Dns.Zones.Tests;

/// <summary>Who is on a list of peers.</summary>
public sealed class PeerListTests
{
    private static readonly TsigKey Key = new(DomainName.Parse("k1."), TsigAlgorithm.HmacSha256, [1]);
    private static readonly TsigKey Other = new(DomainName.Parse("k2."), TsigAlgorithm.HmacSha256, [1]);

    [Fact]
    public void Nobody_is_on_an_empty_list() => Assert.False(Admits(PeerList.Empty, "127.0.0.1", Key));

    [Theory]
    [InlineData("192.0.2.7", true, true)]
    [InlineData("192.0.2.7", false, false)]
    [InlineData("192.0.3.7", true, false)]
    public void An_address_and_a_key_in_one_rule_must_both_hold(string address, bool hasKey, bool expected)
    {
        PeerList list = new([new PeerRule([IPNetwork.Parse("192.0.2.0/24")], Key.Name)]);
        Assert.Equal(expected, Admits(list, address, hasKey ? Key : null));
        Assert.False(Admits(list, address, Other));
    }

    [Fact]
    public void One_rule_is_enough()
    {
        PeerList list = new([new PeerRule([IPNetwork.Parse("2001:db8::/32")], null), new PeerRule(null, Key.Name)]);
        Assert.True(Admits(list, "2001:db8::1", null));
        Assert.True(Admits(list, "192.0.2.1", Key));
        Assert.False(Admits(list, "192.0.2.1", null));
        Assert.False(Admits(list, "192.0.2.1", Other));
    }

    [Fact]
    public void A_rule_that_everybody_fulfils_has_to_say_so() =>
        Assert.Throws<ArgumentException>(() => new PeerRule(null, null));

    private static bool Admits(PeerList list, string address, TsigKey? key)
    {
        ClientAddress client = ClientAddress.From(new IPEndPoint(IPAddress.Parse(address), 1));
        return list.Admits(ref client, key);
    }
}
