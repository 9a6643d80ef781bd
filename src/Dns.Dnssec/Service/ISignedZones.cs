using System.Diagnostics.CodeAnalysis;
using Dns.Protocol;
using Dns.Zones;

namespace Dns.Dnssec;

/// <summary>
/// Keeps signed versions over restarts, so that a start signs only what has changed and serials go on. Called by one thread at a time for
/// each zone, by several at once for several zones.
/// </summary>
public interface ISignedZones
{
    /// <summary>
    /// Whether versions may have been served before the start that are not kept: then serials go on above what those can have had.
    /// </summary>
    bool MayLackVersions { get; }

    /// <summary>Reads what is kept of a zone.</summary>
    /// <param name="zone">The zone.</param>
    /// <param name="signed">The latest signed version that is whole.</param>
    /// <param name="deltas">What made it of an older one, in order: IXFR goes on with them.</param>
    /// <param name="problem">What was found broken; null if nothing was. Told beside a version, too.</param>
    /// <param name="cancellation">Ends the reading.</param>
    /// <returns>False if there is none that can be used.</returns>
    /// <exception cref="OperationCanceledException">Reading was cancelled.</exception>
    bool TryLoad(
        DomainName zone, [NotNullWhen(true)] out Zone? signed, out IReadOnlyList<ZoneDelta> deltas, out string? problem,
        CancellationToken cancellation);

    /// <summary>The latest serial that can be read of what is kept of a zone though the version cannot; null if none can.</summary>
    /// <param name="zone">The zone.</param>
    uint? FindSerial(DomainName zone);

    /// <summary>Keeps a version, on disk when this returns.</summary>
    /// <param name="signed">The version.</param>
    /// <param name="deltas">What makes it of the version that was kept last, in order; none = it is kept whole.</param>
    /// <exception cref="IOException">It is not kept; the one from before is.</exception>
    void Save(Zone signed, IReadOnlyList<ZoneDelta> deltas);

    /// <summary>Notes that all that was served is kept.</summary>
    void Close();

    /// <summary>Forgets a zone. What cannot be removed stays.</summary>
    void Delete(DomainName zone);
}
