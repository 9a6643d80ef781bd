using Dns.Zones;

namespace Dns.Dnssec;

/// <summary>How large a name of a signed version may be: as large as one of the source, and what signing adds.</summary>
internal static class SignedLimits
{
    private const int AddedTypes = 8;
    private const int LeastRecords = 64;

    /// <summary>The limits of signed versions.</summary>
    /// <param name="source">Those of the source; null = <see cref="ZoneLimits.Default"/>.</param>
    internal static ZoneLimits Of(ZoneLimits? source)
    {
        ZoneLimits limits = source ?? ZoneLimits.Default;
        return new ZoneLimits(
            Math.Max(LeastRecords, limits.RecordsPerType), Math.Min(ZoneLimits.Most, limits.TypesPerName + AddedTypes));
    }
}
