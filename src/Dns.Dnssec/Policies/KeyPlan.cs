namespace Dns.Dnssec;

/// <summary>
/// What a zone is to be signed with at a moment, by the names of the keys; their files make a <see cref="SigningPlan"/> of it.
/// </summary>
public sealed record KeyPlan
{
    /// <summary>The keys of the DNSKEY RRset; none = the zone is not signed.</summary>
    public KeyIds Published { get; init; } = KeyIds.None;

    /// <summary>Those that sign DNSKEY, CDS and CDNSKEY.</summary>
    public KeyIds KeySigners { get; init; } = KeyIds.None;

    /// <summary>Those that sign all else. One of another algorithm may not be published yet (RFC 6781 §4.1.4).</summary>
    public KeyIds ZoneSigners { get; init; } = KeyIds.None;

    /// <summary>Those that CDS and CDNSKEY name; none = there are no such records but those of <see cref="IsCdsDelete"/>.</summary>
    public KeyIds Cds { get; init; } = KeyIds.None;

    /// <summary>Whether CDS and CDNSKEY ask for the removal of the DS RRset (RFC 8078 §4).</summary>
    public bool IsCdsDelete { get; init; }

    /// <summary>The start of the slot whose signatures the DNSKEY RRset has; null = they are made here.</summary>
    public DateTimeOffset? Slot { get; init; }

    /// <summary>Whether the zone is to be signed at all.</summary>
    public bool IsSigned => Published.Count > 0 || ZoneSigners.Count > 0;
}
