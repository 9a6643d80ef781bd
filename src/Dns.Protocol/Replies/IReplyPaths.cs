namespace Dns.Protocol;

/// <summary>
/// Provides the reply paths of the current messages. Implemented by a transport on existing objects, so that it
/// allocates nothing. Valid during the call that passed it, on its thread.
/// </summary>
public interface IReplyPaths
{
    /// <summary>
    /// Takes the reply path of one message. The caller then owes it exactly one <see cref="ReplyPath.Send"/>,
    /// <see cref="ReplyPath.Abandon"/> or successful <see cref="ReplyPath.TryStream"/>, and soon: a stop waits for it,
    /// and a connection stays open for it.
    /// </summary>
    /// <param name="slot">
    /// The slot of the datagram, whose length was not 0; 0 for the message of a reliable transport.
    /// </param>
    ReplyPath TakePath(int slot);
}
