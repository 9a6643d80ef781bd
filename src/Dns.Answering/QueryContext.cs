using Dns.Protocol;
using Dns.Zones;

namespace Dns.Answering;

/// <summary>
/// One query on its way to its reply: its octets, what was read of them, where it came from and what it is answered from.
/// </summary>
/// <remarks>Lives on the stack. One is made for a batch; what belongs to a query is then set anew for each.</remarks>
internal ref struct QueryContext
{
    /// <summary>The query's octets at first, then those of its reply; the whole span is room.</summary>
    internal Span<byte> Message;

    /// <summary>What was read of the query.</summary>
    internal ref Query Query;

    /// <summary>Who sent it.</summary>
    internal ref ClientAddress Client;

    /// <summary>How it came.</summary>
    internal DnsTransport Transport;

    /// <summary>When it came, as a timestamp of the transport's clock.</summary>
    internal long Now;

    /// <summary>The zones that it is answered from: those published when it came.</summary>
    internal ZoneSet Zones;

    /// <summary>The zone of the question's name; null if none is served.</summary>
    internal ZoneSlot? ZoneSlot;

    /// <summary>The version of that zone that was answered from; null if none was.</summary>
    internal Zone? Zone;

    /// <summary>Why there is no answer; null if nothing needs explaining.</summary>
    internal ExtendedErrorCode? Error;

    /// <summary>Labels of the question's name in front of the zone's name.</summary>
    internal int ApexSkip;

    /// <summary>Where the reply has to end, in octets of message.</summary>
    internal int Limit;

    /// <summary>The place of the query in its batch.</summary>
    internal int PathSlot;

    /// <summary>The ways back of a batch; null where nobody can wait for a reply.</summary>
    internal IReplyPaths? Paths;

    /// <summary>Signs the reply; null if the query was not signed. Means nothing unless the query is special.</summary>
    internal TsigChain? Chain;

    /// <summary>The error that the signature of the reply tells; NOERROR while all is well.</summary>
    internal Rcode TsigError;

    /// <summary>What the thread keeps.</summary>
    internal Worker Worker;

    /// <summary>Where the thread counts.</summary>
    internal AnswerTally Tally;

    /// <summary>The way back, which the caller then owes a reply; it leads nowhere where nobody can wait.</summary>
    internal readonly ReplyPath TakePath() => Paths is null ? default : Paths.TakePath(PathSlot);
}
