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

    /// <summary>Answers a batch from the zones served alone.</summary>
    public static void RespondToBatch(
        this Responder responder, Span<byte> slots, int slotOctets, Span<int> lengths, Span<ClientAddress> clients) =>
        responder.RespondToBatch(Batches.InRow(slots, slotOctets, lengths, clients, now: 0));
}
