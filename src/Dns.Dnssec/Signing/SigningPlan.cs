namespace Dns.Dnssec.Signing;

/// <summary>
/// How a zone is signed: keys and their roles, denial of existence, times, serial. Immutable; a change of keys is
/// another plan. Does not own keys: the creator keeps them alive while the plan is in use.
/// </summary>
public sealed record SigningPlan
{
    private const int MostDays = 3650;

    /// <summary>How far inception is in the past, for validators with slow clocks.</summary>
    public static readonly TimeSpan InceptionOffset = TimeSpan.FromHours(1);

    /// <summary>The RDATA of the CDS record that requests the removal of all DS records (RFC 8078 §4).</summary>
    public static ReadOnlySpan<byte> DeleteCds => [0, 0, 0, 0, 0];

    /// <summary>The RDATA of the CDNSKEY record that requests the removal of all DS records (RFC 8078 §4).</summary>
    public static ReadOnlySpan<byte> DeleteCdnskey => [0, 0, 3, 0, 0];

    /// <summary>The keys of the DNSKEY RRset, including all signers, without duplicates.</summary>
    public required IReadOnlyList<Dnskey> Published { get; init; }

    /// <summary>The keys that sign DNSKEY, CDS and CDNSKEY: KSKs, CSKs.</summary>
    public required IReadOnlyList<SigningKey> KeySigners { get; init; }

    /// <summary>The keys that sign all other RRsets: ZSKs, CSKs. At least one.</summary>
    public required IReadOnlyList<SigningKey> ZoneSigners { get; init; }

    /// <summary>RRSIG RDATA over DNSKEY, CDS or CDNSKEY, made elsewhere with an offline key; added unchanged.</summary>
    public IReadOnlyList<byte[]> KeySetSignatures { get; init; } = [];

    /// <summary>How existence is denied.</summary>
    public DenialPlan Denial { get; init; } = DenialPlan.Nsec;

    /// <summary>TTL of DNSKEY, CDS and CDNSKEY in seconds.</summary>
    public uint DnskeyTtl { get; init; } = 3600;

    /// <summary>The lifetime of a new signature.</summary>
    public TimeSpan SignatureLifetime { get; init; } = TimeSpan.FromDays(14);

    /// <summary>How long before its expiration a signature is renewed.</summary>
    public TimeSpan RefreshBefore { get; init; } = TimeSpan.FromDays(5);

    /// <summary>
    /// The maximum reduction of a signature's lifetime, chosen by owner and type, so that not all are renewed at once.
    /// Less than lifetime less refresh.
    /// </summary>
    public TimeSpan Jitter { get; init; } = TimeSpan.FromHours(12);

    /// <summary>The serial of signed versions.</summary>
    public SerialPolicy Serial { get; init; } = SerialPolicy.Increment;

    /// <summary>Whether the zone has a ZONEMD record (RFC 8976). Each version then needs a walk over it.</summary>
    public bool Zonemd { get; init; }

    /// <summary>RDATA of the CDS records. If this and <see cref="Cdnskey"/> are empty, the source's are kept.</summary>
    public IReadOnlyList<byte[]> Cds { get; init; } = [];

    /// <summary>RDATA of the CDNSKEY records to publish.</summary>
    public IReadOnlyList<byte[]> Cdnskey { get; init; } = [];

    /// <summary>Why the plan cannot be carried out; null if it can.</summary>
    public string? FindFault()
    {
        if (Published.Count == 0) return "found no key to publish, expected at least one";
        if (ZoneSigners.Count == 0) return "found no key that signs the zone, expected at least one";
        if (KeySigners.Count == 0 && KeySetSignatures.Count == 0)
            return "found no key that signs the keys, expected at least one";
        if (SignatureLifetime <= TimeSpan.Zero || RefreshBefore < TimeSpan.Zero || Jitter < TimeSpan.Zero)
            return "found a time below zero, expected a lifetime, a refresh and a jitter of signatures";
        if (SignatureLifetime > TimeSpan.FromDays(MostDays))
            return $"found a lifetime of {SignatureLifetime.TotalDays:0} days, expected at most {MostDays}";
        if (RefreshBefore + Jitter >= SignatureLifetime)
            return "found a lifetime of signatures that refresh and jitter use up, expected a longer one";
        if (DnskeyTtl > int.MaxValue) return "found a DNSKEY TTL above 2147483647, expected one that is not";
        return FindUnpublished() ?? Denial.FindFault();
    }

    private string? FindUnpublished()
    {
        foreach (SigningKey key in (IEnumerable<SigningKey>)[.. KeySigners, .. ZoneSigners])
        {
            // During an algorithm rollover its signatures are in the zone without its keys (RFC 6781 §4.1.4).
            if (!Published.Contains(key.Public) && HasKeyOf(key.Public.Algorithm))
                return $"found that {key} signs and is not published, expected it in the DNSKEY RRset";
        }
        return ZoneSigners.Any(key => Published.Contains(key.Public))
            ? null : "found no published key that signs the zone, expected at least one";
    }

    private bool HasKeyOf(DnssecAlgorithm algorithm)
    {
        foreach (Dnskey key in Published)
            if (key.Algorithm == algorithm) return true;
        return false;
    }
}
