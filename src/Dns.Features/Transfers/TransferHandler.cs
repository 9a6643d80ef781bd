namespace Dns.Features.Transfers;

/// <summary>Handles zone transfers for the responder, with the current settings.</summary>
internal sealed class TransferHandler : IMessageHandler
{
    private volatile PeerList _allowed = PeerList.Empty;

    /// <param name="time">The clock, for signatures.</param>
    /// <param name="log">Receives events of transfers.</param>
    public TransferHandler(TimeProvider time, ITransferObserver log, ServerOptions options, Handover? handover = null)
    {
        Transfers = new OutgoingTransfers(time, AllowedOf) { Observer = log, Handover = handover ?? new Handover() };
        Use(options);
    }

    public OutgoingTransfers Transfers { get; }

    /// <summary>Sets the keys, the maximum number of transfers, and the default transfer policy.</summary>
    public void Use(ServerOptions options)
    {
        _allowed = new PeerList(options.AllowTransfer);
        Transfers.Keys = new TsigKeyRing(options.TsigKeys);
        Transfers.MaxConcurrent = options.Transfer.MaxOutgoing;
    }

    public ReplyOutcome Respond(scoped in HandledMessage message)
    {
        QueryOrigin origin = message.Origin;
        TransferReply reply = Transfers.Answer(message.Room, message.QueryOctets, ref origin, message.Zones);
        if (reply.Sequence is not { } sequence)
            return reply.Octets > 0 ? ReplyOutcome.Of(reply.Octets) : ReplyOutcome.NotHandled;
        ReplyPath path = message.TakePath();
        if (path.TryStream(sequence)) return ReplyOutcome.Deferred;
        // The limit is reached; a secondary retries.
        path.Send(message.Room[..sequence.Refuse(message.Room, Rcode.ServFail)]);
        sequence.Dispose();
        return ReplyOutcome.Deferred;
    }

    /// <summary>The transfer policy of a zone.</summary>
    public PeerList AllowedOf(ZoneSlot slot) => slot.Policy?.AllowTransfer ?? _allowed;
}
