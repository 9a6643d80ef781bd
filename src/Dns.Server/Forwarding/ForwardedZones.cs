namespace Dns.Server.Forwarding;

/// <summary>The forwarded names and their clients, for the responder.</summary>
internal sealed class ForwardedZones(Forwarder forwarder) : IForwardedZones
{
    public int ZoneLabels(scoped ref readonly LookupName name, int skippedLabels) =>
        forwarder.ZoneLabels(in name, skippedLabels);

    public bool MayRecurse(ref ClientAddress client) => forwarder.MayRecurse(ref client);
}
