using System.Diagnostics.CodeAnalysis;
using Dns.Protocol;
using Dns.Zones;

namespace Dns.Replication;

/// <summary>
/// Keeps the zones of a secondary over restarts: a version is served as current when it is kept. Called by one thread at a time for each
/// zone, by several at once for several zones.
/// </summary>
public interface IZoneCopies
{
    /// <summary>Reads what is kept of a zone.</summary>
    /// <param name="zone">The zone.</param>
    /// <param name="limits">How large a name may be.</param>
    /// <param name="copy">The latest version that is whole, and its times.</param>
    /// <param name="problem">What was found broken; null if nothing was. Told beside a copy, too: what is broken may be its end.</param>
    /// <param name="cancellation">Ends the reading.</param>
    /// <returns>False if there is none that can be used.</returns>
    /// <exception cref="OperationCanceledException">Reading was cancelled.</exception>
    bool TryLoad(
        DomainName zone, ZoneLimits limits, [NotNullWhen(true)] out ZoneCopy? copy, out string? problem, CancellationToken cancellation);

    /// <summary>Keeps a version, on disk when this returns.</summary>
    /// <param name="copy">The version.</param>
    /// <param name="deltas">What makes it of the version that was kept last, in order; none = it is kept whole.</param>
    /// <exception cref="IOException">It is not kept; the one from before is.</exception>
    void Save(ZoneCopy copy, IReadOnlyList<ZoneDelta> deltas);

    /// <summary>
    /// Keeps the times of the version that was kept last. May be lost by a crash: the times before are earlier, so that nothing is served
    /// for longer than it may be.
    /// </summary>
    /// <exception cref="IOException">They are not kept.</exception>
    void SaveTimes(DomainName zone, in ZoneCopyTimes times);

    /// <summary>Forgets a zone. What cannot be removed stays.</summary>
    void Delete(DomainName zone);
}
