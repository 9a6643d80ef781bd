namespace Dns.Dnssec.Keys;

/// <summary>DNSSEC algorithms that are signed with or verified here (RFC 9904; numbers of IANA).</summary>
public enum DnssecAlgorithm : byte
{
    /// <summary>RSA with SHA-1 (RFC 3110): only verified.</summary>
    RsaSha1 = 5,

    /// <summary>RSA with SHA-1 and NSEC3 (RFC 5155): only verified.</summary>
    RsaSha1Nsec3 = 7,

    /// <summary>RSA with SHA-256 (RFC 5702).</summary>
    RsaSha256 = 8,

    /// <summary>RSA with SHA-512 (RFC 5702).</summary>
    RsaSha512 = 10,

    /// <summary>ECDSA over P-256 with SHA-256 (RFC 6605), the default.</summary>
    EcdsaP256Sha256 = 13,

    /// <summary>ECDSA over P-384 with SHA-384 (RFC 6605).</summary>
    EcdsaP384Sha384 = 14,

    /// <summary>Ed25519 (RFC 8080), if the platform supports it.</summary>
    Ed25519 = 15,
}
