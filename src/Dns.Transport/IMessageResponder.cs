namespace Dns.Transport;

/// <summary>
/// Answers messages: the interface between transports and the DNS logic. A reply is one message that overwrites the
/// query; or a deferred one, sent later along a <see cref="ReplyPath"/>; or, over a reliable transport, a sequence of
/// messages that the connection pulls (<see cref="IReplySequence"/>). Implementations are thread-safe and never throw,
/// block or allocate. An internal error at one message of a batch drops that message alone; an exception drops the
/// batch.
/// </summary>
public interface IMessageResponder
{
    /// <summary>Answers a batch of datagrams in their slots.</summary>
    /// <param name="paths">Valid during the call only. To defer a reply, take its path and leave the length 0.</param>
    void RespondToDatagrams(scoped in DatagramBatch batch, IReplyPaths paths);

    /// <summary>Answers one message of a reliable transport, such as TCP (RFC 7766).</summary>
    /// <param name="message">Starts with the query; the whole span, up to 65,535 octets, may be written.</param>
    /// <param name="origin">Client, transport and time of receipt; by reference only to avoid a copy.</param>
    /// <param name="paths">Slot 0, valid during the call only. To defer or stream a reply, take it, return 0.</param>
    /// <returns>Length of the reply; 0 for none, a deferred one, or a sequence.</returns>
    int RespondToMessage(Span<byte> message, int queryOctets, ref QueryOrigin origin, IReplyPaths paths);
}
