using Dns.Protocol;
using Dns.Zones;

namespace Dns.Providers;

/// <summary>
/// Zones that the program makes itself: for tests, for embedding, and as the smallest example of an <see cref="IZoneSource"/>.
/// Thread-safe. Zones that are put here before the start are served from the start.
/// </summary>
/// <param name="words">Where the zones come from, in words.</param>
/// <param name="precedence">Which claims on the same names they go before.</param>
public sealed class InMemoryZoneSource(string words = "memory", ZonePrecedence precedence = ZonePrecedence.Other) : IZoneSource
{
    private readonly Lock _lock = new();
    private readonly Dictionary<DomainName, ZoneSlot> _slots = [];
    private ZoneRegistry? _registry;

    /// <inheritdoc/>
    public Task<ZoneLoadSummary> StartAsync(ZoneRegistry registry, IZoneLoadObserver observer, CancellationToken cancellation)
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

    /// <summary>There is nothing to read again: what is served is what was put here last.</summary>
    public Task<ZoneLoadSummary> ReloadAsync(
        IReadOnlyCollection<DomainName> zones, IZoneLoadObserver observer, CancellationToken cancellation) =>
        Task.FromResult(default(ZoneLoadSummary));

    /// <inheritdoc/>
    public Task StopAsync(CancellationToken cancellation) => Task.CompletedTask;

    /// <inheritdoc/>
    public ZoneOrigin OriginOf(ZoneSlot slot) => new(words, Place: null) { IsGivenByName = true };

    /// <summary>Serves a version of a zone; a new name is claimed.</summary>
    /// <param name="zone">The version.</param>
    /// <param name="now">The time; null = not known.</param>
    public void Publish(Zone zone, DateTimeOffset? now = null) =>
        Change(DomainName.FromOctets(zone.Apex), slot => slot.Publish(zone, now));

    /// <summary>Claims a name whose data comes later: queries get SERVFAIL until then.</summary>
    public void Claim(DomainName zone) => Change(zone, static _ => { });

    /// <summary>Says that there is no usable data of a zone; a version from before is served on. A new name is claimed.</summary>
    public void Fail(DomainName zone, string reason) => Change(zone, slot => slot.Fail(reason));

    /// <summary>Ends the serving of a zone whose data is too old. The name stays claimed.</summary>
    public void Expire(DomainName zone, string reason) => Change(zone, slot => slot.Expire(reason));

    /// <summary>Withdraws the claim on a name.</summary>
    /// <returns>False if there is none.</returns>
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
            // First the data: a new zone is seen with it.
            change(slot);
            if (isNew) _registry?.Change(this, [], [slot]);
        }
    }
}
