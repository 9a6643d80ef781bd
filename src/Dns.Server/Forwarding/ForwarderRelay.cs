using Dns.Answering;
using Dns.Forwarding;
using Dns.Protocol;
using Dns.Transport;

namespace Dns.Server;

/// <summary>What the responder sees of the forwarder while it answers one message or one batch.</summary>
internal ref struct ForwarderRelay(ForwardingAdapter adapter, IReplyPaths paths) : IRelay
{
    private long _timestamp;

    /// <inheritdoc/>
    public int Slot { get; set; }

    /// <inheritdoc/>
    public bool TryCopy(scoped Question question, Span<byte> destination, out RelayedAnswer answer)
    {
        if (_timestamp == 0) _timestamp = adapter.Forwarder.Timestamp;
        return adapter.Forwarder.TryAnswer(in question, _timestamp, destination, out answer) != CacheState.Miss;
    }

    /// <inheritdoc/>
    public readonly bool TryAwait(
        scoped Question question, scoped in AwaitedQuery query, ref ClientAddress client, out ExtendedErrorCode reason)
    {
        ReplyPath path = paths.TakePath(Slot);
        AskResult result = adapter.Ask(in question, in query, in path, ref client);
        reason = ForwardingAdapter.ReasonOf(result);
        if (result == AskResult.Joined) return true;
        path.Abandon();
        return false;
    }
}
