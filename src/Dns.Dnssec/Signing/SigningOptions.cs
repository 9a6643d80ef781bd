namespace Dns.Dnssec.Signing;

/// <summary>Signing options that do not affect the result, and previous signatures.</summary>
public sealed record SigningOptions
{
    /// <summary>Threads that sign, at least 1.</summary>
    public int Threads { get; init; } = Environment.ProcessorCount;

    /// <summary>A previous signed version, or a signed source, whose valid signatures are kept; null = none.</summary>
    public Zone? Previous { get; init; }

    /// <summary>Whether kept signatures are verified first, since another process made the previous version.</summary>
    public bool VerifiesPrevious { get; init; }

    /// <summary>The last serial of lost versions, which the next one exceeds in any case; null = none lost.</summary>
    public uint? LostSerial { get; init; }

    /// <summary>Receives progress every few thousand signatures, on the calling thread; null = none.</summary>
    public IProgress<SigningProgress>? Progress { get; init; }

    /// <summary>Limits of a name; null = <see cref="ZoneLimits.Default"/>.</summary>
    public ZoneLimits? Limits { get; init; }

    /// <summary>
    /// Maximum names that a change may affect, which a cut above many does with one record; null = any number. A change
    /// that affects more, or needs the whole zone to be signed, is an error.
    /// </summary>
    public int? MostNames { get; init; }
}

/// <summary>The progress of a signing.</summary>
/// <param name="Names">Visited names of the source.</param>
public readonly record struct SigningProgress(long Names, long NamesInAll, long Made, long Kept);
