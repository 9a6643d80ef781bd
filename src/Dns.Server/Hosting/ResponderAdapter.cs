namespace Dns.Server.Hosting;

/// <summary>Connects the transports to the responder, which do not reference each other.</summary>
internal sealed class ResponderAdapter(LiveResponder responder) : IMessageResponder
{
    public void RespondToDatagrams(scoped in DatagramBatch batch, IReplyPaths paths) =>
        responder.Current.RespondToBatch(in batch, paths);

    public int RespondToMessage(Span<byte> message, int queryOctets, ref QueryOrigin origin, IReplyPaths paths) =>
        responder.Current.Respond(message, queryOctets, ref origin, paths).Octets;
}
