namespace Dns.Forwarding.Acceptance;

/// <summary>The verdict on an upstream's reply.</summary>
public enum ReplyVerdict : byte
{
    /// <summary>It answers the question.</summary>
    Accepted,

    /// <summary>TC: retry over TCP. Over TCP it is useless.</summary>
    Truncated,

    /// <summary>FORMERR, NOTIMP, BADVERS, or an error without a question: the upstream may lack EDNS support.</summary>
    FormatError,

    /// <summary>SERVFAIL, or an unexpected RCODE.</summary>
    ServerFailure,

    /// <summary>REFUSED or NOTAUTH.</summary>
    Refused,

    /// <summary>Not a message, or an accepted record has invalid RDATA.</summary>
    Malformed,

    /// <summary>No answer: a referral, an alias loop, or records that contradict the RCODE or each other.</summary>
    Useless,

    /// <summary>BADCOOKIE: retry with the new cookie (RFC 7873 §5.3).</summary>
    BadCookie,
}
