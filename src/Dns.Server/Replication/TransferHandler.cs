using Dns.Answering;
using Dns.Protocol;
using Dns.Replication;
using Dns.Zones;

namespace Dns.Server;

/// <summary>Joins zone transfers to the responder, and follows the settings.</summary>
internal sealed class TransferHandler : IMessageHandler
{
    private volatile PeerList _allowed = PeerList.Nobody;

    /// <summary>Makes a handler.</summary>
    /// <param name="time">Says when messages are signed.</param>
    /// <param name="log">Told what becomes of transfers.</param>
    /// <param name="options">Who may have which zone.</param>
    public TransferHandler(TimeProvider time, ITransferObserver log, ServerOptions options)
    {
        Transfers = new OutgoingTransfers(time, AllowedOf) { Observer = log };
        Use(options);
    }

    /// <summary>The transfers.</summary>
    public OutgoingTransfers Transfers { get; }

    /// <summary>Takes the keys, how many transfers may run, and who may have the zones that do not say so themselves.</summary>
    public void Use(ServerOptions options)
    {
        _allowed = new PeerList(options.AllowTransfer);
        Transfers.Keys = new TsigKeyRing(options.TsigKeys);
        Transfers.MaxAtATime = options.Transfer.MaxOutgoing;
    }

    /// <inheritdoc/>
    public int Respond(scoped in HandledMessage message)
    {
        QueryOrigin origin = message.Origin;
        TransferReply reply = Transfers.Answer(message.Room, message.QueryOctets, ref origin, message.Zones);
        if (reply.Sequence is not { } sequence) return reply.Octets > 0 ? reply.Octets : Responder.NotHandled;
        ReplyPath path = message.TakePath();
        if (path.TryStream(sequence)) return Responder.ReplyDeferred;
        // As many run as may: a secondary tries again.
        path.Send(message.Room[..sequence.Refuse(message.Room, Rcode.ServFail)]);
        sequence.Dispose();
        return Responder.ReplyDeferred;
    }

    /// <summary>Who may have a zone.</summary>
    public PeerList AllowedOf(ZoneSlot slot) => slot.Policy?.AllowTransfer ?? _allowed;
}
