namespace Dns.Dnssec.Policies;

/// <summary>How a zone denies existence.</summary>
public enum DenialMethod : byte
{
    /// <summary>NSEC records (RFC 4034 §4).</summary>
    Nsec,

    /// <summary>NSEC3 records (RFC 5155) with 0 iterations and no salt (RFC 9276 §3.1).</summary>
    Nsec3,

    /// <summary>One NSEC record for each answer, signed on demand like the whole zone (RFC 9824).</summary>
    Compact,
}
