namespace Dns.Answering.Counting;

/// <summary>The outcome of a query.</summary>
public enum AnswerKind : byte
{
    /// <summary>Records of the queried type, or an alias.</summary>
    Positive,

    /// <summary>The name exists, data of that type does not (RFC 2308 §2.2).</summary>
    NoData,

    /// <summary>The name does not exist.</summary>
    NameError,

    /// <summary>A referral to the servers of a child zone.</summary>
    Referral,

    /// <summary>Refused by policy, or no zone of the name is served.</summary>
    Refused,

    /// <summary>The server or its upstreams failed.</summary>
    Failure,

    /// <summary>The message is malformed, or needs what is not implemented.</summary>
    Malformed,

    /// <summary>No reply.</summary>
    Silence,

    /// <summary>Deferred to another source; counted again by kind when the answer is sent.</summary>
    Later,
}
