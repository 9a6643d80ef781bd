namespace Dns.Management.Explanations;

/// <summary>The forwarder as an explanation sees it: cached answers only; no upstream is queried.</summary>
public struct ExplainingSource(Forwarder? forwarder) : IAnswerSource
{
    public readonly void BeginQuery()
    {
    }

    /// <summary>Whether an upstream would have been queried.</summary>
    public bool WouldQuery { get; private set; }

    public readonly bool TryCopy(scoped Question question, bool recursionDesired, Span<byte> destination,
        out RelayedAnswer answer)
    {
        int spent = Forwarder.MaxQueries;
        return forwarder!.TryAnswer(in question, forwarder.Timestamp, ref spent, destination, out answer)
            != CacheState.Miss;
    }

    public bool TryDefer(scoped Question question, scoped in DeferredQuery query, out DeferralRefusal refusal)
    {
        WouldQuery = forwarder!.WouldWait(in question);
        refusal = new(WouldQuery ? ExtendedErrorCode.Other : ExtendedErrorCode.NoReachableAuthority);
        return false;
    }
}
