namespace Dns.Dnssec.Policies;

/// <summary>
/// How zones are signed and when their keys roll over: an entry of <c>DnssecPolicies</c>. Immutable. Times are whole
/// seconds.
/// </summary>
/// <param name="Name">Its name; letter case does not matter.</param>
public sealed record DnssecPolicy(string Name)
{
    /// <summary>The name of the built-in policy.</summary>
    public const string DefaultName = "default";

    /// <summary>The limits of the size of generated RSA keys, in bits.</summary>
    public const int LeastRsaBits = 2048, MostRsaBits = 4096;

    /// <summary>The longest TTL, and the longest delay.</summary>
    public static readonly TimeSpan MostDelay = TimeSpan.FromDays(30);

    /// <summary>The longest validity of signatures.</summary>
    public static readonly TimeSpan MostSignatureLifetime = TimeSpan.FromDays(365);

    /// <summary>The longest lifetime of a key.</summary>
    public static readonly TimeSpan MostKeyLifetime = TimeSpan.FromDays(3650);

    /// <summary>The built-in policy, which has the defaults of other policies.</summary>
    public static DnssecPolicy Default { get; } = new(DefaultName);

    /// <summary>The algorithm of the keys. A change rolls them over.</summary>
    public DnssecAlgorithm Algorithm { get; init; } = DnssecAlgorithm.EcdsaP256Sha256;

    /// <summary>Bits of RSA keys. A change applies to new keys.</summary>
    public int RsaBits { get; init; } = LeastRsaBits;

    /// <summary>The kinds of keys of a zone. A change rolls them over.</summary>
    public KeyScheme Keys { get; init; }

    /// <summary>Whether the KSK is offline, and DNSKEY RRsets come signed in bundles, <see cref="KeySets"/>.</summary>
    public bool OfflineKsk { get; init; }

    /// <summary>How existence is denied.</summary>
    public DenialMethod Denial { get; init; }

    /// <summary>Whether NSEC3 leaves out unsigned delegations (RFC 5155 §6).</summary>
    public bool OptOut { get; init; }

    /// <summary>The validity of a signature.</summary>
    public TimeSpan SignatureLifetime { get; init; } = TimeSpan.FromDays(14);

    /// <summary>How long before it expires a signature is renewed.</summary>
    public TimeSpan Refresh { get; init; } = TimeSpan.FromDays(5);

    /// <summary>How long a ZSK signs before the next one does; zero = until a manual rollover. Not for a CSK.</summary>
    public TimeSpan ZskLifetime { get; init; } = TimeSpan.FromDays(90);

    /// <summary>How long a KSK or CSK is used before the next one is; zero = until a manual rollover.</summary>
    public TimeSpan KskLifetime { get; init; }

    /// <summary>The longest time until all servers of the zone have a new version (Dprp of RFC 7583).</summary>
    public TimeSpan PropagationDelay { get; init; } = TimeSpan.FromMinutes(5);

    /// <summary>A safety margin besides RFC 7583 before removing anything that was in use.</summary>
    public TimeSpan RetireSafety { get; init; } = TimeSpan.FromHours(1);

    /// <summary>The TTL of the DNSKEY, CDS and CDNSKEY RRsets; null = that of the zone's SOA.</summary>
    public TimeSpan? DnskeyTtl { get; init; }

    /// <summary>The assumed TTL of the DS RRset until it is first seen at the parent (TTLds of RFC 7583).</summary>
    public TimeSpan ParentDsTtl { get; init; } = TimeSpan.FromDays(1);

    /// <summary>The longest delay of a new DS RRset at the parent (DprpP of RFC 7583); null = as the zone's.</summary>
    public TimeSpan? ParentPropagationDelay { get; init; }

    internal TimeSpan ParentDelay => ParentPropagationDelay ?? PropagationDelay;

    /// <summary>Whether the zone has a ZONEMD record (RFC 8976).</summary>
    public bool Zonemd { get; init; }

    /// <summary>How the serial of a signed version is derived.</summary>
    public SerialPolicy Serial { get; init; }

    /// <summary>The servers to query for the DS RRset of the zone; null = none, and an operator confirms it.</summary>
    public PeerAddress? ParentResolver { get; init; }

    /// <summary>The roles of a zone's keys.</summary>
    public IReadOnlyList<KeyRole> Roles => Keys == KeyScheme.Csk ? [KeyRole.Csk] : [KeyRole.Ksk, KeyRole.Zsk];

    /// <summary>The lifetime of a key of a role; zero = unlimited.</summary>
    public TimeSpan LifetimeOf(KeyRole role) => role == KeyRole.Zsk ? ZskLifetime : KskLifetime;

    /// <summary>The shortest lifetime of keys: until caches know the next key and have forgotten this one.</summary>
    public TimeSpan LeastKeyLifetime => (DnskeyTtl ?? TimeSpan.Zero) + PropagationDelay + RetireSafety;

    /// <summary>Impossible combinations: the setting, and the reason.</summary>
    /// <param name="unread">Settings whose values are unknown: what depends on them is not reported.</param>
    public IEnumerable<(string Setting, string Message)> FindErrors(IReadOnlySet<string>? unread = null)
    {
        foreach (var (setting, needed, message) in FindCombinations())
            if (unread is null || !unread.Contains(setting) && !needed.Any(unread.Contains))
                yield return (setting, message);
    }

    private IEnumerable<(string Setting, string[] Needed, string Message)> FindCombinations()
    {
        if (SignatureLifetime <= TimeSpan.Zero)
            yield return (nameof(SignatureLifetime), [], "signatures would never be valid: expected a time above 0");
        else if (Refresh >= SignatureLifetime)
            yield return (nameof(Refresh), [nameof(SignatureLifetime)],
                "expected it below SignatureLifetime: signatures are renewed that long before they expire");
        if (OptOut && Denial != DenialMethod.Nsec3)
            yield return (nameof(OptOut), [nameof(Denial)],
                "opt-out needs NSEC3: expected \"Denial\": \"nsec3\" beside it");
        if (OfflineKsk && Keys != KeyScheme.KskAndZsk)
            yield return (nameof(OfflineKsk), [nameof(Keys)],
                "a CSK cannot be offline: expected \"Keys\": \"ksk+zsk\" beside it");
        if (OfflineKsk && KskLifetime != TimeSpan.Zero)
            yield return (nameof(KskLifetime), [nameof(OfflineKsk)],
                "an offline KSK rolls over by bundles: expected 0");
        if (Denial == DenialMethod.Compact && Zonemd)
            yield return (nameof(Zonemd), [nameof(Denial)],
                "ZONEMD needs all signatures of the zone: expected another \"Denial\" than \"compact\" beside it");
        if (Denial == DenialMethod.Compact &&
            Algorithm is not (DnssecAlgorithm.EcdsaP256Sha256 or DnssecAlgorithm.Ed25519))
            yield return (nameof(Algorithm), [nameof(Denial)],
                "clients wait while a signature is made: expected ecdsap256sha256 or ed25519 beside \"Denial\": " +
                    "\"compact\"");
        // With an offline KSK the keys will have to be two, and the lifetime of the KSK is 0.
        foreach (KeyRole role in OfflineKsk ? [KeyRole.Zsk] : Roles)
        {
            TimeSpan lifetime = LifetimeOf(role);
            if (lifetime != TimeSpan.Zero && lifetime < LeastKeyLifetime)
                yield return (role == KeyRole.Zsk ? nameof(ZskLifetime) : nameof(KskLifetime),
                    [nameof(Keys), nameof(OfflineKsk), nameof(PropagationDelay), nameof(RetireSafety),
                        nameof(DnskeyTtl)],
                    $"the next key would not be known to all caches in time: expected 0, or " +
                        $"{LeastKeyLifetime.TotalSeconds:0} s (PropagationDelay, RetireSafety and DnskeyTtl) at least");
        }
    }

    // Not less than it is: lifetimes up to it are reported.
    private static string TextOf(TimeSpan time)
    {
        if (time < TimeSpan.FromHours(1)) return $"{time.TotalSeconds:0} s";
        (int days, int hours) = Math.DivRem((int)Math.Ceiling(time.TotalHours), 24);
        return days == 0 ? $"{hours} h" : hours == 0 ? $"{days} d" : $"{days} d {hours} h";
    }

    /// <summary>Combinations that are possible but probably unintended.</summary>
    public IEnumerable<(string Setting, string Message)> FindWarnings()
    {
        if (Refresh < PropagationDelay + (DnskeyTtl ?? TimeSpan.Zero))
            yield return (nameof(Refresh),
                "signatures may expire before all servers have the next ones: it is below PropagationDelay and " +
                    "DnskeyTtl");
        // The sum of the waits of RFC 7583 §3.2.1 and §3.3.1.
        TimeSpan rest = LeastKeyLifetime + PropagationDelay;
        TimeSpan signatures = SignatureLifetime - Refresh, ds = ParentDsTtl + ParentDelay;
        foreach (KeyRole role in Roles)
        {
            TimeSpan lifetime = LifetimeOf(role), whole = rest + (role.SignsZone() ? signatures : TimeSpan.Zero)
                + (role.SignsKeys() ? ds : TimeSpan.Zero);
            if (lifetime != TimeSpan.Zero && lifetime >= LeastKeyLifetime && lifetime < whole)
                yield return (role == KeyRole.Zsk ? nameof(ZskLifetime) : nameof(KskLifetime),
                    $"a rollover may take {TextOf(whole)} with the other times of the policy: keys will be " +
                        $"used for longer");
        }
    }
}
