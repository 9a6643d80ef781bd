namespace Dns.Protocol;

/// <summary>
/// Where a responder gets the ways back of the messages at hand. Transports implement it on what they have
/// anyway, so asking allocates nothing. Valid during the call that handed it over, on its thread.
/// </summary>
public interface IReplyPaths
{
    /// <summary>
    /// Takes the way back of one message. Whoever takes it owes the transport exactly one
    /// <see cref="ReplyPath.Send"/>, <see cref="ReplyPath.Abandon"/> or successful <see cref="ReplyPath.TryStream"/>, and soon: a
    /// stop waits for it and a stream connection stays open for it.
    /// </summary>
    /// <param name="slot">
    /// The slot of the datagram; 0 for the message of a reliable transport. Not one whose length is 0 on entry.
    /// </param>
    ReplyPath TakePath(int slot);
}
