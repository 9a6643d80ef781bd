using Dns.Protocol;

namespace Dns.Transport;

/// <summary>
/// What answers messages: the seam between transports and everything they know nothing of. Answers are
/// written over the query in the same memory, or sent later along a <see cref="ReplyPath"/>.
/// Implementations never throw, block, lock or allocate, and may be called by many threads at once. A defect
/// at one message of a batch costs that message alone; what is thrown all the same costs the batch.
/// </summary>
public interface IMessageResponder
{
    /// <summary>Answers a batch of 1 to 64 datagrams, each in its own slot.</summary>
    /// <param name="slots">
    /// Slots of <paramref name="slotOctets"/> each, side by side; slot <c>i</c> starts with datagram <c>i</c>
    /// and the whole slot is room for its answer.
    /// </param>
    /// <param name="slotOctets">Size of one slot: at least 512, at most 65,535.</param>
    /// <param name="lengths">
    /// In: length of each datagram. A length above <paramref name="slotOctets"/> says that it did not fit:
    /// only its first octets are there. A length of 0 is an empty datagram, or one that the transport refuses
    /// to have answered. Out: length of the answer, 0 for none or none yet.
    /// </param>
    /// <param name="clients">
    /// Who asked, one for each datagram. Writable only so that addresses are not copied.
    /// </param>
    /// <param name="paths">
    /// The ways back, for answers that come later: take the path of the slot and leave the length 0. Valid
    /// during the call only.
    /// </param>
    void RespondToDatagrams(
        Span<byte> slots, int slotOctets, Span<int> lengths, Span<ClientAddress> clients, IReplyPaths paths);

    /// <summary>Answers one message of a stream transport (RFC 7766).</summary>
    /// <param name="message">
    /// Starts with the query; the whole span, up to 65,535 octets, is room for the answer.
    /// </param>
    /// <param name="queryOctets">Length of the query.</param>
    /// <param name="client">Who asked.</param>
    /// <param name="paths">
    /// The way back, as slot 0, for an answer that comes later: take it and return 0. Valid during the call
    /// only.
    /// </param>
    /// <returns>Length of the answer; 0 for none or none yet.</returns>
    int RespondToStreamMessage(
        Span<byte> message, int queryOctets, ref ClientAddress client, IReplyPaths paths);
}
