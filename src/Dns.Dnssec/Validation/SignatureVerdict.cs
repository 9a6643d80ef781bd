namespace Dns.Dnssec.Validation;

/// <summary>The result of checking one signature (RFC 4035 §5.3.1).</summary>
public enum SignatureVerdict : byte
{
    /// <summary>It is valid.</summary>
    Valid,

    /// <summary>There is none.</summary>
    None,

    /// <summary>It covers another type, or is malformed.</summary>
    Malformed,

    /// <summary>Its signer is not the zone of the keys.</summary>
    WrongSigner,

    /// <summary>It counts more labels than the owner has.</summary>
    WrongLabels,

    /// <summary>No key of the zone has its algorithm and tag.</summary>
    NoKey,

    /// <summary>Its algorithm is not supported.</summary>
    Unsupported,

    /// <summary>It has expired.</summary>
    Expired,

    /// <summary>It is not valid yet.</summary>
    NotYetValid,

    /// <summary>The cryptographic verification failed.</summary>
    Bad,

    /// <summary>It was not checked: the bound of verifications is reached.</summary>
    TooMuchWork,
}
