namespace Dns.Protocol.Tsig;

/// <summary>The result of verifying a message (RFC 8945 §5.2, §5.3).</summary>
public enum TsigVerdict : byte
{
    /// <summary>The message is not signed.</summary>
    Unsigned,

    /// <summary>Signed with a known key, within the time window.</summary>
    Good,

    /// <summary>Message or record are malformed: FORMERR.</summary>
    Malformed,

    /// <summary>The key is unknown, or has another algorithm: BADKEY.</summary>
    BadKey,

    /// <summary>The MAC is wrong: BADSIG.</summary>
    BadSignature,

    /// <summary>The MAC is right, the time is not: BADTIME.</summary>
    BadTime,

    /// <summary>The MAC is right, but truncated too much: BADTRUNC.</summary>
    BadTruncation,
}
