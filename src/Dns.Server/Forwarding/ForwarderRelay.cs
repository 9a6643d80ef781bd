using Dns.Answering;
using Dns.Forwarding;
using Dns.Protocol;
using Dns.Transport;

namespace Dns.Server;

/// <summary>What the responder sees of the forwarder while it answers one message or one batch.</summary>
internal ref struct ForwarderRelay(ForwardingAdapter adapter, IReplyPaths paths, long now) : IRelay
{
    private int _slot;
    private int _spent;

    /// <summary>The place of the query in its batch; each has its own budget of queries to upstreams.</summary>
    public int Slot
    {
        set => (_slot, _spent) = (value, 0);
    }

    /// <inheritdoc/>
    public bool TryCopy(scoped Question question, bool mayAsk, Span<byte> destination, out RelayedAnswer answer)
    {
        int all = Forwarder.MaxQueries;
        return adapter.Forwarder.TryAnswer(in question, now, ref mayAsk ? ref _spent : ref all, destination, out answer)
            != CacheState.Miss;
    }

    /// <inheritdoc/>
    public readonly bool TryAwait(
        scoped Question question, scoped in AwaitedQuery query, ref ClientAddress client, out ExtendedErrorCode reason)
    {
        reason = ExtendedErrorCode.Other;
        if (_spent >= Forwarder.MaxQueries) return false;
        ReplyPath path = paths.TakePath(_slot);
        AskResult result = adapter.Ask(in question, in query, in path, ref client, now, _spent);
        reason = ForwardingAdapter.ReasonOf(result);
        if (result == AskResult.Joined) return true;
        path.Abandon();
        return false;
    }
}
