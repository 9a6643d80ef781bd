using Xunit;

namespace Dns.Forwarding.Tests;

public class QueryOwnerTests
{
    [Theory]
    [InlineData(-1, -1)]
    [InlineData(0, 0)]
    [InlineData(2 * ClientShares.Counters - 1, ClientShares.Counters - 1)]
    public void An_owner_of_a_query_is_the_same_after_it_was_packed(int network, int client)
    {
        foreach (bool isProven in (bool[])[false, true])
        {
            QueryOwner owner = new(network, client, isProven);
            Assert.Equal(owner, QueryOwner.Unpack(owner.Pack()));
        }
    }
}
