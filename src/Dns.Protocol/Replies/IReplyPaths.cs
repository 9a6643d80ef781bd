namespace Dns.Protocol.Replies;

/// <summary>Reply paths of the current messages: valid during the call, on its thread. Allocates nothing.</summary>
public interface IReplyPaths
{
    /// <summary>
    /// Takes the path of one message, and owes it one <see cref="ReplyPath.Send"/>, <see cref="ReplyPath.Abandon"/> or
    /// successful <see cref="ReplyPath.TryStream"/>, soon: a stop waits for it, and a connection stays open for it.
    /// </summary>
    /// <param name="slot">Of the datagram, whose length was not 0; 0 for a message of a reliable transport.</param>
    ReplyPath TakePath(int slot);
}
