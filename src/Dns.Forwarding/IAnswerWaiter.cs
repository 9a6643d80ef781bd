using Dns.Protocol;

namespace Dns.Forwarding;

/// <summary>Waits for the answer to a question that was asked; told exactly once, by any thread.</summary>
public interface IAnswerWaiter
{
    /// <summary>
    /// Whether an answer may come late, up to the deadline. Others are told SERVFAIL when the client's time is over: a datagram that
    /// comes late goes to an address that may be forged.
    /// </summary>
    bool IsPatient { get; }

    /// <summary>The answer is there, or the reason why there is none: SERVFAIL with an extended error. Must not block or throw.</summary>
    /// <param name="answer">The answer, without regard to the size the client takes.</param>
    /// <param name="records">Its records, valid during the call only.</param>
    /// <param name="tries">Whom the question was sent to until now, valid during the call only.</param>
    void Complete(in RelayedAnswer answer, ReadOnlySpan<byte> records, ReadOnlySpan<TryReport> tries);
}
