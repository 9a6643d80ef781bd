using Dns.Zones;

namespace Dns.Replication;

/// <summary>A version of a zone as it is kept.</summary>
/// <param name="Zone">The version.</param>
/// <param name="Times">Its times.</param>
public sealed record ZoneCopy(Zone Zone, ZoneCopyTimes Times)
{
    /// <summary>
    /// The differences that were kept behind a whole copy, in order and in their exact form: IXFR goes on with them after a restart.
    /// </summary>
    public IReadOnlyList<ZoneDelta> Deltas { get; init; } = [];
}
