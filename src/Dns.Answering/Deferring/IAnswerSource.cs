using Dns.Protocol;

namespace Dns.Answering;

/// <summary>
/// Where answers come from that no zone here has: other servers, a signer, a database. What is known is copied at once; for the
/// rest the query is deferred, and answered by <see cref="Responder.Resume"/> when its answer is there.
/// </summary>
/// <remarks>Made for one call of the responder, on the stack of its caller; allocates nothing.</remarks>
public interface IAnswerSource
{
    /// <summary>Begins with another query.</summary>
    void BeginQuery();

    /// <summary>Copies an answer that is known, with TTLs as they are now.</summary>
    /// <param name="question">What is asked.</param>
    /// <param name="mayAsk">
    /// Whether the client wants others asked (RD): without, nothing is asked again for later either.
    /// </param>
    /// <param name="destination">Room for the records, which start at <see cref="Question.EndOffset"/> of their message.</param>
    /// <param name="answer">What was copied.</param>
    /// <returns>False if nothing is known.</returns>
    bool TryCopy(scoped Question question, bool mayAsk, Span<byte> destination, out RelayedAnswer answer);

    /// <summary>Takes over a query until its answer is there.</summary>
    /// <param name="question">What to find out: the query's question, or one that its aliases lead to.</param>
    /// <param name="query">The query, with its way back.</param>
    /// <param name="reason">Why it cannot be found out.</param>
    /// <returns>
    /// True if the query is the source's from now on, which then owes its path a reply, and may have sent it already. False if it
    /// is still the caller's.
    /// </returns>
    bool TryDefer(scoped Question question, scoped in DeferredQuery query, out ExtendedErrorCode reason);
}

/// <summary>No answers but those of the zones.</summary>
internal struct NoSource : IAnswerSource
{
    /// <inheritdoc/>
    public readonly void BeginQuery()
    {
    }

    /// <inheritdoc/>
    public readonly bool TryCopy(scoped Question question, bool mayAsk, Span<byte> destination, out RelayedAnswer answer)
    {
        answer = default;
        return false;
    }

    /// <inheritdoc/>
    public readonly bool TryDefer(scoped Question question, scoped in DeferredQuery query, out ExtendedErrorCode reason)
    {
        reason = ExtendedErrorCode.NotSupported;
        return false;
    }
}
