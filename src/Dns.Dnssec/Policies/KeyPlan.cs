namespace Dns.Dnssec.Policies;

/// <summary>The keys that sign a zone at a moment, by id; their files make it a <see cref="SigningPlan"/>.</summary>
public sealed record KeyPlan
{
    /// <summary>The keys of the DNSKEY RRset; none = the zone is not signed.</summary>
    public KeyIds Published { get; init; } = KeyIds.None;

    /// <summary>Those that sign DNSKEY, CDS and CDNSKEY.</summary>
    public KeyIds KeySigners { get; init; } = KeyIds.None;

    /// <summary>Those that sign all other RRsets; of a new algorithm perhaps unpublished (RFC 6781 §4.1.4).</summary>
    public KeyIds ZoneSigners { get; init; } = KeyIds.None;

    /// <summary>Those in CDS and CDNSKEY; none = no such records, except those of <see cref="IsCdsDelete"/>.</summary>
    public KeyIds Cds { get; init; } = KeyIds.None;

    /// <summary>Whether CDS and CDNSKEY request the removal of the DS RRset (RFC 8078 §4).</summary>
    public bool IsCdsDelete { get; init; }

    /// <summary>The start of the slot whose signatures the DNSKEY RRset has; null = signed here.</summary>
    public DateTimeOffset? Slot { get; init; }

    /// <summary>Whether the zone is signed.</summary>
    public bool IsSigned => Published.Count > 0 || ZoneSigners.Count > 0;
}
