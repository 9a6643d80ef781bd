using Dns.Testing;
using Xunit;

namespace Dns.Answering.Tests;

public class NegativeSoaTests
{
    /// <summary>
    /// Names of the SOA that share labels with the question or with each other are compressed as the encoder does it.
    /// </summary>
    [Theory]
    [InlineData("ns.x", "host.y", "none.x")]
    [InlineData("ns.x", "host.y", "none.y")]
    [InlineData("ns.x", "host.y", "ns.x")]
    [InlineData("ns.x", "host.y", "a.host.y")]
    [InlineData("ns.x", "host.y", "none")]
    [InlineData("ns.x", "host.x", "none")]
    [InlineData("ns.x", "host.x", "none.x")]
    [InlineData("ns", "ns", "none")]
    [InlineData("ns", "host.ns", "none")]
    [InlineData("@", "host", "none")]
    [InlineData("ns", "@", "none")]
    [InlineData("ns.other.test.", "host", "none")]
    public void A_pre_encoded_SOA_is_that_of_the_encoder(string primary, string mailbox, string question)
    {
        ZoneSlot slot =
            ServedZones.SlotOf("example.com", $"@ 300 SOA {primary} {mailbox} 1 2 3 4 5\n@ 300 NS ns.other.test.\n");
        ServedZones cached = new(new ResponderOptions(), slot),
            encoded = new(new ResponderOptions { UseCachedOctets = false }, slot);
        byte[] query = QueryMessage.For(question + ".example.com").ToOctets();
        Assert.Equal(Convert.ToHexString(encoded.Ask(query).Octets), Convert.ToHexString(cached.Ask(query).Octets));
        Assert.Single(cached.Ask(query).Authority);
    }
}
