using System.Buffers;
using Dns.Answering;
using Dns.Forwarding;
using Dns.Protocol;
using Dns.Transport;

namespace Dns.Server;

/// <summary>A query that waits for the answer of others. Pooled: it goes back as soon as it was answered.</summary>
internal sealed class WaitingQuery(ForwardingAdapter adapter) : IAnswerWaiter
{
    private AwaitedQuery _query;
    private ReplyPath _path;
    private ulong _questionHash;
    private long _began;

    /// <summary>Takes up a query.</summary>
    public void Prepare(in AwaitedQuery query, in ReplyPath path, ulong questionHash)
    {
        _query = query;
        _path = path;
        _questionHash = questionHash;
        _began = adapter.Watch?.Now ?? 0;
    }

    /// <summary>Lets go of everything.</summary>
    public void Clear() => _path = default;

    /// <inheritdoc/>
    public void Complete(in RelayedAnswer answer, ReadOnlySpan<byte> records, ReadOnlySpan<TryReport> tries)
    {
        byte[] room = ArrayPool<byte>.Shared.Rent(_path.RoomOctets);
        ClientAddress client = _path.Client;
        CompletedRelay relay = new(adapter.Forwarder, _questionHash, answer, records);
        int length = adapter.Responder.RespondAwaited(room.AsSpan(0, _path.RoomOctets), in _query, ref client, ref relay);
        if (length > 0)
        {
            _path.Send(room.AsSpan(0, length));
            adapter.Watch?.OnForwarded(room.AsSpan(0, length), ref client, _path.IsStream, _began, tries);
        }
        else _path.Abandon();
        ArrayPool<byte>.Shared.Return(room);
        adapter.Return(this);
    }
}
