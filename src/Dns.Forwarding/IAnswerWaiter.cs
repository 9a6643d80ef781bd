namespace Dns.Forwarding;

/// <summary>Waits for the answer to a forwarded question; completed exactly once, on any thread.</summary>
public interface IAnswerWaiter
{
    /// <summary>
    /// Whether the client's address is proven, by a stream or a valid cookie. Its answer may come late, up to the
    /// deadline. Others get SERVFAIL before: a late datagram could go to a forged address. Shares are counted apart.
    /// </summary>
    bool IsProven { get; }

    /// <summary>
    /// Whether the client's query arrived with this ID and exactly this question: name in its letter case, type and
    /// class. Called for queries from the port of an upstream query only, under its lock. Must not block or throw.
    /// </summary>
    bool Matches(ushort id, ReadOnlySpan<byte> question);

    /// <summary>Delivers the answer, or SERVFAIL with an extended error. Must not block or throw.</summary>
    /// <param name="answer">The answer, not truncated to the client's size.</param>
    /// <param name="records">Its records, valid during the call only.</param>
    /// <param name="tries">The tries so far, valid during the call only.</param>
    void Complete(in RelayedAnswer answer, ReadOnlySpan<byte> records, ReadOnlySpan<TryReport> tries);
}
