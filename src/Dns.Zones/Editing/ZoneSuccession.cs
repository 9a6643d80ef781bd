namespace Dns.Zones.Editing;

/// <summary>Chooses the next served version from the served one and a newly read one.</summary>
/// <remarks>
/// A difference in few records is applied to the served version: equal records keep their memory, and the read version
/// becomes young garbage. Without a difference the served version stays.
/// </remarks>
public static class ZoneSuccession
{
    /// <summary>A smaller zone is replaced as a whole: sharing memory costs more than that.</summary>
    internal const long LeastRecords = 1000;

    /// <summary>At most one record in this number may differ; otherwise the read version is served.</summary>
    internal const long MostPart = 8;

    /// <summary>The next version to serve.</summary>
    /// <param name="delta">The delta from the served version; null if too much differs.</param>
    public static Zone Next(Zone served, Zone read, ZoneLimits limits, out ZoneDelta? delta)
    {
        bool isLarge = read.RecordCount >= LeastRecords;
        // Secondaries may request the difference (RFC 1995), also for a zone that is replaced as a whole.
        if (!ZoneDelta.TryFindBetween(served, read, isLarge ? read.RecordCount / MostPart : read.RecordCount,
            out delta)) return read;
        if (delta.IsEmpty) return served;
        return !isLarge ? read : ZoneEditor.From(served, limits).Apply(delta).Zone ?? read;
    }
}
