using System.Net;
using Dns.Forwarding.Acceptance;
using Dns.Import;
using Dns.Protocol.Names;
using Xunit;

namespace Dns.Integration.Tests.Import;

/// <summary>What an import says of private addresses is what forwarding does.</summary>
public class PrivateNetworksTests
{
    [Fact]
    public void The_networks_that_an_import_names_are_those_whose_addresses_are_dropped()
    {
        IPNetwork[] named = [.. UnboundOptions.PrivateNetworks.Select(network => IPNetwork.Parse(
            network.Contains('/') ? network : network + "/128"))];
        for (int high = 0; high <= ushort.MaxValue; high++)
        {
            byte[] four = [(byte)(high >> 8), (byte)high, 3, 4], six = [.. four, .. new byte[11], 5];
            Assert.Equal((high, named.Any(network => network.Contains(new IPAddress(four)))),
                (high, PrivateAddress.IsIn(RRType.A, four)));
            Assert.Equal((high, named.Any(network => network.Contains(new IPAddress(six)))),
                (high, PrivateAddress.IsIn(RRType.AAAA, six)));
        }
    }
}
