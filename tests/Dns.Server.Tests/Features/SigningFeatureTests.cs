using Dns.Testing;
using Microsoft.Extensions.Logging;

namespace Dns.Server.Tests.Features;

/// <summary>The warnings of zones that lose their signatures at once.</summary>
public sealed class SigningFeatureTests : ILogger<SigningLog>, IZoneSource, IDisposable
{
    private static readonly ZonePolicy OffNow = new() { IsUnsignedAtOnce = true };

    private readonly string _folder = Directory.CreateTempSubdirectory("dnsd-signing-").FullName;
    private readonly List<string> _lines = [];

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void Each_zone_that_is_unsigned_at_once_is_warned_of_once_at_each_start_and_reload()
    {
        foreach (string zone in (string[])["a.test", "b.test"]) Delegate(DomainName.Parse(zone));
        ServerOptions options = new();
        using SigningFeature setup = new(options, _folder, TimeProvider.System, new SigningLog(this), new Handover());
        ZoneRegistry registry = new(new PublishedZones());
        setup.Follow(registry);
        ZoneSlot[] slots = [Slot("a.test", OffNow), Slot("b.test", null), Slot("c.test", OffNow)];
        registry.Change(this, [], slots);
        Assert.Single(_lines);
        setup.WarnOfUnsigned(slots);
        Assert.Equal("Zone a.test. is not signed any more, and its parent may have its DS records",
            Assert.Single(_lines));
        slots[1].Policy = OffNow;
        setup.Use(options);
        setup.WarnOfUnsigned(slots);
        Assert.Equal(["Zone a.test.", "Zone a.test.", "Zone b.test."], _lines.Select(line => line[..12]));
    }

    IDisposable? ILogger.BeginScope<TState>(TState state) => null;

    bool ILogger.IsEnabled(LogLevel logLevel) => true;

    void ILogger.Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception,
        Func<TState, Exception?, string> formatter)
    {
        if (eventId.Id == 1208) _lines.Add(formatter(state, exception));
    }

    Task<ZoneLoadSummary> IZoneSource.StartAsync(ZoneRegistry registry, IZoneLoadObserver observer,
        CancellationToken cancellation) =>
        throw new NotSupportedException();

    Task<ZoneLoadSummary> IZoneSource.ReloadAsync(
        IReadOnlyCollection<DomainName> zones, IZoneLoadObserver observer, CancellationToken cancellation) =>
        throw new NotSupportedException();

    Task IZoneSource.StopAsync(CancellationToken cancellation) => Task.CompletedTask;

    ZoneOrigin IZoneSource.OriginOf(ZoneSlot slot) => new("a test", null);

    private static ZoneSlot Slot(string zone, ZonePolicy? policy) => new(DomainName.Parse(zone)) { Policy = policy };

    /// <summary>Makes a key, and a state in which the parent has its DS record.</summary>
    private void Delegate(DomainName zone)
    {
        DateTimeOffset now = DateTimeOffset.UtcNow;
        KeyStore store = new(Path.Join(_folder, SigningFeature.KeyFolder), () => now);
        KeyRecord key = store.Generate(
            zone, new KeyNeed(KeyRole.Csk, DnssecAlgorithm.EcdsaP256Sha256), 0, ZoneKeys.Empty, now);
        CachedSet ds = new(KeyIds.Of([key.Id]), TimeSpan.FromHours(1));
        store.Save(zone, ZoneKeys.Empty.With(key with { IsPublished = true, SignsZone = true }) with { DsSets = [ds] });
    }
}
