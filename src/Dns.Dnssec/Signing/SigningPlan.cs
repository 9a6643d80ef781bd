namespace Dns.Dnssec;

/// <summary>
/// What a zone is to be signed with at a moment: keys and their roles, denial of existence, times, serial. Immutable; a change of
/// keys is another plan. Owns no key: the creator keeps the keys alive while the plan is in use.
/// </summary>
public sealed record SigningPlan
{
    private const int MostDays = 3650;

    /// <summary>How long before the moment of signing signatures begin: for validators whose clocks are slow.</summary>
    public static readonly TimeSpan InceptionOffset = TimeSpan.FromHours(1);

    /// <summary>The RDATA of the CDS record that asks the parent to remove all DS records (RFC 8078 §4).</summary>
    public static ReadOnlySpan<byte> DeleteCds => [0, 0, 0, 0, 0];

    /// <summary>The RDATA of the CDNSKEY record that asks the same (RFC 8078 §4).</summary>
    public static ReadOnlySpan<byte> DeleteCdnskey => [0, 0, 3, 0, 0];

    /// <summary>The keys of the DNSKEY RRset, those that sign among them. No key twice.</summary>
    public required IReadOnlyList<PublicKey> Published { get; init; }

    /// <summary>The keys that sign DNSKEY, CDS and CDNSKEY: KSKs, CSKs.</summary>
    public required IReadOnlyList<SigningKey> KeySigners { get; init; }

    /// <summary>The keys that sign everything else: ZSKs, CSKs. At least one.</summary>
    public required IReadOnlyList<SigningKey> ZoneSigners { get; init; }

    /// <summary>
    /// RRSIG RDATA over DNSKEY, CDS or CDNSKEY that was made elsewhere, with a key that is not on this machine: added as it is.
    /// </summary>
    public IReadOnlyList<byte[]> KeySetSignatures { get; init; } = [];

    /// <summary>How names and types that do not exist are denied.</summary>
    public DenialPlan Denial { get; init; } = DenialPlan.Nsec;

    /// <summary>TTL of DNSKEY, CDS and CDNSKEY in seconds.</summary>
    public uint DnskeyTtl { get; init; } = 3600;

    /// <summary>How long a signature lasts from the moment it is made.</summary>
    public TimeSpan SignatureLifetime { get; init; } = TimeSpan.FromDays(14);

    /// <summary>How long before its end a signature is replaced.</summary>
    public TimeSpan RefreshBefore { get; init; } = TimeSpan.FromDays(5);

    /// <summary>
    /// The most by which a signature ends earlier than its lifetime says, chosen by owner and type: so that not all are replaced at
    /// once. Less than lifetime less refresh.
    /// </summary>
    public TimeSpan Jitter { get; init; } = TimeSpan.FromHours(12);

    /// <summary>The serial of signed versions.</summary>
    public SerialPolicy Serial { get; init; } = SerialPolicy.Increment;

    /// <summary>Whether the zone has a digest of itself (RFC 8976). Each version then takes a walk over the whole zone.</summary>
    public bool Zonemd { get; init; }

    /// <summary>RDATA of the CDS records to publish. Where this and <see cref="Cdnskey"/> are empty, those of the source stay.</summary>
    public IReadOnlyList<byte[]> Cds { get; init; } = [];

    /// <summary>RDATA of the CDNSKEY records to publish.</summary>
    public IReadOnlyList<byte[]> Cdnskey { get; init; } = [];

    /// <summary>What makes the plan one that cannot be carried out, in words; null if nothing does.</summary>
    public string? FindFault()
    {
        if (Published.Count == 0) return "found no key to publish, expected at least one";
        if (ZoneSigners.Count == 0) return "found no key that signs the zone, expected at least one";
        if (KeySigners.Count == 0 && KeySetSignatures.Count == 0) return "found no key that signs the keys, expected at least one";
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
            // While an algorithm comes or goes its signatures are in the zone without its keys (RFC 6781 §4.1.4).
            if (!Published.Contains(key.Public) && HasKeyOf(key.Public.Algorithm))
                return $"found that {key} signs and is not published, expected it in the DNSKEY RRset";
        }
        return ZoneSigners.Any(key => Published.Contains(key.Public))
            ? null : "found no published key that signs the zone, expected at least one";
    }

    private bool HasKeyOf(DnssecAlgorithm algorithm)
    {
        foreach (PublicKey key in Published)
            if (key.Algorithm == algorithm) return true;
        return false;
    }
}
