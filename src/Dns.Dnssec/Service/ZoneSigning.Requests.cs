namespace Dns.Dnssec.Service;

/// <content>Operator requests for keys.</content>
public sealed partial class ZoneSigning
{
    /// <summary>Changes the state of a zone's keys, on disk when this returns; signing follows later.</summary>
    /// <param name="change">Makes the next state from the state and the zone's policy; null = no change.</param>
    /// <param name="reply">The reason for a refusal: the keys cannot be loaded, or signing takes long.</param>
    /// <exception cref="IOException">It is not saved: nothing has changed.</exception>
    public bool TryChangeKeys(DomainName zone, Func<ZoneKeys, DnssecPolicy, ZoneKeys?> change, out KeyReply reply)
    {
        reply = new KeyReply(KeyReplyKind.NotSignedHere);
        return _zones.TryGetValue(zone, out SignedZone? signed) && signed.TryChangeKeys(change, out reply);
    }

    /// <summary>Makes a request for the future key sets of a zone with an offline KSK.</summary>
    /// <param name="from">The start; null = the last loaded slot, or now.</param>
    /// <param name="replacesZsk">Whether the ZSKs are replaced at once.</param>
    /// <exception cref="IOException">A key is not saved.</exception>
    public bool TryMakeRequest(DomainName zone, DateTimeOffset? from, DateTimeOffset until, out KeySets? request,
        out KeyReply reply, bool replacesZsk = false)
    {
        (request, reply) = (null, new KeyReply(KeyReplyKind.NotSignedHere));
        return _zones.TryGetValue(zone, out SignedZone? signed) &&
            signed.TryMakeRequest(from, until, out request, out reply, replacesZsk);
    }

    /// <summary>Loads a bundle, on disk when this returns; it is served in the background.</summary>
    /// <param name="reply">The result, or the reason for a refusal.</param>
    /// <param name="mayShorten">Whether its signatures may end before those of the loaded one.</param>
    /// <exception cref="IOException">It is not saved.</exception>
    public bool TryLoadBundle(DomainName zone, KeySets bundle, out KeyReply reply, bool mayShorten = false)
    {
        reply = new KeyReply(KeyReplyKind.NotSignedHere);
        return _zones.TryGetValue(zone, out SignedZone? signed) && signed.TryLoadBundle(bundle, mayShorten, out reply);
    }
}
