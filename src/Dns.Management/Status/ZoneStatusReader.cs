using Dns.Dnssec;
using Dns.Protocol;
using Dns.Replication;
using Dns.Zones;

namespace Dns.Management;

/// <summary>Reads how zones do, whatever they come from; those that every server has by itself are left out. Thread-safe.</summary>
internal sealed class ZoneStatusReader(
    ZoneRegistry registry, TimeProvider clock, DynamicZones? dynamic = null, IReplicationStatus? replication = null,
    ZoneSigning? signing = null)
    : IZoneFigures
{
    // A scrape asks for several sums: of 100,000 zones they are made once.
    private static readonly TimeSpan GoodFor = TimeSpan.FromSeconds(1);

    private readonly Lock _gate = new();
    private ZoneTotals _totals;
    private long _countedAt;
    private bool _isCounted;

    /// <summary>The zones that are served or should be, in no order.</summary>
    public IEnumerable<ZoneSlot> Zones =>
        registry.Published.Current.Slots.Where(slot => slot.Precedence != ZonePrecedence.BuiltIn);

    /// <summary>Sources that claim a name which another one has.</summary>
    public IReadOnlyList<ZoneConflict> Conflicts => registry.Conflicts;

    /// <summary>The zones whose updates are refused so that their files can be edited.</summary>
    public IReadOnlyList<DomainName> Frozen => dynamic?.Frozen ?? [];

    /// <summary>One zone; null if there is none of this name.</summary>
    public ZoneSlot? Find(DomainName zone) =>
        registry.Find(zone) is { Precedence: not ZonePrecedence.BuiltIn } slot ? slot : null;

    /// <summary>Everything about one zone; null if there is none of this name.</summary>
    public ZoneStatus? Read(DomainName zone)
    {
        if (Find(zone) is not { } slot) return null;
        ZoneStatus status = ZoneStatus.Of(slot, clock.GetUtcNow());
        if (replication is not null) status = replication.AddTo(status, slot);
        FileInfo? file = status.File.Length > 0 ? new FileInfo(status.File) : null;
        DynamicZoneStatus? updates = dynamic?.StatusOf(zone);
        return status with
        {
            Signing = ZoneSigningStatus.Of(signing?.StatusOf(zone)),
            IsFrozen = updates?.IsFrozen ?? false,
            JournalChanges = updates?.JournalCount,
            JournalBytes = updates?.JournalOctets,
            Conflict = updates?.Conflict,
            FileChangedAt = file is { Exists: true } ? file.LastWriteTimeUtc : null,
            Waiting =
            [
                .. registry.Conflicts.Where(conflict => conflict.Winner == slot)
                    .Select(conflict => $"{conflict.Loser.Source?.OriginOf(conflict.Loser)}"),
            ],
        };
    }

    /// <summary>When the last signature of a KSK that is kept elsewhere ends; null where there is none.</summary>
    public DateTimeOffset? BundleEndOf(DomainName zone) => signing?.StatusOf(zone)?.BundleEnd;

    /// <summary>The time.</summary>
    public DateTimeOffset Now => clock.GetUtcNow();

    /// <summary>The sums, no more than a second old.</summary>
    public ZoneTotals Totals()
    {
        lock (_gate)
        {
            if (_isCounted && clock.GetElapsedTime(_countedAt) < GoodFor) return _totals;
            return Count();
        }
    }

    /// <summary>The sums of this moment.</summary>
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
