namespace Dns.Providers.InMemory;

/// <summary>
/// Zones created by the program: for tests, for embedding, and as the smallest example of an <see cref="IZoneSource"/>.
/// Thread-safe. Zones added before the start are served from the start.
/// </summary>
/// <param name="words">A description of the source.</param>
public sealed class InMemoryZoneSource(string words = "memory",
    ZonePrecedence precedence = ZonePrecedence.Other) : IZoneSource
{
    private readonly Lock _lock = new();
    private readonly Dictionary<DomainName, ZoneSlot> _slots = [];
    private ZoneRegistry? _registry;

    /// <inheritdoc/>
    public Task<ZoneLoadSummary> StartAsync(ZoneRegistry registry, IZoneLoadObserver observer,
        CancellationToken cancellation)
    {
        lock (_lock)
        {
            _registry = registry;
            registry.Change(this, [], _slots.Values);
            Zone[] zones = [.. _slots.Values.Select(slot => slot.Zone).OfType<Zone>()];
            return Task.FromResult(new ZoneLoadSummary(
                zones.Length, 0, zones.Sum(zone => zone.RecordCount), zones.Sum(zone => zone.MemoryBytes)));
        }
    }

    /// <summary>Nothing to reload: the last published versions are served.</summary>
    public Task<ZoneLoadSummary> ReloadAsync(
        IReadOnlyCollection<DomainName> zones, IZoneLoadObserver observer, CancellationToken cancellation) =>
        Task.FromResult(default(ZoneLoadSummary));

    /// <inheritdoc/>
    public Task StopAsync(CancellationToken cancellation) => Task.CompletedTask;

    /// <inheritdoc/>
    public ZoneOrigin OriginOf(ZoneSlot slot) => new(words, Path: null) { IsGivenByName = true };

    /// <summary>Serves a version of a zone; claims a new name.</summary>
    /// <param name="now">The time; null = unknown.</param>
    public void Publish(Zone zone, DateTimeOffset? now = null) =>
        Change(DomainName.FromOctets(zone.Apex), slot => slot.Publish(zone, now));

    /// <summary>Claims a name without data: queries get SERVFAIL until a version is published.</summary>
    public void Claim(DomainName zone) => Change(zone, static _ => { });

    /// <summary>Marks the data of a zone as unusable; an earlier version is still served. Claims a new name.</summary>
    public void Fail(DomainName zone, string reason) => Change(zone, slot => slot.Fail(new SourceFailure(reason)));

    /// <summary>Expires a zone. The name stays claimed.</summary>
    public void Expire(DomainName zone, string reason) => Change(zone, slot => slot.Expire(new SourceFailure(reason)));

    /// <summary>Withdraws the claim on a name.</summary>
    public bool Remove(DomainName zone)
    {
        lock (_lock)
        {
            if (!_slots.Remove(zone, out ZoneSlot? slot)) return false;
            _registry?.Change(this, [slot], []);
            return true;
        }
    }

    private void Change(DomainName zone, Action<ZoneSlot> change)
    {
        lock (_lock)
        {
            bool isNew = !_slots.TryGetValue(zone, out ZoneSlot? slot);
            slot ??= _slots[zone] = new ZoneSlot(zone) { Precedence = precedence };
            // Data first: a new zone becomes visible with it.
            change(slot);
            if (isNew) _registry?.Change(this, [], [slot]);
        }
    }
}
