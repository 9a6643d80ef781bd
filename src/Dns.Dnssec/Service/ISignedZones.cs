namespace Dns.Dnssec.Service;

/// <summary>
/// Saves signed versions over restarts, so that a start signs only the changes and serials continue. Called by one
/// thread at a time for each zone, concurrently for several zones.
/// </summary>
public interface ISignedZones
{
    /// <summary>
    /// Whether versions of a zone may have been served before the start that were not saved: its serials then continue
    /// above any that these can have had.
    /// </summary>
    bool MayLackVersions(DomainName zone);

    /// <summary>
    /// Removes the mark of <see cref="Close"/>, so that the next start knows that versions may be missing. Called
    /// before a version is served. Free after the first success.
    /// </summary>
    /// <exception cref="IOException">
    /// Not possible: the next start would take the saved versions for the latest.
    /// </exception>
    void Open();

    /// <summary>Whether the start found a saved version of a zone, usable or not. Fast; never throws.</summary>
    bool Has(DomainName zone);

    /// <summary>Loads the saved version of a zone.</summary>
    /// <exception cref="OperationCanceledException">Loading was cancelled.</exception>
    SavedVersion Load(DomainName zone, CancellationToken cancellation);

    /// <summary>The latest readable serial of a zone whose saved version is unusable; null if none.</summary>
    uint? FindSerial(DomainName zone);

    /// <summary>Saves a version, on disk when this returns.</summary>
    /// <param name="deltas">The deltas from the last saved version, in order; none = save it whole.</param>
    /// <exception cref="IOException">It is not saved; the previous one is unchanged.</exception>
    void Save(Zone signed, IReadOnlyList<ZoneDelta> deltas);

    /// <summary>Records for the next start which zones may lack versions, as far as possible.</summary>
    /// <param name="areSaved">
    /// The zones that were signed since the start, and whether all their versions are saved. The others are as the
    /// start found them.
    /// </param>
    void Close(IReadOnlyDictionary<DomainName, bool> areSaved);

    /// <summary>Deletes the data of a zone, as far as possible.</summary>
    void Delete(DomainName zone);
}

/// <summary>What is saved of a zone.</summary>
/// <param name="Signed">The latest complete signed version; null if none is usable.</param>
/// <param name="Deltas">The deltas that led to it, in order, for IXFR.</param>
/// <param name="Damage">Damage that was found; null if none. Possible with a version, too.</param>
public readonly record struct SavedVersion(Zone? Signed, IReadOnlyList<ZoneDelta> Deltas, ZoneFailure? Damage);
