namespace Dns.Protocol;

/// <summary>The transport's end of a <see cref="ReplyPath"/>. Called from any thread; never throws.</summary>
public interface IReplySender
{
    /// <summary>Sends what the path waits for.</summary>
    void Send(in ReplyPath path, ReadOnlySpan<byte> answer);

    /// <summary>Waits for it no longer.</summary>
    void Abandon(in ReplyPath path);

    /// <summary>Takes over a sequence of messages; false where the path cannot have one.</summary>
    bool TryStream(in ReplyPath path, IReplySequence sequence);

    /// <summary>Pulls the path's sequence again.</summary>
    void Wake(in ReplyPath path);
}
