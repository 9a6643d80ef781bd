namespace Dns.Bench;

/// <summary>The responder behind the interface of the transports.</summary>
internal sealed class DirectResponder(Responder responder) : IMessageResponder
{
    public void RespondToDatagrams(scoped in DatagramBatch batch, IReplyPaths paths) =>
        responder.RespondToBatch(in batch, paths);

    public int RespondToMessage(Span<byte> message, int queryOctets, ref QueryOrigin origin, IReplyPaths paths) =>
        responder.Respond(message, queryOctets, ref origin, paths).Octets;
}
