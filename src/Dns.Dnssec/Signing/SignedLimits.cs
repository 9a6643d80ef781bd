namespace Dns.Dnssec.Signing;

/// <summary>Limits of a name in a signed version: those of the source plus the records of signing.</summary>
public static class SignedLimits
{
    private const int AddedTypes = 8;
    private const int LeastRecords = 64;

    /// <summary>The limits of signed versions. Null = <see cref="ZoneLimits.Default"/> for the source.</summary>
    public static ZoneLimits Of(ZoneLimits? source)
    {
        ZoneLimits limits = source ?? ZoneLimits.Default;
        return new ZoneLimits(
            Math.Max(LeastRecords, limits.RecordsPerType), Math.Min(ZoneLimits.Most, limits.TypesPerName + AddedTypes));
    }
}
