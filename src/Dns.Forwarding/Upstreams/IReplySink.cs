namespace Dns.Forwarding;

/// <summary>Who asked an upstream something. Called by any thread, without locks; replies to an earlier life are ignored.</summary>
internal interface IReplySink
{
    /// <summary>A message came back on the path and under the ID of a try. Nothing else about it has been looked at.</summary>
    /// <param name="pending">The try.</param>
    /// <param name="reply">The message, a header at least.</param>
    /// <param name="isStream">Whether it came over a stream.</param>
    void Receive(in PendingTry pending, ReadOnlySpan<byte> reply, bool isStream);

    /// <summary>A message with the question of a try, and not its ID, came: somebody may be guessing.</summary>
    void CountGuess(in PendingTry pending);

    /// <summary>The stream of a try ended before a reply.</summary>
    /// <param name="pending">The try.</param>
    /// <param name="hadReplies">Whether the stream carried replies before: upstreams close idle streams at any time.</param>
    void EndOfStream(in PendingTry pending, bool hadReplies);

    /// <summary>The place of a try on its stream was given to a newer one. No reply comes any more.</summary>
    void GiveWay(in PendingTry pending);
}
