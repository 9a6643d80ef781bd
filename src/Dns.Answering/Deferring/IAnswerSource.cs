namespace Dns.Answering.Deferring;

/// <summary>
/// A source of answers outside of the served zones: other servers, a signer, a database. Known answers are copied at
/// once; other queries are deferred, and answered by <c>Responder.Resume</c> once the answer is known.
/// </summary>
/// <remarks>Made for one call of the responder, on the stack of its caller; allocates nothing.</remarks>
public interface IAnswerSource
{
    /// <summary>Begins another query.</summary>
    void BeginQuery();

    /// <summary>Copies a known answer, with its current TTLs.</summary>
    /// <param name="recursionDesired">The client's RD; without it nothing is prefetched.</param>
    /// <param name="destination">Room for the records from <see cref="Question.EndOffset"/> of their message.</param>
    /// <returns>False on a miss.</returns>
    bool TryCopy(scoped Question question, bool recursionDesired, Span<byte> destination, out RelayedAnswer answer);

    /// <summary>Takes over a query until its answer is known.</summary>
    /// <param name="question">The question to resolve: the query's own, or one at the end of its aliases.</param>
    /// <returns>True if the source owns the query, owes its path a reply and may have sent it already. False if the
    /// caller still owns it.</returns>
    bool TryDefer(scoped Question question, scoped in DeferredQuery query, out DeferralRefusal refusal);
}
