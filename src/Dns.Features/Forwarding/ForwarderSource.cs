namespace Dns.Features.Forwarding;

/// <summary>The responder's view of the forwarder while it answers one message or one batch.</summary>
/// <param name="now">The time of receipt, as a timestamp.</param>
public struct ForwarderSource(ForwardingAdapter adapter, long now) : IAnswerSource
{
    private int _spent;

    /// <summary>Each query has its own budget of upstream queries.</summary>
    public void BeginQuery() => _spent = 0;

    public bool TryCopy(
        scoped Question question, bool recursionDesired, Span<byte> destination, out RelayedAnswer answer)
    {
        int all = Forwarder.MaxQueries;
        return adapter.Forwarder
            .TryAnswer(in question, now, ref recursionDesired ? ref _spent : ref all, destination, out answer)
            != CacheState.Miss;
    }

    public readonly bool TryDefer(scoped Question question, scoped in DeferredQuery query, out DeferralRefusal refusal)
    {
        refusal = new(ExtendedErrorCode.Other);
        if (_spent >= Forwarder.MaxQueries) return false;
        ForwardResult result = adapter.Forward(in question, in query, _spent);
        refusal = ForwardingAdapter.RefusalOf(result, query.IsProven);
        return result == ForwardResult.Joined;
    }
}
