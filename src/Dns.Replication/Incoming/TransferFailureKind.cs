namespace Dns.Replication;

/// <summary>Why a transfer, or a query for the serial, brought nothing.</summary>
public enum TransferFailureKind : byte
{
    /// <summary>The primary could not be reached, or was silent or too slow.</summary>
    Unreachable,

    /// <summary>The connection ended before the last record.</summary>
    EndedEarly,

    /// <summary>The primary answered with a code that is an error.</summary>
    Refused,

    /// <summary>The signature is missing or wrong (RFC 8945).</summary>
    Signature,

    /// <summary>The message is no reply to the query: ID, question, opcode, flags.</summary>
    WrongReply,

    /// <summary>A message or record is malformed, or the records are in no order that RFC 5936 and RFC 1995 know.</summary>
    Malformed,

    /// <summary>The primary has an older version (RFC 1982).</summary>
    SerialBehind,

    /// <summary>Octets, records or time are beyond the limits.</summary>
    TooLarge,

    /// <summary>The differences do not fit the version that is here.</summary>
    DoesNotFit,

    /// <summary>What came is no zone that can be served.</summary>
    BadZone,

    /// <summary>It could not be put on disk.</summary>
    NotKept,

    /// <summary>This server is stopping, or the zone is gone.</summary>
    Cancelled,
}
