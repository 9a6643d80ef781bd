namespace Dns.Dnssec;

/// <summary>What NSEC and NSEC3 records prove of a name.</summary>
internal enum DenialVerdict : byte
{
    /// <summary>Nothing.</summary>
    NotProven,

    /// <summary>What was asked.</summary>
    Proven,

    /// <summary>No more than that there is no signed name: an opt-out span, or too many iterations (RFC 5155 §6, RFC 9276 §3.2).</summary>
    Insecure,
}
