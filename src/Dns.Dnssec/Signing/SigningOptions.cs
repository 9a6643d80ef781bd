using Dns.Zones;

namespace Dns.Dnssec;

/// <summary>How a zone is signed, as far as the result does not depend on it; and what is known from before.</summary>
public sealed record SigningOptions
{
    /// <summary>Threads that sign, at least 1.</summary>
    public int Threads { get; init; } = Environment.ProcessorCount;

    /// <summary>
    /// A signed version from before, whose good signatures are kept; null = none. It may be the source itself, where that is a file
    /// that was signed.
    /// </summary>
    public Zone? Previous { get; init; }

    /// <summary>Whether signatures that are kept are verified first: where the version before was not made by this process.</summary>
    public bool VerifiesPrevious { get; init; }

    /// <summary>
    /// A serial that versions were served up to that are lost: the next version has a greater one, whatever else is the same. Null = none
    /// are lost.
    /// </summary>
    public uint? LostSerial { get; init; }

    /// <summary>Receives progress every few thousand signatures, on the calling thread; null = none.</summary>
    public IProgress<SigningProgress>? Progress { get; init; }

    /// <summary>How large a name may be; null = <see cref="ZoneLimits.Default"/>.</summary>
    public ZoneLimits? Limits { get; init; }
}

/// <summary>How far a signing is.</summary>
/// <param name="Names">Names of the source that were gone through.</param>
/// <param name="NamesInAll">How many there are.</param>
/// <param name="Made">Signatures made.</param>
/// <param name="Kept">Signatures kept.</param>
public readonly record struct SigningProgress(long Names, long NamesInAll, long Made, long Kept);
