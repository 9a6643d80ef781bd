namespace Dns.Protocol;

/// <summary>What the signature of a message is worth (RFC 8945 §5.2, §5.3).</summary>
public enum TsigVerdict : byte
{
    /// <summary>The message is not signed.</summary>
    Unsigned,

    /// <summary>Signed with a key that is known, now.</summary>
    Good,

    /// <summary>Message or record are malformed: FORMERR.</summary>
    Malformed,

    /// <summary>The key is unknown, or is not for that algorithm: BADKEY.</summary>
    BadKey,

    /// <summary>The code is not that of these octets: BADSIG.</summary>
    BadSignature,

    /// <summary>The code is good, the time is not: BADTIME.</summary>
    BadTime,

    /// <summary>The code is good, but shorter than is accepted here: BADTRUNC.</summary>
    BadTruncation,
}
