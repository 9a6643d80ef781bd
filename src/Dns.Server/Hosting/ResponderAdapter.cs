using Dns.Answering;
using Dns.Protocol;
using Dns.Transport;

namespace Dns.Server;

/// <summary>Joins the transports to the responder, neither of which knows the other.</summary>
internal sealed class ResponderAdapter(LiveResponder responder) : IMessageResponder
{
    /// <inheritdoc/>
    public void RespondToDatagrams(
        Span<byte> slots, int slotOctets, Span<int> lengths, Span<ClientAddress> clients, IReplyPaths paths) =>
        responder.Current.RespondToBatch(slots, slotOctets, lengths, clients);

    /// <inheritdoc/>
    public int RespondToStreamMessage(
        Span<byte> message, int queryOctets, ref ClientAddress client, IReplyPaths paths) =>
        responder.Current.Respond(message, queryOctets, ResponseTransport.Stream, ref client);
}
