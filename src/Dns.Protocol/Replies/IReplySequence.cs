namespace Dns.Protocol;

/// <summary>The result of a pull from an <see cref="IReplySequence"/>.</summary>
public enum SequenceStep
{
    /// <summary>A message was written; more may follow.</summary>
    Written,

    /// <summary>
    /// The next record does not fit, and nothing was written: pull again with <see cref="ReplyPath.RoomOctets"/>. Never
    /// returned for that much room.
    /// </summary>
    NeedsRoom,

    /// <summary>
    /// Nothing was written and nothing is available yet: pull again after <see cref="ReplyPath.Wake"/> on the
    /// sequence's path, which may have been called already.
    /// </summary>
    Waiting,

    /// <summary>Nothing was written: the reply is complete.</summary>
    Ended,

    /// <summary>
    /// Nothing was written, and the reply cannot be completed: the connection is closed, so that the client does not
    /// take it for complete (RFC 5936 §2.2).
    /// </summary>
    Failed,
}

/// <summary>
/// A reply of several messages, such as a zone transfer (RFC 5936 §2.2), which the connection pulls one by one as the
/// client reads. Passed to <see cref="ReplyPath.TryStream"/>.
/// </summary>
/// <remarks>
/// The connection owns it from then on: it is pulled by one thread at a time, though not always the same, and disposed
/// exactly once: after <see cref="SequenceStep.Ended"/> or <see cref="SequenceStep.Failed"/>, or when the connection
/// ends. Its state (a snapshot, a key) bounds its memory; no messages are buffered ahead. A pull never blocks,
/// allocates nothing, and writes one message at most, since sequences and connections take turns.
/// </remarks>
public interface IReplySequence : IDisposable
{
    /// <summary>Writes the next message, complete with header and question where it has one.</summary>
    /// <param name="room">
    /// Receives the message; at least 512 octets, possibly less than <see cref="ReplyPath.RoomOctets"/>.
    /// </param>
    /// <param name="octets">
    /// Length of the message, 12 or more; 0 unless the result is <see cref="SequenceStep.Written"/>.
    /// </param>
    SequenceStep WriteNext(Span<byte> room, out int octets);
}
