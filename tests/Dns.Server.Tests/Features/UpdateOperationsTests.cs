using Microsoft.Extensions.Logging.Abstractions;

namespace Dns.Server.Tests.Features;

public class UpdateOperationsTests
{
    [Theory]
    [InlineData("/zones/parked.zone")]
    [InlineData("/zones/parked.zone.bak")]
    public void A_file_that_another_zone_uses_is_neither_written_nor_frozen(string file)
    {
        TelemetrySources sources = new();
        sources.AddZone("z.test.", ZoneState.Serving);
        // Without a journal: whatever is written or frozen fails for another reason.
        DynamicZones dynamic = new(null, _ => true, null!, TimeProvider.System, new UpdateOptions(), null!);
        UpdateOperations operations = new(
            sources.Status, new SharedFile(file), dynamic, NullLogger<UpdateOperations>.Instance);
        DomainName zone = DomainName.Parse("z.test.");
        foreach (Func<DomainName, object> command in (Func<DomainName, object>[])[
            operations.Synchronise, operations.Freeze])
        {
            OperationException refused = Assert.Throws<OperationException>(() => command(zone));
            Assert.Equal((OperationError.Invalid, $"zone z.test. is not written: {file} is used by zone "
                + "y.test. as well: expected a file of its own"), (refused.Error, refused.Message));
        }
    }

    /// <summary>A zone whose file another one has too.</summary>
    private sealed class SharedFile(string shared) : IZoneControl
    {
        public string? SettingsFile => null;

        public bool IsLoaded => true;

        public Task Loaded => Task.CompletedTask;

        public string? FileOf(DomainName zone) => "/zones/parked.zone";

        public IReadOnlyList<DomainName> FindUsers(string file) => file == shared
            ? [DomainName.Parse("z.test."), DomainName.Parse("y.test.")] : [DomainName.Parse("z.test.")];

        public IReadOnlyList<string> FindErrors(DomainName zone, string file, CancellationToken cancellation) => [];

        public Task<ZoneLoadSummary> ReloadAsync(IReadOnlyCollection<DomainName> zones,
            CancellationToken cancellation) => Task.FromResult<ZoneLoadSummary>(default);

        public IReadOnlyList<string> Add(DomainName zone, string file, CancellationToken cancellation) => [];

        public ZoneRemoval? Remove(DomainName zone) => null;

        public ReloadReport Reload(bool isTrial, CancellationToken cancellation) => throw new NotSupportedException();
    }
}
