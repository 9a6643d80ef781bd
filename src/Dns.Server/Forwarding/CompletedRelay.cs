using Dns.Answering;
using Dns.Forwarding;
using Dns.Protocol;

namespace Dns.Server;

/// <summary>What the responder sees of the forwarder while it answers a query whose answer has just come.</summary>
/// <param name="forwarder">Knows more answers, if the zones served have changed meanwhile.</param>
/// <param name="questionHash">The question that was asked.</param>
/// <param name="came">Its answer.</param>
/// <param name="records">The answer's records.</param>
internal readonly ref struct CompletedRelay(
    Forwarder forwarder, ulong questionHash, RelayedAnswer came, ReadOnlySpan<byte> records) : IRelay
{
    private readonly ReadOnlySpan<byte> _records = records;

    /// <inheritdoc/>
    public int Slot { set { } }

    /// <inheritdoc/>
    public bool TryCopy(scoped Question question, Span<byte> destination, out RelayedAnswer answer)
    {
        if (question.Hash != questionHash) return forwarder.TryAnswer(in question, destination, out answer) != CacheState.Miss;
        answer = came;
        if (_records.TryCopyTo(destination)) return true;
        answer.DoesNotFit = true;
        answer.Octets = answer.AnswerCount = answer.AuthorityCount = answer.AdditionalCount = 0;
        return true;
    }

    /// <summary>Nothing waits twice.</summary>
    public bool TryAwait(
        scoped Question question, scoped in AwaitedQuery query, ref ClientAddress client, out ExtendedErrorCode reason)
    {
        reason = ExtendedErrorCode.Other;
        return false;
    }
}
