namespace Dns.Replication.Incoming;

/// <summary>
/// Stores the zones of a secondary over restarts: a version is served only once it is stored. One call at a time for
/// each zone, concurrent calls for different zones.
/// </summary>
public interface IZoneCopies
{
    /// <summary>Loads the stored copy of a zone; false if there is no usable one.</summary>
    /// <param name="copy">The latest intact version, and its times.</param>
    /// <param name="damage">Null if none. May come with a copy, whose end is then lost.</param>
    /// <exception cref="OperationCanceledException">Reading was cancelled.</exception>
    bool TryLoad(
        DomainName zone, ZoneLimits limits, [NotNullWhen(true)] out ZoneCopy? copy, out CopyDamage? damage,
        CancellationToken cancellation);

    /// <summary>Stores a version; it is on disk on return.</summary>
    /// <param name="deltas">The deltas from the last stored version, in order; empty = store the whole zone.</param>
    /// <exception cref="IOException">It could not be stored; the previous one still is.</exception>
    void Save(ZoneCopy copy, IReadOnlyList<ZoneDelta> deltas);

    /// <summary>Stores the times of the last version. A crash may lose them: the zone then expires earlier.</summary>
    /// <exception cref="IOException">They could not be stored.</exception>
    void SaveTimes(DomainName zone, in ZoneCopyTimes times);

    /// <summary>Deletes the copy of a zone, as far as possible.</summary>
    void Delete(DomainName zone);
}
