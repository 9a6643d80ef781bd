namespace Dns.Forwarding.Upstreams;

/// <summary>The origin of a try. Called on any thread, without locks; ignores replies to earlier generations.</summary>
internal interface IReplySink
{
    /// <summary>The client that its tries count for. Lock-free: read under the lock of a path.</summary>
    QueryOwner Owner { get; }

    /// <summary>A message with the ID of a try arrived on its path. Nothing else was checked.</summary>
    /// <param name="reply">The message, a header at least.</param>
    void Receive(in PendingTry pending, ReadOnlySpan<byte> reply, bool isStream);

    /// <summary>A message with the question of a try but another ID arrived: possibly an attempt to forge.</summary>
    void CountGuess(in PendingTry pending);

    /// <summary>The stream of a try ended before a reply.</summary>
    /// <param name="hadReplies">Whether the stream had carried replies: upstreams may close idle ones anytime.</param>
    void EndOfStream(in PendingTry pending, bool hadReplies);

    /// <summary>A try was evicted from its stream; no reply will come.</summary>
    void OnEvicted(in PendingTry pending);
}
