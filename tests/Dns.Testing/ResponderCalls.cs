using Dns.Answering;
using Dns.Protocol;

namespace Dns.Testing;

/// <summary>Calls of a responder at moment 0, for tests in which the moment does not matter.</summary>
public static class ResponderCalls
{
    /// <summary>Answers one message from the zones served alone.</summary>
    public static int Respond(
        this Responder responder, Span<byte> room, int queryOctets, DnsTransport transport, ref ClientAddress client)
    {
        QueryOrigin origin = new(in client, transport, now: 0);
        return responder.Respond(room, queryOctets, ref origin);
    }

    /// <summary>Answers one message, from what others say too.</summary>
    public static int Respond<TRelay>(
        this Responder responder, Span<byte> room, int queryOctets, DnsTransport transport, ref ClientAddress client,
        ref TRelay relay)
        where TRelay : IRelay, allows ref struct
    {
        QueryOrigin origin = new(in client, transport, now: 0);
        return responder.Respond(room, queryOctets, ref origin, ref relay);
    }

    /// <summary>Answers a batch from the zones served alone.</summary>
    public static void RespondToBatch(
        this Responder responder, Span<byte> slots, int slotOctets, Span<int> lengths, Span<ClientAddress> clients) =>
        responder.RespondToBatch(new DatagramBatch(slots, slotOctets, lengths, clients, now: 0));

    /// <summary>Answers a batch, from what others say too.</summary>
    public static void RespondToBatch<TRelay>(
        this Responder responder, Span<byte> slots, int slotOctets, Span<int> lengths, Span<ClientAddress> clients,
        ref TRelay relay)
        where TRelay : IRelay, allows ref struct =>
        responder.RespondToBatch(new DatagramBatch(slots, slotOctets, lengths, clients, now: 0), ref relay);
}
