namespace Dns.Dnssec;

/// <summary>Hashes of ZONEMD records (RFC 8976 §2.2.3).</summary>
public enum ZonemdHash : byte
{
    /// <summary>SHA-384.</summary>
    Sha384 = 1,

    /// <summary>SHA-512.</summary>
    Sha512 = 2,
}
