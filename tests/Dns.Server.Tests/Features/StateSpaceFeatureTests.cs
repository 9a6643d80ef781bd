namespace Dns.Server.Tests.Features;

public class StateSpaceFeatureTests
{
    [Theory]
    [InlineData(null, 0)]
    [InlineData(StateSpaceFeature.Least - 1, 1)]
    [InlineData(StateSpaceFeature.Least, 0)]
    public void Little_space_in_the_state_directory_is_a_warning(long? free, int warnings) =>
        Assert.Equal(warnings, new StateSpaceFeature("/state", _ => free).FindWarnings().Count());

    [Fact]
    public void Free_space_is_a_metric_where_there_is_a_state_directory()
    {
        Assert.Equal(["4711"], FeatureMetrics.Read(new StateSpaceFeature("/state", _ => 4711), Metric));
        Assert.Empty(FeatureMetrics.Read(new StateSpaceFeature(null, _ => 4711), Metric));
    }

    private const string Metric = "dnsd_state_directory_free_bytes";
}
