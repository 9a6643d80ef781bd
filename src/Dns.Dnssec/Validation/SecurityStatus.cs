namespace Dns.Dnssec.Validation;

/// <summary>The security status of data (RFC 4035 §4.3), in ascending order of distrust.</summary>
public enum SecurityStatus : byte
{
    /// <summary>Secure: a chain of signatures leads from an anchor to it.</summary>
    Secure,

    /// <summary>Insecure: a proof shows that no such chain can exist.</summary>
    Insecure,

    /// <summary>Indeterminate: no anchor above it, or no answer, or an error instead of one.</summary>
    Indeterminate,

    /// <summary>Bogus: the chain is broken.</summary>
    Bogus,
}
