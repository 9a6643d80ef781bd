namespace Dns.Dnssec.Keys;

/// <summary>Digests of DS records (IANA DS RR Type Digest Algorithms).</summary>
public enum DsDigest : byte
{
    /// <summary>SHA-1 (RFC 4034): compared, never made by default (RFC 9905).</summary>
    Sha1 = 1,

    /// <summary>SHA-256 (RFC 4509).</summary>
    Sha256 = 2,

    /// <summary>SHA-384 (RFC 6605).</summary>
    Sha384 = 4,
}
