using Dns.Replication.Update;

namespace Dns.Server.Tests.Features;

/// <summary>The limits of updates, by the settings.</summary>
public class UpdateFeatureTests
{
    [Fact]
    public void Limits_that_are_set_are_those_of_updates()
    {
        UpdateOptions usual = UpdateFeature.LimitsOf(new ServerOptions());
        Assert.Equal((100, 48), (usual.MaxRecordsOfType, usual.MaxTypesOfName));
        UpdateOptions records = UpdateFeature.LimitsOf(new ServerOptions { MaxRecordsPerType = 500 });
        Assert.Equal((500, 48, 500),
            (records.MaxRecordsOfType, records.MaxTypesOfName, records.Limits.RecordsPerType));
        UpdateOptions types = UpdateFeature.LimitsOf(new ServerOptions { MaxTypesPerName = 20 });
        Assert.Equal((100, 9, 20), (types.MaxRecordsOfType, types.MaxTypesOfName, types.Limits.TypesPerName));
    }
}
