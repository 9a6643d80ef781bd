namespace Dns.Management.Status;

/// <summary>Reads the status of zones of all sources, without built-in ones. Thread-safe.</summary>
public sealed class ZoneStatusReader(ZoneRegistry registry, TimeProvider clock, IFeatureStatus? features = null)
    : IZoneFigures
{
    // A scrape needs several sums: with 100,000 zones they are computed once.
    private static readonly TimeSpan GoodFor = TimeSpan.FromSeconds(1);

    private readonly Lock _gate = new();
    private ZoneTotals _totals;
    private long _countedAt;
    private bool _isCounted;

    /// <summary>The configured zones, unordered.</summary>
    public IEnumerable<ZoneSlot> Zones =>
        registry.Published.Current.Slots.Where(slot => slot.Precedence != ZonePrecedence.BuiltIn);

    public IReadOnlyList<ZoneConflict> Conflicts => registry.Conflicts;

    /// <summary>The status of a zone; null if it does not exist.</summary>
    public ZoneSlot? Find(DomainName zone) =>
        registry.Find(zone) is { Precedence: not ZonePrecedence.BuiltIn } slot ? slot : null;

    public ZoneStatus? Read(DomainName zone)
    {
        if (Find(zone) is not { } slot) return null;
        ZoneStatus status = ZoneStatus.Of(slot, clock.GetUtcNow());
        if (features is not null) status = features.AddTo(status, slot);
        FileInfo? file = status.File.Length > 0 ? new FileInfo(status.File) : null;
        return status with
        {
            FileChangedAt = file is { Exists: true } ? file.LastWriteTimeUtc : null,
            Waiting =
            [
                .. registry.Conflicts.Where(conflict => conflict.Winner == slot)
                    .Select(conflict => $"{conflict.Loser.Source?.OriginOf(conflict.Loser)}"),
            ],
        };
    }

    public DateTimeOffset Now => clock.GetUtcNow();

    public ZoneTotals Totals()
    {
        lock (_gate)
        {
            if (_isCounted && clock.GetElapsedTime(_countedAt) < GoodFor) return _totals;
            return Count();
        }
    }

    public ZoneTotals ReadTotals()
    {
        lock (_gate) return Count();
    }

    private ZoneTotals Count()
    {
        _totals = Zones.Aggregate(default(ZoneTotals), (sum, zone) => sum.With(zone, clock.GetUtcNow()));
        _countedAt = clock.GetTimestamp();
        _isCounted = true;
        return _totals;
    }
}
