namespace Dns.Dnssec;

/// <summary>What one signature is worth (RFC 4035 §5.3.1).</summary>
public enum SignatureVerdict : byte
{
    /// <summary>It is good now.</summary>
    Valid,

    /// <summary>There is none.</summary>
    None,

    /// <summary>It covers another type, or its octets are no RRSIG.</summary>
    Malformed,

    /// <summary>It is of another zone than the keys.</summary>
    WrongSigner,

    /// <summary>It counts more labels than the owner has.</summary>
    WrongLabels,

    /// <summary>No key of the zone has its algorithm and tag.</summary>
    NoKey,

    /// <summary>Its algorithm is not verified here.</summary>
    Unsupported,

    /// <summary>Its time is over.</summary>
    Expired,

    /// <summary>Its time has not begun.</summary>
    NotYetValid,

    /// <summary>It was not made by the key over these records.</summary>
    Bad,

    /// <summary>It was not looked at: the bound of verifications is reached.</summary>
    TooMuchWork,
}
