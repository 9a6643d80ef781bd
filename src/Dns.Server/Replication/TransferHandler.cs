using Dns.Answering;
using Dns.Protocol;
using Dns.Replication;
using Dns.Zones;

namespace Dns.Server;

/// <summary>Joins zone transfers to the responder, and follows the settings.</summary>
internal sealed class TransferHandler : IMessageHandler
{
    private readonly OutgoingTransfers _transfers;
    private volatile PeerList _allowed = PeerList.Nobody;

    /// <summary>Makes a handler that lets nobody have a zone yet.</summary>
    /// <param name="time">Says when messages are signed.</param>
    /// <param name="history">The changes that are known of zones.</param>
    public TransferHandler(TimeProvider time, ZoneHistory history) =>
        _transfers = new OutgoingTransfers(time, AllowedOf) { History = history };

    /// <summary>Takes the keys, and who may have the zones that do not say so themselves.</summary>
    public void Use(ServerOptions options)
    {
        _allowed = new PeerList(options.AllowTransfer);
        _transfers.Keys = new TsigKeyRing(options.TsigKeys);
    }

    /// <inheritdoc/>
    public int Respond(scoped in HandledMessage message)
    {
        QueryOrigin origin = message.Origin;
        TransferReply reply = _transfers.Answer(message.Room, message.QueryOctets, ref origin, message.Zones);
        if (reply.Sequence is not { } sequence) return reply.Octets > 0 ? reply.Octets : Responder.NotHandled;
        ReplyPath path = message.TakePath();
        if (path.TryStream(sequence)) return Responder.AnswersLater;
        // As many run as may: a secondary tries again.
        path.Send(message.Room[..sequence.Refuse(message.Room, Rcode.ServFail)]);
        sequence.Dispose();
        return Responder.AnswersLater;
    }

    private PeerList AllowedOf(ZoneSlot slot) => slot.Policy?.AllowTransfer ?? _allowed;
}
