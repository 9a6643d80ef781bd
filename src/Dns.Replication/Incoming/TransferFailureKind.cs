namespace Dns.Replication.Incoming;

/// <summary>The kind of a failed transfer or serial query.</summary>
public enum TransferFailureKind : byte
{
    /// <summary>The primary was unreachable, silent or too slow.</summary>
    Unreachable,

    /// <summary>The connection ended before the last record.</summary>
    EndedEarly,

    /// <summary>The primary answered with an error RCODE.</summary>
    Refused,

    /// <summary>The signature is missing or wrong (RFC 8945).</summary>
    Signature,

    /// <summary>The message is not a reply to the query: ID, question, opcode, flags.</summary>
    WrongReply,

    /// <summary>A message or record is malformed, or the order of records violates RFC 5936 and RFC 1995.</summary>
    Malformed,

    /// <summary>The primary has an older version (RFC 1982).</summary>
    SerialBehind,

    /// <summary>Octets, records or time exceed the limits.</summary>
    TooLarge,

    /// <summary>The deltas do not match the current version.</summary>
    DoesNotFit,

    /// <summary>The result is not a valid zone.</summary>
    BadZone,

    /// <summary>It could not be stored on disk.</summary>
    NotStored,

    /// <summary>The server is stopping, or the zone was removed.</summary>
    Cancelled,
}
