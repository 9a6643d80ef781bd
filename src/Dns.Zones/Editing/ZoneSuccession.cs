namespace Dns.Zones;

/// <summary>From a version that is served and one that was read whole to the version that is served next.</summary>
/// <remarks>
/// What differs in few records is applied to the version that is served: what is equal keeps its memory, and the version that was
/// read is garbage that is still young. Where nothing differs, the version that is served stays.
/// </remarks>
public static class ZoneSuccession
{
    /// <summary>A smaller zone is replaced whole: versions that share memory take more than that.</summary>
    internal const long LeastRecords = 1000;

    /// <summary>One record in so many may differ; more, and the version that was read is served.</summary>
    internal const long MostPart = 8;

    /// <summary>The version that is served next.</summary>
    /// <param name="served">The version that is served.</param>
    /// <param name="read">The version that was read.</param>
    /// <param name="limits">How large a name may be.</param>
    /// <param name="delta">What makes it of the version that is served; null where more differs than is looked for.</param>
    public static Zone Next(Zone served, Zone read, ZoneLimits limits, out ZoneDelta? delta)
    {
        bool isLarge = read.RecordCount >= LeastRecords;
        // Secondaries may ask for the difference (RFC 1995), also for that of a zone that is replaced whole.
        if (!ZoneDelta.TryFindBetween(served, read, isLarge ? read.RecordCount / MostPart : read.RecordCount, out delta)) return read;
        if (delta.IsEmpty) return served;
        return !isLarge ? read : ZoneEditor.From(served, limits).Apply(delta).Zone ?? read;
    }
}
