namespace Dns.Providers.MasterFile;

/// <summary>How a list of zone files is compared with the existing zones.</summary>
public sealed record ZoneUpdate
{
    /// <summary>Whether zones with changed files are reloaded.</summary>
    public bool ReadsChanged { get; init; } = true;

    /// <summary>Whether failed files are read again even if unchanged: their permissions may have changed.</summary>
    public bool ReadsFailed { get; init; }

    /// <summary>Whether changes are only reported.</summary>
    public bool IsTrial { get; init; }

    /// <summary>
    /// Decides whether a zone's file in a given state (0 = missing) is read now; null = always. Otherwise the next
    /// comparison finds it again.
    /// </summary>
    public Func<DomainName, ulong, bool>? IsSettled { get; init; }
}

/// <summary>The result of a comparison of zone files, and of the reading that followed.</summary>
/// <param name="Changed">Zones with another or a changed file.</param>
/// <param name="Conflicts">Lines about ignored files whose zone has another file.</param>
public sealed record ZoneUpdateResult(
    IReadOnlyList<DomainName> Added, IReadOnlyList<DomainName> Removed, IReadOnlyList<DomainName> Changed,
    IReadOnlyList<string> Conflicts, ZoneLoadSummary Summary)
{
    /// <summary>The empty result.</summary>
    public static ZoneUpdateResult None { get; } = new([], [], [], [], default);

    /// <summary>Combines two results.</summary>
    public ZoneUpdateResult Plus(ZoneUpdateResult other) => new(
        [.. Added, .. other.Added], [.. Removed, .. other.Removed], [.. Changed, .. other.Changed],
        [.. Conflicts, .. other.Conflicts], Summary.Plus(other.Summary));
}
