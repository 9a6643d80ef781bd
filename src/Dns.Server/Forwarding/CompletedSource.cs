using Dns.Answering;
using Dns.Forwarding;
using Dns.Protocol;

namespace Dns.Server;

/// <summary>What the responder sees of the forwarder while it answers a query for which an answer has just come.</summary>
/// <param name="forwarder">Knows more answers, if aliases lead on to them or the zones served have changed meanwhile.</param>
/// <param name="waiting">The query, with the answers that came before.</param>
/// <param name="came">The answer.</param>
/// <param name="records">The answer's records.</param>
internal readonly ref struct CompletedSource(
    Forwarder forwarder, WaitingQuery waiting, RelayedAnswer came, ReadOnlySpan<byte> records) : IAnswerSource
{
    private readonly ReadOnlySpan<byte> _records = records;

    /// <inheritdoc/>
    public void BeginQuery()
    {
    }

    /// <inheritdoc/>
    public bool TryCopy(scoped Question question, bool mayAsk, Span<byte> destination, out RelayedAnswer answer)
    {
        ReadOnlySpan<byte> records = _records;
        answer = came;
        if (!waiting.HasAsked(in question))
        {
            if (waiting.FindPart(in question) is not { } part)
                return forwarder.TryAnswer(in question, forwarder.Timestamp, ref waiting.Spent, destination, out answer) != CacheState.Miss;
            answer = part.Answer;
            records = part.Records;
        }
        if (records.TryCopyTo(destination)) return true;
        answer.DoesNotFit = true;
        answer.Octets = answer.AnswerCount = answer.AuthorityCount = answer.AdditionalCount = 0;
        return true;
    }

    /// <summary>Has the name asked for that the aliases which came lead on to. Nothing else waits twice.</summary>
    public bool TryDefer(scoped Question question, scoped in DeferredQuery query, out ExtendedErrorCode reason)
    {
        reason = ExtendedErrorCode.Other;
        return came.LeadsOn && waiting.TryAskOn(in question, in came, _records, out reason);
    }
}
