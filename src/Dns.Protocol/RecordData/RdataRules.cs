namespace Dns.Protocol.RecordData;

/// <summary>Constraints between fields of one record, which a row cannot express.</summary>
internal static class RdataRules
{
    /// <summary>Address and protocol of WKS; the bitmap of ports follows.</summary>
    public const int WksFixedOctets = 5;

    private const int KeyFixedOctets = 4;
    private const int SignedLabels = 3, SignerName = 18;
    private const int Nsec3SaltLength = 4, Nsec3HashOctets = 20;
    private const byte PrivateAlgorithm = 253;

    /// <summary>Finds an error in RDATA whose fields are each well-formed.</summary>
    /// <returns>What was expected; null for none.</returns>
    public static string? FindFault(RRType type, ReadOnlySpan<byte> rdata) => type switch
    {
        RRType.DS or RRType.CDS or RRType.DLV or RRType.TA => FindDigestFault(rdata[3], rdata.Length - 4),
        RRType.SSHFP => FindFingerprintFault(rdata[1], rdata.Length - 2),
        RRType.ZONEMD => FindZoneDigestFault(rdata[5], rdata.Length - 6),
        RRType.KEY => FindKeyFault(rdata),
        RRType.RKEY => rdata[0] == 0 && rdata[1] == 0 ? null : "RKEY flags of 0",
        RRType.IPSECKEY => FindIpsecFault(rdata),
        RRType.DHCID => rdata.Length >= 3 ? null : "at least 3 octets of DHCID data (RFC 4701)",
        RRType.SVCB or RRType.HTTPS => SvcbParamsField.FindFault(rdata),
        _ => null,
    };

    /// <summary>Finds in valid RDATA what other servers reject.</summary>
    /// <returns>What is found; null for none.</returns>
    public static string? FindPortabilityFault(RRType type, ReadOnlySpan<byte> rdata) => type switch
    {
        RRType.WKS => rdata.Length > WksFixedOctets && rdata[^1] == 0 ? "a bitmap that ends with octets of 0" : null,
        RRType.NAPTR => FindExpressionFault(rdata),
        RRType.KEY when HasNoKey(rdata) => rdata.Length > KeyFixedOctets
            ? "a key, although its flags say that there is none (RFC 2535 §3.1.2)" : "no key",
        RRType.KEY or RRType.RKEY or RRType.DNSKEY or RRType.CDNSKEY => FindPrivateKeyFault(rdata),
        RRType.IPSECKEY => rdata.Length <= 1 + GatewayField.MeasureIpsec(rdata[1..]) ? "no public key"
            : rdata[2] == 0 ? "a public key of algorithm 0, which has none (RFC 4025 §2.4)" : null,
        // The hashes of a zone have the length of SHA-1.
        RRType.NSEC3 => rdata[NextHash(rdata)] == Nsec3HashOctets ? null : "a hash that has not 20 octets",
        RRType.SVCB or RRType.HTTPS => SvcbParamsField.FindPortabilityFault(rdata),
        RRType.RRSIG or RRType.SIG => FindSignatureFault(type, rdata),
        _ => null,
    };

    private static int NextHash(ReadOnlySpan<byte> rdata) => Nsec3SaltLength + 1 + rdata[Nsec3SaltLength];

    // RFC 4034 §A.1.1: the key begins with the name of the algorithm.
    private static string? FindPrivateKeyFault(ReadOnlySpan<byte> rdata) =>
        rdata.Length <= KeyFixedOctets || rdata[KeyFixedOctets - 1] != PrivateAlgorithm
        || WireName.TryMeasure(rdata[KeyFixedOctets..], out _)
            ? null : "algorithm 253 without the name of an algorithm (RFC 4034 §A.1.1)";

    // RFC 4034 §3.1.3: the name of the zone is part of every signed name.
    private static string? FindSignatureFault(RRType type, ReadOnlySpan<byte> rdata) =>
        rdata is [0, 0, ..] ? "a signature of type 0, which no record has"
        : type == RRType.RRSIG && rdata[SignedLabels] < WireName.CountLabels(rdata[SignerName..])
            ? "fewer labels than the name of the signer has (RFC 4034 §3.1.3)" : null;

    // REGEXP is the third string, behind order and preference; it is empty where REPLACEMENT is used.
    private static string? FindExpressionFault(ReadOnlySpan<byte> rdata)
    {
        rdata = rdata[(2 * sizeof(ushort))..];
        for (int i = 0; i < 2; i++) rdata = rdata[(1 + rdata[0])..];
        return rdata[0] == 0 || SubstitutionExpression.IsValid(rdata.Slice(1, rdata[0]))
            ? null : "a REGEXP field that is no substitution expression (RFC 3402 §3.2)";
    }

    // RFC 4034 §5.1.4, RFC 4509, RFC 5933, RFC 6605, RFC 9558, RFC 9563; other types are not checked.
    private static string? FindDigestFault(byte digestType, int length) => digestType switch
    {
        1 => length == 20 ? null : "a digest of 20 octets for digest type 1 (SHA-1)",
        2 => length == 32 ? null : "a digest of 32 octets for digest type 2 (SHA-256)",
        3 => length == 32 ? null : "a digest of 32 octets for digest type 3 (GOST R 34.11-94)",
        4 => length == 48 ? null : "a digest of 48 octets for digest type 4 (SHA-384)",
        5 => length == 32 ? null : "a digest of 32 octets for digest type 5 (GOST R 34.11-2012)",
        6 => length == 32 ? null : "a digest of 32 octets for digest type 6 (SM3)",
        _ => null,
    };

    // RFC 4255 §3.1.2, RFC 6594 §2.
    private static string? FindFingerprintFault(byte fingerprintType, int length) => fingerprintType switch
    {
        1 => length == 20 ? null : "a fingerprint of 20 octets for type 1 (SHA-1)",
        2 => length == 32 ? null : "a fingerprint of 32 octets for type 2 (SHA-256)",
        _ => null,
    };

    // RFC 8976 §2.2.3 and §2.2.4.
    private static string? FindZoneDigestFault(byte algorithm, int length) => algorithm switch
    {
        1 => length == 48 ? null : "a digest of 48 octets for hash algorithm 1 (SHA-384)",
        2 => length == 64 ? null : "a digest of 64 octets for hash algorithm 2 (SHA-512)",
        _ => length >= 12 ? null : "a digest of 12 octets or more (RFC 8976)",
    };

    private static string? FindKeyFault(ReadOnlySpan<byte> rdata) =>
        rdata.Length > KeyFixedOctets || HasNoKey(rdata) ? null : "a key in base64";

    // Both top bits of the flags mean that there is no key (RFC 2535 §3.1.2).
    private static bool HasNoKey(ReadOnlySpan<byte> rdata) => rdata[0] >= 0xC0;

    // Only algorithm 0 has no key (RFC 4025 §2.4).
    private static string? FindIpsecFault(ReadOnlySpan<byte> rdata)
    {
        bool hasKey = rdata.Length > 1 + GatewayField.MeasureIpsec(rdata[1..]);
        return hasKey || rdata[2] == 0 ? null : "a key in base64";
    }
}
