namespace Dns.Dnssec;

/// <summary>
/// The keys of a zone and what caches may hold of it: all that is kept on disk between two steps of a <see cref="KeyTimeline"/>. Immutable.
/// </summary>
/// <remarks>
/// What may be cached is kept as versions, not as a state of each key: a step is good if every combination of versions validates that
/// the step leaves possible. That holds for every kind of rollover, for several at once, and for policies that change in the middle of one.
/// </remarks>
public sealed record ZoneKeys
{
    /// <summary>Nothing is known: the zone was never signed here.</summary>
    public static readonly ZoneKeys Empty = new();

    /// <summary>The keys, the oldest first; those out of use stay for a time.</summary>
    public IReadOnlyList<KeyRecord> Keys { get; init; } = [];

    /// <summary>Versions of the DNSKEY RRset.</summary>
    public IReadOnlyList<CachedSet> KeySets { get; init; } = [];

    /// <summary>Versions of the signatures over the other RRsets.</summary>
    public IReadOnlyList<CachedSet> SignerSets { get; init; } = [];

    /// <summary>Versions of the DS RRset at the parent.</summary>
    public IReadOnlyList<CachedSet> DsSets { get; init; } = [];

    /// <summary>The keys that the DS RRset is to name: what CDS asks the parent for.</summary>
    public KeyIds WantedDs { get; init; } = KeyIds.None;

    /// <summary>The keys that the DS RRset named when it was last seen, or when an operator last said so; null = never.</summary>
    public KeyIds? SeenDs { get; init; }

    /// <summary>The TTL of the DS RRset when it was last seen; null = never.</summary>
    public TimeSpan? DsTtl { get; init; }

    /// <summary>The keys that CDS named when it was last served.</summary>
    public KeyIds ServedCds { get; init; } = KeyIds.None;

    /// <summary>Whether CDS asked for the removal of the DS RRset when it was last served.</summary>
    public bool ServedCdsDelete { get; init; }

    /// <summary>Whether a new KSK or CSK is wanted before the lifetime of this one ends.</summary>
    public bool WantsKsk { get; init; }

    /// <summary>Whether a new ZSK is wanted before the lifetime of this one ends.</summary>
    public bool WantsZsk { get; init; }

    /// <summary>The algorithm that an operator wants instead of that of the policy; null = none.</summary>
    public DnssecAlgorithm? WantedAlgorithm { get; init; }

    /// <summary>The algorithm of the policy when that was wanted: another one there takes the wish back.</summary>
    public DnssecAlgorithm? PolicyAlgorithm { get; init; }

    /// <summary>
    /// The policy of the last step that had one; null = none had. Its times count on the way to a zone without signatures.
    /// </summary>
    public DnssecPolicy? Policy { get; init; }

    /// <summary>The start of the slot that is served where the KSK is kept elsewhere; null = there is none.</summary>
    public DateTimeOffset? Slot { get; init; }

    /// <summary>Whether the zone is on its way to have no signatures.</summary>
    public bool IsLeaving { get; init; }

    /// <summary>The keys that are to be in the DNSKEY RRset.</summary>
    public KeyIds Published => KeyIds.Of(Keys.Where(key => key.IsPublished).Select(key => key.Id));

    /// <summary>The keys that are to sign the DNSKEY RRset.</summary>
    public KeyIds KeySigners => KeyIds.Of(Keys.Where(key => key.IsPublished && key.Role.SignsKeys()).Select(key => key.Id));

    /// <summary>The keys that are to sign the other RRsets.</summary>
    public KeyIds ZoneSigners => KeyIds.Of(Keys.Where(key => key.SignsZone).Select(key => key.Id));

    /// <summary>Whether the parent may have a DS RRset, so that a zone that is served without signatures would be bogus.</summary>
    public bool MayHaveDs => DsSets.Any(set => set.Keys.Count > 0);

    /// <summary>Finds a key; null if there is none.</summary>
    public KeyRecord? Find(KeyId id) => Keys.FirstOrDefault(key => key.Id == id);

    /// <summary>The same with a key that was made: nothing uses it yet.</summary>
    public ZoneKeys With(KeyRecord key) => this with { Keys = [.. Keys, key] };

    /// <summary>The same with a key changed.</summary>
    internal ZoneKeys With(KeyIds ids, Func<KeyRecord, KeyRecord> change) =>
        this with { Keys = [.. Keys.Select(key => ids.Contains(key.Id) ? change(key) : key)] };

    /// <summary>All times, moved.</summary>
    internal ZoneKeys Shift(Func<DateTimeOffset, DateTimeOffset> move) => this with
    {
        Keys = [.. Keys.Select(key => key.Shift(move))],
        KeySets = Shift(KeySets, move),
        SignerSets = Shift(SignerSets, move),
        DsSets = Shift(DsSets, move),
    };

    private static CachedSet[] Shift(IReadOnlyList<CachedSet> sets, Func<DateTimeOffset, DateTimeOffset> move) =>
        [.. sets.Select(set => set.Replaced is { } replaced ? set with { Replaced = move(replaced) } : set)];
}
