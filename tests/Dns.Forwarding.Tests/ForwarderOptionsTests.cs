using System.Net;
using Dns.Testing;
using Xunit;

namespace Dns.Forwarding.Tests;

public class ForwarderOptionsTests
{
    [Theory]
    [InlineData("127.0.0.1:53")]
    [InlineData("[::1]:53")]
    [InlineData("10.0.0.1:53")]
    public async Task Without_a_word_on_clients_none_may_recurse(string address)
    {
        ForwarderOptions options =
            new() { Zones = [new ForwardZone(DomainName.Root, [IPEndPoint.Parse("192.0.2.1:53")])] };
        VirtualClock clock = new();
        await using Forwarder forwarder = new(options, clock, new ScriptedNetwork(clock));
        ClientAddress client = ClientAddress.From(IPEndPoint.Parse(address));
        Assert.False(forwarder.MayRecurse(ref client));
    }

    [Fact]
    public void A_cache_of_the_least_size_keeps_an_answer()
    {
        ForwarderRig rig = new(new() { Cache = new() { MaxBytes = CacheOptions.LeastBytes } });
        rig.Resolve("www.example");
        Assert.Equal(CacheState.Fresh, rig.Known("www.example", out _));
    }
}
