namespace Dns.Dnssec.Policies;

/// <summary>
/// The keys of a zone and what caches may hold of it: the persistent state between two steps of a <see
/// cref="KeyRollover"/>. Immutable.
/// </summary>
/// <remarks>
/// Cached data is kept as versions, not as a state of each key: a step is valid if every possible combination of
/// versions validates after it. That holds for every kind of rollover, for several at once, and for policies that
/// change during one.
/// </remarks>
public sealed record ZoneKeys
{
    /// <summary>Empty: the zone was never signed here.</summary>
    public static readonly ZoneKeys Empty = new();

    /// <summary>The keys, the oldest first; unused ones stay for a time.</summary>
    public IReadOnlyList<KeyRecord> Keys { get; init; } = [];

    /// <summary>Versions of the DNSKEY RRset.</summary>
    public IReadOnlyList<CachedSet> KeySets { get; init; } = [];

    /// <summary>Versions of the signatures over the other RRsets.</summary>
    public IReadOnlyList<CachedSet> SignerSets { get; init; } = [];

    /// <summary>Versions of the DS RRset at the parent.</summary>
    public IReadOnlyList<CachedSet> DsSets { get; init; } = [];

    /// <summary>The keys that the DS RRset should have: those in CDS.</summary>
    public KeyIds WantedDs { get; init; } = KeyIds.None;

    /// <summary>The keys in the DS RRset when it was last seen or confirmed by an operator; null = never.</summary>
    public KeyIds? SeenDs { get; init; }

    /// <summary>The TTL of the DS RRset when it was last seen; null = never.</summary>
    public TimeSpan? DsTtl { get; init; }

    /// <summary>The keys in CDS when it was last served.</summary>
    public KeyIds ServedCds { get; init; } = KeyIds.None;

    /// <summary>Whether CDS requested the removal of the DS RRset when it was last served.</summary>
    public bool ServedCdsDelete { get; init; }

    /// <summary>Whether an early rollover of the KSK or CSK is requested.</summary>
    public bool WantsKsk { get; init; }

    /// <summary>Whether an early rollover of the ZSK is requested.</summary>
    public bool WantsZsk { get; init; }

    /// <summary>The algorithm that an operator requested instead of the policy's; null = none.</summary>
    public DnssecAlgorithm? WantedAlgorithm { get; init; }

    /// <summary>The algorithm of the policy at that time: a change there cancels the request.</summary>
    public DnssecAlgorithm? PolicyAlgorithm { get; init; }

    /// <summary>The last step's policy, whose times apply while the zone becomes unsigned; null = none.</summary>
    public DnssecPolicy? Policy { get; init; }

    /// <summary>The start of the served slot with an offline KSK; null = none.</summary>
    public DateTimeOffset? Slot { get; init; }

    /// <summary>Whether the zone is becoming unsigned.</summary>
    public bool IsLeaving { get; init; }

    /// <summary>
    /// Whether the source signs the zone: it had signatures of one of the keys while there was no policy.
    /// </summary>
    public bool IsElsewhere { get; init; }

    /// <summary>No version that was served has a greater serial; null = unknown.</summary>
    public uint? HighestSerial { get; init; }

    /// <summary>The keys that should be in the DNSKEY RRset.</summary>
    public KeyIds Published => KeyIds.Of(Keys.Where(key => key.IsPublished).Select(key => key.Id));

    /// <summary>The keys that should sign the DNSKEY RRset.</summary>
    public KeyIds KeySigners =>
        KeyIds.Of(Keys.Where(key => key.IsPublished && key.Role.SignsKeys()).Select(key => key.Id));

    /// <summary>The keys that should sign the other RRsets.</summary>
    public KeyIds ZoneSigners => KeyIds.Of(Keys.Where(key => key.SignsZone).Select(key => key.Id));

    /// <summary>Whether the parent may have a DS RRset, so that the zone would be bogus without signatures.</summary>
    public bool MayHaveDs => DsSets.Any(set => set.Keys.Count > 0);

    /// <summary>Whether a signed version may have been served.</summary>
    internal bool MayHaveBeenServed => HighestSerial is not null || MayHaveDs || KeySets.Any(set => set.Keys.Count > 0);

    /// <summary>Finds a key; null if it does not exist.</summary>
    public KeyRecord? Find(KeyId id) => Keys.FirstOrDefault(key => key.Id == id);

    /// <summary>The keys that are replaced and sign what keys of a role sign.</summary>
    internal KeyIds RetiringWith(KeyRole role) => KeyIds.Of(Keys
        .Where(key => key is { IsRetiring: true, IsRemoved: false }
            && (key.Role.SignsKeys() && role.SignsKeys() || key.Role.SignsZone() && role.SignsZone()))
        .Select(key => key.Id));

    /// <summary>Adds a generated key, not yet in use.</summary>
    public ZoneKeys With(KeyRecord key) => this with { Keys = [.. Keys, key] };

    /// <summary>Replaces a key.</summary>
    internal ZoneKeys With(KeyIds ids, Func<KeyRecord, KeyRecord> change) =>
        this with { Keys = [.. Keys.Select(key => ids.Contains(key.Id) ? change(key) : key)] };

    /// <summary>The state with all times shifted.</summary>
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
