using Dns.Protocol;
using Dns.Zones;

namespace Dns.Providers;

/// <summary>How a list of zone files is compared with the zones that are there.</summary>
public sealed record ZoneUpdate
{
    /// <summary>Whether zones whose files have changed are read again.</summary>
    public bool ReadsChanged { get; init; } = true;

    /// <summary>Whether zones whose files had errors are read again though nothing is seen to have changed, such as permissions.</summary>
    public bool ReadsFailed { get; init; }

    /// <summary>Whether nothing is done, only told.</summary>
    public bool IsTrial { get; init; }

    /// <summary>
    /// Decides for a zone and the state its file is in (0 = gone) whether that is to be taken now; null = always. What
    /// is not taken is found again by the next comparison.
    /// </summary>
    public Func<DomainName, ulong, bool>? IsSettled { get; init; }
}

/// <summary>What a comparison of zone files found, and what reading came to if anything was read.</summary>
/// <param name="Added">Zones that are new.</param>
/// <param name="Removed">Zones that are not there any more.</param>
/// <param name="Changed">Zones whose file is another, or has changed.</param>
/// <param name="Conflicts">Lines about files that are not taken because their zone comes from another file.</param>
/// <param name="Summary">What was loaded.</param>
public sealed record ZoneUpdateResult(
    IReadOnlyList<DomainName> Added, IReadOnlyList<DomainName> Removed, IReadOnlyList<DomainName> Changed,
    IReadOnlyList<string> Conflicts, ZoneLoadSummary Summary)
{
    /// <summary>Nothing was found.</summary>
    public static ZoneUpdateResult None { get; } = new([], [], [], [], default);

    /// <summary>Both.</summary>
    public ZoneUpdateResult Plus(ZoneUpdateResult other) => new(
        [.. Added, .. other.Added], [.. Removed, .. other.Removed], [.. Changed, .. other.Changed],
        [.. Conflicts, .. other.Conflicts], Summary.Plus(other.Summary));
}
