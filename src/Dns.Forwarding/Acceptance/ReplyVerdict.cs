namespace Dns.Forwarding;

/// <summary>What an upstream's reply to our question is worth.</summary>
public enum ReplyVerdict : byte
{
    /// <summary>It answers the question; what of it counts has been taken over.</summary>
    Accepted,

    /// <summary>TC: ask again over TCP. Over TCP it is as good as nothing.</summary>
    Truncated,

    /// <summary>FORMERR or BADVERS: the upstream may not know EDNS.</summary>
    FormatError,

    /// <summary>SERVFAIL, or a code that means nothing to a resolver.</summary>
    ServerFailure,

    /// <summary>REFUSED or NOTAUTH.</summary>
    Refused,

    /// <summary>NOTIMP.</summary>
    NotImplemented,

    /// <summary>Octets that are not a message, or a record to be kept that is wrong for its type.</summary>
    Malformed,

    /// <summary>Well formed and no answer: a referral, a loop of aliases, records that contradict the code or each other.</summary>
    Useless,

    /// <summary>BADCOOKIE: ask again with the cookie that came with it (RFC 7873 §5.3).</summary>
    BadCookie,
}
