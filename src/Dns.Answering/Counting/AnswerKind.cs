namespace Dns.Answering;

/// <summary>What became of a query.</summary>
public enum AnswerKind : byte
{
    /// <summary>Records of the type that was asked for, or an alias.</summary>
    Positive,

    /// <summary>The name exists, data of that type does not (RFC 2308 §2.2).</summary>
    NoData,

    /// <summary>The name does not exist.</summary>
    NameError,

    /// <summary>Another server is named that has the data.</summary>
    Referral,

    /// <summary>Refused by policy, or for a zone that is not served.</summary>
    Refused,

    /// <summary>The server failed, or others that it asked.</summary>
    Failure,

    /// <summary>The message could not be read, or asks for what is not implemented.</summary>
    Malformed,

    /// <summary>Nothing was sent back.</summary>
    Silence,

    /// <summary>Others were asked; the answer is counted when it goes.</summary>
    Later,
}
