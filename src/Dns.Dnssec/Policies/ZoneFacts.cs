namespace Dns.Dnssec;

/// <summary>What the version of a zone that is served has of keys and signatures: what caches can get.</summary>
public sealed record ServedKeys
{
    /// <summary>A zone that is not signed.</summary>
    public static readonly ServedKeys Unsigned = new();

    /// <summary>The keys of the DNSKEY RRset.</summary>
    public KeyIds Keys { get; init; } = KeyIds.None;

    /// <summary>The keys that the DNSKEY RRset is signed by.</summary>
    public KeyIds KeySigners { get; init; } = KeyIds.None;

    /// <summary>
    /// The keys that each of the other RRsets is signed by, every combination once: while signatures are exchanged step by step there are
    /// several. An RRset without a signature that should have one counts as signed by <see cref="KeyIds.None"/>.
    /// </summary>
    public IReadOnlyList<KeyIds> SignerSets { get; init; } = [KeyIds.None];

    /// <summary>The keys that CDS and CDNSKEY name.</summary>
    public KeyIds Cds { get; init; } = KeyIds.None;

    /// <summary>Whether CDS and CDNSKEY ask for the removal of the DS RRset (RFC 8078 §4).</summary>
    public bool IsCdsDelete { get; init; }

    /// <summary>The TTL of the DNSKEY RRset, or how long a cache remembers that there is none.</summary>
    public TimeSpan KeysTtl { get; init; }

    /// <summary>The longest TTL of the zone, negative answers included.</summary>
    public TimeSpan LongestTtl { get; init; }

    /// <summary>What is served once a plan was carried out in full.</summary>
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
/// <param name="Keys">The keys of the zone that it names.</param>
/// <param name="Ttl">Its TTL; null = not known.</param>
public sealed record ParentDs(KeyIds Keys, TimeSpan? Ttl)
{
    /// <summary>Records that name no key of this zone.</summary>
    public int Strangers { get; init; }
}

/// <summary>What happened around the keys of a zone since the last step.</summary>
/// <param name="Served">What is served at this moment.</param>
public sealed record ZoneFacts(ServedKeys Served)
{
    /// <summary>The key sets of a KSK that is kept elsewhere, the first one first.</summary>
    public IReadOnlyList<SlotKeys> Slots { get; init; } = [];

    /// <summary>What is at the parent at this moment; null = the parent was not asked.</summary>
    public ParentDs? Parent { get; init; }
}
