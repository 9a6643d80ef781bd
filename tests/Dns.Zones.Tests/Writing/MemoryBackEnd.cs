namespace Dns.Zones.Tests;

/// <summary>
/// The smallest back end that keeps all promises of <see cref="IZoneWriter"/>: its store is a dictionary.
/// </summary>
public sealed class MemoryBackEnd : IZoneSource, IZoneWriter
{
    private readonly Lock _order = new();
    private readonly Dictionary<DomainName, ZoneSlot> _slots = [];
    private ZoneRegistry? _registry;

    /// <summary>What the store has; it outlives the back end.</summary>
    public Dictionary<DomainName, Zone> Store { get; init; } = [];

    /// <summary>Why the store cannot be written; null if it can.</summary>
    public string? StoreFault { get; set; }

    /// <summary>A server passes its clock.</summary>
    public TimeProvider Clock { get; init; } = TimeProvider.System;

    public IZoneWriter Writer => this;

    public Task<ZoneLoadSummary> StartAsync(
        ZoneRegistry registry, IZoneLoadObserver observer, CancellationToken cancellation)
    {
        _registry = registry;
        foreach ((DomainName name, Zone zone) in Store)
        {
            _slots[name] = new ZoneSlot(name);
            _slots[name].Publish(zone, Clock.GetUtcNow());
        }
        registry.Change(this, [], _slots.Values);
        return Task.FromResult(new ZoneLoadSummary(Store.Count, 0,
            Store.Values.Sum(zone => zone.RecordCount), Store.Values.Sum(zone => zone.MemoryBytes)));
    }

    public Task<IReadOnlyList<ZoneWriteResult>> WriteAsync(
        IReadOnlyList<ZoneWrite> writes, CancellationToken cancellation)
    {
        // A database locks the rows of the zones instead, and its transaction begins here.
        lock (_order)
        {
            cancellation.ThrowIfCancellationRequested();
            IReadOnlyList<ZoneWriteStep> steps =
                ZoneWriteStep.EvaluateAll(writes, name => Store.GetValueOrDefault(name), ZoneLimits.Default);
            if (steps.Any(step => step.Faults.Count > 0)) return Task.FromResult(ZoneWriteStep.RefuseAll(steps));
            if (StoreFault is not null)
                return Task.FromResult(
                    ZoneWriteResult.Refuse(writes, new(ZoneWriteFaultKind.NotStored) { Detail = StoreFault }));
            foreach (ZoneWriteStep step in steps) Commit(step);
            Publish(steps);
            return Task.FromResult<IReadOnlyList<ZoneWriteResult>>([.. steps.Select(step => step.Result)]);
        }
    }

    public Task<ZoneLoadSummary> ReloadAsync(
        IReadOnlyCollection<DomainName> zones, IZoneLoadObserver observer, CancellationToken cancellation) =>
        Task.FromResult(default(ZoneLoadSummary));

    public Task StopAsync(CancellationToken cancellation) => Task.CompletedTask;

    public ZoneOrigin OriginOf(ZoneSlot slot) => new("memory", null);

    private void Commit(ZoneWriteStep step)
    {
        if (step.Now is { } now) Store[step.Write.Zone] = now;
        else Store.Remove(step.Write.Zone);
    }

    private void Publish(IReadOnlyList<ZoneWriteStep> steps)
    {
        List<ZoneSlot> removed = [], added = [];
        foreach (ZoneWriteStep step in steps)
        {
            DomainName name = step.Write.Zone;
            if (step.Now is null)
            {
                if (_slots.Remove(name, out ZoneSlot? gone)) removed.Add(gone);
                continue;
            }
            if (!_slots.TryGetValue(name, out ZoneSlot? slot)) added.Add(_slots[name] = slot = new ZoneSlot(name));
            if (step.IsChanged) slot.Publish(step.Now, Clock.GetUtcNow(), step.Delta);
        }
        // New zones appear with their data, all at once; a slot that was added and removed again was never claimed.
        _registry!.Change(this, removed.Where(slot => slot.Source is not null), added.Except(removed));
    }
}
