namespace Dns.Protocol;

/// <summary>What became of one pull from an <see cref="IReplySequence"/>.</summary>
public enum SequenceStep
{
    /// <summary>A message was written; more may follow.</summary>
    Written,

    /// <summary>
    /// The next record does not fit into the room given, and nothing was written: pull again with
    /// <see cref="ReplyPath.RoomOctets"/>. Never the result of a pull with that much room.
    /// </summary>
    NeedsRoom,

    /// <summary>
    /// Nothing was written and nothing is there yet: do not pull before <see cref="ReplyPath.Wake"/> was called on the
    /// sequence's path, which may have happened already.
    /// </summary>
    Waiting,

    /// <summary>Nothing was written, and nothing more comes: the reply is complete.</summary>
    Ended,

    /// <summary>
    /// Nothing was written, and the reply cannot be completed: the connection ends, so that the client does not take
    /// what it has for the whole (RFC 5936 §2.2).
    /// </summary>
    Failed,
}

/// <summary>
/// A reply of several messages, such as a zone transfer (RFC 5936 §2.2), which the connection pulls message by message
/// as the client reads. A responder hands it over with <see cref="ReplyPath.TryStream"/>.
/// </summary>
/// <remarks>
/// The connection owns it from then on: it is pulled by one thread at a time, though not always the same, disposed
/// exactly once, and never touched again after that. It is disposed after <see cref="SequenceStep.Ended"/> and
/// <see cref="SequenceStep.Failed"/>, and whenever the connection ends first. What it holds (a snapshot, a key) bounds its memory;
/// messages are not buffered ahead of the client. A pull never blocks and allocates nothing, and takes about as long as
/// a message takes to write: replies of one connection and connections of one server get turns.
/// </remarks>
public interface IReplySequence : IDisposable
{
    /// <summary>Writes the next message, complete with header and question where it has one.</summary>
    /// <param name="room">
    /// Receives the message, at least 512 octets. May be less than <see cref="ReplyPath.RoomOctets"/>: a connection
    /// offers what its buffers have.
    /// </param>
    /// <param name="octets">Length of the message, 12 or more; 0 unless the result is <see cref="SequenceStep.Written"/>.</param>
    SequenceStep WriteNext(Span<byte> room, out int octets);
}
