using Xunit;

namespace Dns.Commands.Tests;

public class ZoneCheckOutputTests
{
    [Fact]
    public void Progress_in_a_large_zone_is_shown()
    {
        using StringWriter errors = new();
        new ZoneCheckOutput(errors).OnProgress(DomainName.Root, "root.zone", 2_097_152);
        Assert.Matches("root[.]zone: 2.097.152 records so far", errors.ToString());
    }
}
