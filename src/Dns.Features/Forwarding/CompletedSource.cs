namespace Dns.Features.Forwarding;

/// <summary>The responder's view of the forwarder while it resumes a query after an answer.</summary>
/// <param name="forwarder">Has further answers, if aliases lead to them or the served zones have changed.</param>
/// <param name="waiting">The query, with its earlier answers.</param>
public readonly ref struct CompletedSource(
    Forwarder forwarder, WaitingQuery waiting, RelayedAnswer came, ReadOnlySpan<byte> records) : IAnswerSource
{
    private readonly ReadOnlySpan<byte> _records = records;

    public void BeginQuery()
    {
    }

    public bool TryCopy(
        scoped Question question, bool recursionDesired, Span<byte> destination, out RelayedAnswer answer)
    {
        ReadOnlySpan<byte> records = _records;
        answer = came;
        if (!waiting.HasQueried(in question))
        {
            if (waiting.FindPart(in question) is not { } part)
                return forwarder.TryAnswer(in question, forwarder.Timestamp, ref waiting.Spent, destination, out answer)
                    != CacheState.Miss;
            answer = part.Answer;
            records = part.Records;
        }
        if (answer.WantsProof && !waiting.IsProven) return false;
        if (records.TryCopyTo(destination)) return true;
        answer.DoesNotFit = true;
        answer.Octets = answer.AnswerCount = answer.AuthorityCount = answer.AdditionalCount = 0;
        return true;
    }

    /// <summary>Queries the target of the answer's aliases. No other question is deferred twice.</summary>
    public bool TryDefer(scoped Question question, scoped in DeferredQuery query, out DeferralRefusal refusal)
    {
        bool wantsProof = came.WantsProof && !waiting.IsProven;
        refusal = new(ExtendedErrorCode.Other, wantsProof);
        return came.EndsInAlias && waiting.TryFollowAlias(in question, in came, _records, out refusal);
    }
}
