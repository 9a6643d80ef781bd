namespace Dns.Management.Explanations;

/// <summary>What other servers have answered, as an explanation sees it: only cached answers, no queries.</summary>
public struct ExplainingSource(IExplainedForwarding? forwarding) : IAnswerSource
{
    public readonly void BeginQuery()
    {
    }

    /// <summary>Whether another server would have been queried.</summary>
    public bool WouldQuery { get; private set; }

    public readonly bool TryCopy(scoped Question question, bool recursionDesired, Span<byte> destination,
        out RelayedAnswer answer) => forwarding!.TryCopy(question, destination, out answer);

    public bool TryDefer(scoped Question question, scoped in DeferredQuery query, out DeferralRefusal refusal)
    {
        WouldQuery = forwarding!.WouldQuery(question);
        refusal = new(WouldQuery ? ExtendedErrorCode.Other : ExtendedErrorCode.NoReachableAuthority);
        return false;
    }
}
