namespace Dns.Dnssec;

/// <summary>What data is worth to a validator (RFC 4035 §4.3); the higher, the worse.</summary>
public enum SecurityStatus : byte
{
    /// <summary>A chain of signatures leads from an anchor to it.</summary>
    Secure,

    /// <summary>It is proved that no such chain can be.</summary>
    Insecure,

    /// <summary>There is no anchor above it, or no answer.</summary>
    Indeterminate,

    /// <summary>There should be a chain, and it is broken.</summary>
    Bogus,
}
