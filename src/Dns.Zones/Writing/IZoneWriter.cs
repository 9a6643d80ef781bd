namespace Dns.Zones.Writing;

/// <summary>
/// Changes zones, for all interfaces: UPDATE, commands, an API. A back end implements it for the zones of its source
/// (<see cref="IZoneSource.Writer"/>): master files by a journal, others by a database.
/// <see cref="ZoneWriters"/> finds the back end of a zone.
/// </summary>
public interface IZoneWriter
{
    /// <summary>
    /// Writes all or none. When the task completes, each zone is validated, stored durably and published, with its
    /// delta for history and NOTIFY, in the order of the writes. Concurrent writes of a zone are evaluated one after
    /// the other. Never faults for data that does not fit, nor for a store that is away: that is a fault of the result.
    /// </summary>
    /// <param name="writes">At least one; several of one zone follow each other.</param>
    /// <param name="cancellation">Withdraws what is not stored yet.</param>
    /// <returns>The result of each write, in their order.</returns>
    Task<IReadOnlyList<ZoneWriteResult>> WriteAsync(IReadOnlyList<ZoneWrite> writes, CancellationToken cancellation);
}

/// <summary>The result of one write.</summary>
/// <param name="Serial">The serial after it; null if the zone was removed, or nothing was written.</param>
/// <param name="IsChanged">Whether there is another version; false also if nothing had to change.</param>
/// <param name="Faults">Why nothing was written; empty if it was, or because of another write of the call.</param>
public sealed record ZoneWriteResult(uint? Serial, bool IsChanged, IReadOnlyList<ZoneWriteFault> Faults)
{
    /// <summary>The result of a write that is refused.</summary>
    public static ZoneWriteResult Of(ZoneWriteFault fault) => new(null, false, [fault]);

    /// <summary>The results of writes that are refused together: the fault is that of the first.</summary>
    public static IReadOnlyList<ZoneWriteResult> Refuse(IReadOnlyList<ZoneWrite> writes, ZoneWriteFault fault) =>
        [.. writes.Select((_, i) => i == 0 ? Of(fault) : new ZoneWriteResult(null, false, []))];
}
