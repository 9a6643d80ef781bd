namespace Dns.Dnssec.Keys;

/// <summary>Properties of each algorithm: names in settings and key files, support here, default digest.</summary>
public static class DnssecAlgorithms
{
    private static readonly (DnssecAlgorithm Algorithm, string Mnemonic)[] Table =
    [
        (DnssecAlgorithm.RsaSha1, "RSASHA1"),
        (DnssecAlgorithm.RsaSha1Nsec3, "NSEC3RSASHA1"),
        (DnssecAlgorithm.RsaSha256, "RSASHA256"),
        (DnssecAlgorithm.RsaSha512, "RSASHA512"),
        (DnssecAlgorithm.EcdsaP256Sha256, "ECDSAP256SHA256"),
        (DnssecAlgorithm.EcdsaP384Sha384, "ECDSAP384SHA384"),
        (DnssecAlgorithm.Ed25519, "ED25519"),
    ];

    /// <summary>The names in settings of the algorithms that can sign on some machine.</summary>
    public static IReadOnlyList<string> SettingNames { get; } =
        [.. Table.Where(row => !IsOfSha1(row.Algorithm)).Select(row => NameOf(row.Algorithm))];

    /// <summary>Those that can sign on this machine. The first use loads its cryptographic library.</summary>
    public static IReadOnlyList<string> SigningNames =>
        field ??= [.. Table.Where(row => CanSign(row.Algorithm)).Select(row => NameOf(row.Algorithm))];

    /// <summary>The mnemonic of the registry in upper case, as in key files; the number if there is none.</summary>
    public static string MnemonicOf(DnssecAlgorithm algorithm)
    {
        foreach ((DnssecAlgorithm candidate, string mnemonic) in Table)
            if (candidate == algorithm) return mnemonic;
        return ((byte)algorithm).ToString(CultureInfo.InvariantCulture);
    }

    /// <summary>The name in settings: the mnemonic in lower case.</summary>
    public static string NameOf(DnssecAlgorithm algorithm) => MnemonicOf(algorithm).ToLowerInvariant();

    /// <summary>Reads a mnemonic in any case, or a number that has one.</summary>
    public static bool TryParse(string text, out DnssecAlgorithm algorithm)
    {
        bool isNumber = byte.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out byte number);
        foreach ((DnssecAlgorithm candidate, string mnemonic) in Table)
        {
            if (isNumber ? (byte)candidate != number : !mnemonic.Equals(text, StringComparison.OrdinalIgnoreCase))
                continue;
            algorithm = candidate;
            return true;
        }
        algorithm = default;
        return false;
    }

    /// <summary>Whether signatures are verified on this machine.</summary>
    public static bool CanVerify(DnssecAlgorithm algorithm) => algorithm switch
    {
        DnssecAlgorithm.RsaSha1 or DnssecAlgorithm.RsaSha1Nsec3 or DnssecAlgorithm.RsaSha256
            or DnssecAlgorithm.RsaSha512
            or DnssecAlgorithm.EcdsaP256Sha256 or DnssecAlgorithm.EcdsaP384Sha384 => true,
        DnssecAlgorithm.Ed25519 => NativeKeys.IsAvailable,
        _ => false,
    };

    /// <summary>Whether keys and signatures are made on this machine; never with SHA-1 (RFC 9905).</summary>
    public static bool CanSign(DnssecAlgorithm algorithm) => !IsOfSha1(algorithm) && CanVerify(algorithm);

    private static bool IsOfSha1(DnssecAlgorithm algorithm) =>
        algorithm is DnssecAlgorithm.RsaSha1 or DnssecAlgorithm.RsaSha1Nsec3;

    /// <summary>Whether signatures are verified and, with <paramref name="toSign"/>, made on this machine.</summary>
    public static bool IsSupported(DnssecAlgorithm algorithm, bool toSign = false) =>
        toSign ? CanSign(algorithm) : CanVerify(algorithm);

    /// <summary>The digest for DS records: SHA-384 for P-384 (RFC 6605 §2), else SHA-256 (RFC 4509).</summary>
    public static DsDigest DefaultDigest(DnssecAlgorithm algorithm) =>
        algorithm == DnssecAlgorithm.EcdsaP384Sha384 ? DsDigest.Sha384 : DsDigest.Sha256;

    /// <summary>Whether it is an RSA algorithm, with keys of variable size.</summary>
    public static bool IsRsa(DnssecAlgorithm algorithm) => algorithm
        is DnssecAlgorithm.RsaSha1 or DnssecAlgorithm.RsaSha1Nsec3 or DnssecAlgorithm.RsaSha256
            or DnssecAlgorithm.RsaSha512;

    /// <summary>Octets of a number of the curve, half of a signature; 0 without a curve.</summary>
    internal static int CurveOctets(DnssecAlgorithm algorithm) => algorithm switch
    {
        DnssecAlgorithm.EcdsaP256Sha256 or DnssecAlgorithm.Ed25519 => 32,
        DnssecAlgorithm.EcdsaP384Sha384 => 48,
        _ => 0,
    };
}
