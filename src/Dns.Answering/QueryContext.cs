namespace Dns.Answering;

/// <summary>The state of one query: its octets, what was parsed, its origin, and the zones that answer it.</summary>
/// <remarks>Lives on the stack. One instance serves a batch; the fields of a query are set for each.</remarks>
internal ref struct QueryContext
{
    /// <summary>The octets of the query, later overwritten by its reply; the whole span may be written.</summary>
    internal Span<byte> Message;

    internal ref Query Query;

    internal ref ClientAddress Client;

    internal DnsTransport Transport;

    internal ResponderOptions Options;

    /// <summary>Time of receipt, a timestamp of the transport's clock.</summary>
    internal long Now;

    /// <summary>The view of the query.</summary>
    internal View View;

    /// <summary>The position of the view, if there are several.</summary>
    internal int ViewAt;

    /// <summary>The snapshot of the view's zones at the time of receipt.</summary>
    internal ZoneSet Zones;

    /// <summary>The zone of the question's name; null if none is served.</summary>
    internal ZoneSlot? ZoneSlot;

    /// <summary>The version of that zone that answered; null if none did.</summary>
    internal Zone? Zone;

    internal ExtendedErrorCode? Error;

    /// <summary>The probable node of the question's name in that zone.</summary>
    internal NodeHint Hint;

    /// <summary>Labels of the question's name in front of the zone's name.</summary>
    internal int ApexSkip;

    /// <summary>The maximum length of the reply, in octets.</summary>
    internal int Limit;

    /// <summary>The index of the query in its batch.</summary>
    internal int PathSlot;

    /// <summary>The reply paths of a batch; null if replies cannot be deferred.</summary>
    internal IReplyPaths? Paths;

    /// <summary>Signs the reply; null for an unsigned query. Valid only if the query is special.</summary>
    internal TsigChain? Chain;

    /// <summary>The error code in the reply's TSIG record.</summary>
    internal Rcode TsigError;

    internal Worker Worker;

    internal AnswerCounts Counts;

    /// <summary>Takes the reply path; the caller then owes it a reply. Empty if replies cannot be deferred.</summary>
    internal readonly ReplyPath TakePath() => Paths is null ? default : Paths.TakePath(PathSlot);
}
