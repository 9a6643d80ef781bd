namespace Dns.Zones.Writing;

/// <summary>Passes writes to the back end of their zones. Thread-safe.</summary>
public sealed class ZoneWriters(ZoneRegistry registry) : IZoneWriter
{
    /// <summary>The back end of zones that are added; null = zones are added by their sources only.</summary>
    public IZoneWriter? ForNewZones { get; init; }

    /// <inheritdoc/>
    public Task<IReadOnlyList<ZoneWriteResult>> WriteAsync(
        IReadOnlyList<ZoneWrite> writes, CancellationToken cancellation)
    {
        IZoneWriter?[] found = [.. writes.Select(Find).Distinct()];
        if (found.Length > 1) return Refuse(writes, ZoneWriteFaultKind.NotTogether);
        if (found[0] is { } writer) return writer.WriteAsync(writes, cancellation);
        bool isThere = registry.Find(writes[0].Zone) is not null;
        return Refuse(writes, isThere ? ZoneWriteFaultKind.NotWritable : ZoneWriteFaultKind.NoZone);
    }

    private static Task<IReadOnlyList<ZoneWriteResult>> Refuse(
        IReadOnlyList<ZoneWrite> writes, ZoneWriteFaultKind kind) =>
        Task.FromResult(ZoneWriteResult.Refuse(writes, new ZoneWriteFault(kind)));

    private IZoneWriter? Find(ZoneWrite write) =>
        registry.Find(write.Zone) is { } slot ? slot.Source?.Writer : ForNewZones;
}
