using Dns.Protocol;
using Dns.Transport;

namespace Dns.Server;

/// <summary>Stands between the transports and what answers, and has every answer watched.</summary>
internal sealed class WatchedResponder(IMessageResponder inner, AnswerWatch watch) : IMessageResponder
{
    /// <inheritdoc/>
    public void RespondToDatagrams(
        Span<byte> slots, int slotOctets, Span<int> lengths, Span<ClientAddress> clients, IReplyPaths paths)
    {
        long began = watch.Now;
        inner.RespondToDatagrams(slots, slotOctets, lengths, clients, paths);
        watch.OnDatagrams(slots, slotOctets, lengths, clients, began);
    }

    /// <inheritdoc/>
    public int RespondToStreamMessage(
        Span<byte> message, int queryOctets, ref ClientAddress client, IReplyPaths paths)
    {
        long began = watch.Now;
        int length = inner.RespondToStreamMessage(message, queryOctets, ref client, paths);
        if (length > 0) watch.OnAnswer(message[..length], ref client, AnswerWay.Stream, isStream: true, began);
        return length;
    }
}
