namespace Dns.Dnssec.Validation;

/// <summary>What NSEC and NSEC3 records prove about a name.</summary>
internal enum DenialVerdict : byte
{
    /// <summary>Nothing.</summary>
    NotProven,

    /// <summary>The queried denial.</summary>
    Proven,

    /// <summary>That no signed name exists: opt-out, or too many iterations (RFC 5155 §6, RFC 9276 §3.2).</summary>
    Insecure,
}
