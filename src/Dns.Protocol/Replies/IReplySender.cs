namespace Dns.Protocol.Replies;

/// <summary>The transport behind a <see cref="ReplyPath"/>. Called on any thread; never throws.</summary>
public interface IReplySender
{
    /// <summary>Sends the reply of a path.</summary>
    void Send(in ReplyPath path, ReadOnlySpan<byte> answer);

    /// <summary>Ends a path without a reply.</summary>
    void Abandon(in ReplyPath path);

    /// <summary>Takes ownership of a sequence of messages; false if the path does not support it.</summary>
    bool TryStream(in ReplyPath path, IReplySequence sequence);

    /// <summary>Pulls the path's sequence again.</summary>
    void Wake(in ReplyPath path);
}
