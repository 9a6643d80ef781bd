namespace Dns.Dnssec.Policies;

/// <summary>Keys and signatures of the served version of a zone: what caches can get.</summary>
public sealed record ServedKeys
{
    /// <summary>An unsigned zone.</summary>
    public static readonly ServedKeys Unsigned = new();

    /// <summary>The keys of the DNSKEY RRset.</summary>
    public KeyIds Keys { get; init; } = KeyIds.None;

    /// <summary>The keys that sign the DNSKEY RRset.</summary>
    public KeyIds KeySigners { get; init; } = KeyIds.None;

    /// <summary>
    /// The distinct sets of keys that sign the other RRsets: several while signatures are being replaced. An RRset that
    /// lacks its signature counts as signed by <see cref="KeyIds.None"/>.
    /// </summary>
    public IReadOnlyList<KeyIds> SignerSets { get; init; } = [KeyIds.None];

    /// <summary>The keys in CDS and CDNSKEY.</summary>
    public KeyIds Cds { get; init; } = KeyIds.None;

    /// <summary>Whether CDS and CDNSKEY request the removal of the DS RRset (RFC 8078 §4).</summary>
    public bool IsCdsDelete { get; init; }

    /// <summary>The TTL of the DNSKEY RRset, or of its cached absence.</summary>
    public TimeSpan KeysTtl { get; init; }

    /// <summary>The longest TTL of the zone, negative answers included.</summary>
    public TimeSpan LongestTtl { get; init; }

    /// <summary>The facts after a plan was carried out completely.</summary>
    public static ServedKeys Of(KeyPlan plan, TimeSpan keysTtl, TimeSpan longestTtl) => new()
    {
        Keys = plan.Published,
        KeySigners = plan.KeySigners,
        SignerSets = [plan.ZoneSigners],
        Cds = plan.Cds,
        IsCdsDelete = plan.IsCdsDelete,
        KeysTtl = keysTtl,
        LongestTtl = longestTtl,
    };
}

/// <summary>The DS RRset of a zone at its parent, as last observed.</summary>
/// <param name="Ttl">Its TTL; null = unknown.</param>
public sealed record ParentDs(KeyIds Keys, TimeSpan? Ttl)
{
    /// <summary>Records that match no key of this zone.</summary>
    public int UnknownKeys { get; init; }
}

/// <summary>Events for the keys of a zone since the last step.</summary>
public sealed record ZoneFacts(ServedKeys Served)
{
    /// <summary>The key sets of an offline KSK in order.</summary>
    public IReadOnlyList<SlotKeys> Slots { get; init; } = [];

    /// <summary>The parent's current DS RRset; null = not queried.</summary>
    public ParentDs? Parent { get; init; }

    /// <summary>
    /// Whether a zone without a policy stays signed until the parent has answered: it may have a DS RRset that was
    /// never requested.
    /// </summary>
    public bool AwaitsParent { get; init; }
}
