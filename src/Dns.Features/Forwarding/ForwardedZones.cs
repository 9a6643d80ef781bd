namespace Dns.Features.Forwarding;

/// <summary>The forwarded names and their clients, for the responder.</summary>
public sealed class ForwardedZones(Forwarder forwarder) : IForwardedZones
{
    public int ZoneLabels(scoped ref readonly LookupName name, int skippedLabels) =>
        forwarder.ZoneLabels(in name, skippedLabels);

    public bool Blocks(RRType type, ReadOnlySpan<byte> rdata) => forwarder.Blocks(type, rdata);

    public bool MayRecurse(ref ClientAddress client) => forwarder.MayRecurse(ref client);
}
