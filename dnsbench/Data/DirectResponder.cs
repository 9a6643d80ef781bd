using Dns.Answering;
using Dns.Protocol;
using Dns.Transport;

namespace Dns.Bench;

/// <summary>The responder behind the seam of the transports.</summary>
internal sealed class DirectResponder(Responder responder) : IMessageResponder
{
    public void RespondToDatagrams(
        Span<byte> slots, int slotOctets, Span<int> lengths, Span<ClientAddress> clients, IReplyPaths paths) =>
        responder.RespondToBatch(slots, slotOctets, lengths, clients);

    public int RespondToStreamMessage(
        Span<byte> message, int queryOctets, ref ClientAddress client, IReplyPaths paths) =>
        responder.Respond(message, queryOctets, ResponseTransport.Stream, ref client);
}
