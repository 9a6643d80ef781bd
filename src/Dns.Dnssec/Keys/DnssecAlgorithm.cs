namespace Dns.Dnssec;

/// <summary>DNSSEC algorithms that keys and signatures are made or verified with here (RFC 9904; numbers of IANA).</summary>
public enum DnssecAlgorithm : byte
{
    /// <summary>RSA with SHA-1 (RFC 3110): verified alone, never made.</summary>
    RsaSha1 = 5,

    /// <summary>The same, with NSEC3 allowed (RFC 5155): verified alone, never made.</summary>
    RsaSha1Nsec3 = 7,

    /// <summary>RSA with SHA-256 (RFC 5702).</summary>
    RsaSha256 = 8,

    /// <summary>RSA with SHA-512 (RFC 5702).</summary>
    RsaSha512 = 10,

    /// <summary>ECDSA over P-256 with SHA-256 (RFC 6605), the one that is taken where nothing is said.</summary>
    EcdsaP256Sha256 = 13,

    /// <summary>ECDSA over P-384 with SHA-384 (RFC 6605).</summary>
    EcdsaP384Sha384 = 14,

    /// <summary>Ed25519 (RFC 8080), where the platform has it.</summary>
    Ed25519 = 15,
}
