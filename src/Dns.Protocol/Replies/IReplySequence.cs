namespace Dns.Protocol.Replies;

/// <summary>The result of a pull from an <see cref="IReplySequence"/>.</summary>
public enum SequenceStep
{
    /// <summary>A message was written; more may follow.</summary>
    Written,

    /// <summary>No room, nothing written: pull again with <see cref="ReplyPath.RoomOctets"/>, which suffices.</summary>
    NeedsRoom,

    /// <summary>Nothing is available yet: pull again after <see cref="ReplyPath.Wake"/>, even an earlier one.</summary>
    Waiting,

    /// <summary>Nothing was written: the reply is complete.</summary>
    Ended,

    /// <summary>The reply cannot be completed: closes the connection, so the client knows (RFC 5936 §2.2).</summary>
    Failed,
}

/// <summary>A reply of several messages, as a zone transfer (RFC 5936 §2.2), pulled as the client reads.</summary>
/// <remarks>
/// The connection owns it from <see cref="ReplyPath.TryStream"/> on: it is pulled by one thread at a time, not always
/// the same, and disposed once: after <see cref="SequenceStep.Ended"/> or <see cref="SequenceStep.Failed"/>, or at the
/// end of the connection. Its state (a snapshot, a key) bounds its memory; no messages are buffered ahead. A pull never
/// blocks, and writes one message at most, since sequences and connections take turns. The first may prepare the state;
/// others allocate nothing.
/// </remarks>
public interface IReplySequence : IDisposable
{
    /// <summary>Writes the next message, complete with header and question where it has one.</summary>
    /// <param name="room">For the message: at least 512 octets, maybe below <see cref="ReplyPath.RoomOctets"/>.</param>
    /// <param name="octets">12 or more; 0 unless the result is <see cref="SequenceStep.Written"/>.</param>
    SequenceStep WriteNext(Span<byte> room, out int octets);
}
