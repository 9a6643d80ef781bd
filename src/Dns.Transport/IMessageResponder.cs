using Dns.Protocol;

namespace Dns.Transport;

/// <summary>
/// What answers messages: the seam between transports and everything they know nothing of. A reply is one message
/// written over the query in the same memory; or one that comes later along a <see cref="ReplyPath"/>; or, over a
/// reliable transport, a sequence of messages that the connection pulls (<see cref="IReplySequence"/>). Implementations
/// never throw, block, lock or allocate, and may be called by many threads at once. A defect at one message of a batch
/// costs that message alone; what is thrown all the same costs the batch.
/// </summary>
public interface IMessageResponder
{
    /// <summary>Answers a batch of datagrams in their slots.</summary>
    /// <param name="batch">The datagrams, where they came from and when.</param>
    /// <param name="paths">
    /// The ways back, for deferred replies: take the path of the slot and leave the length 0. Valid
    /// during the call only.
    /// </param>
    void RespondToDatagrams(scoped in DatagramBatch batch, IReplyPaths paths);

    /// <summary>Answers one message of a reliable transport, such as TCP (RFC 7766).</summary>
    /// <param name="message">
    /// Starts with the query; the whole span, up to 65,535 octets, is room for the answer.
    /// </param>
    /// <param name="queryOctets">Length of the query.</param>
    /// <param name="origin">Who asked, how and when. By reference only so that the address is not copied.</param>
    /// <param name="paths">
    /// The way back, as slot 0, for a deferred reply or a sequence: take it and return 0. Valid during the
    /// call only.
    /// </param>
    /// <returns>Length of the answer; 0 for none, none yet, or a sequence.</returns>
    int RespondToMessage(Span<byte> message, int queryOctets, ref QueryOrigin origin, IReplyPaths paths);
}
