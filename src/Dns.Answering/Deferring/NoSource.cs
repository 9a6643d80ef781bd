namespace Dns.Answering.Deferring;

/// <summary>The source without answers.</summary>
public readonly struct NoSource : IAnswerSource
{
    /// <inheritdoc/>
    public void BeginQuery()
    {
    }

    /// <inheritdoc/>
    public bool TryCopy(scoped Question question, bool recursionDesired, Span<byte> destination,
        out RelayedAnswer answer)
    {
        answer = default;
        return false;
    }

    /// <inheritdoc/>
    public bool TryDefer(scoped Question question, scoped in DeferredQuery query, out DeferralRefusal refusal)
    {
        refusal = new(ExtendedErrorCode.NotSupported);
        return false;
    }
}
