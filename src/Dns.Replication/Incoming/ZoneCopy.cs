namespace Dns.Replication.Incoming;

/// <summary>A stored version of a zone.</summary>
public sealed record ZoneCopy(Zone Zone, ZoneCopyTimes Times)
{
    /// <summary>The deltas stored behind the whole copy, in order and exact form, for IXFR after a restart.</summary>
    public IReadOnlyList<ZoneDelta> Deltas { get; init; } = [];
}
