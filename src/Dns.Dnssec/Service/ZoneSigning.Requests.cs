using Dns.Protocol;

namespace Dns.Dnssec;

/// <content>What operators ask of keys.</content>
public sealed partial class ZoneSigning
{
    /// <summary>Changes what is known of the keys of a zone, on disk when this returns; what follows is done in the background.</summary>
    /// <param name="zone">The zone.</param>
    /// <param name="change">Makes the state that follows; null = nothing is changed. Called with the policy of the zone.</param>
    /// <returns>False if the zone is not signed here, or its keys were not read yet, or it is being signed for long.</returns>
    /// <exception cref="IOException">It is not kept: nothing has changed.</exception>
    public bool TryChangeKeys(DomainName zone, Func<ZoneKeys, DnssecPolicy, ZoneKeys?> change) =>
        _zones.TryGetValue(zone, out SignedZone? signed) && signed.TryChangeKeys(change);

    /// <summary>Makes a request for the coming key sets of a zone whose KSK is kept elsewhere.</summary>
    /// <param name="zone">The zone.</param>
    /// <param name="from">From when on; null = from the last slot that is loaded, or now.</param>
    /// <param name="until">Until when.</param>
    /// <param name="request">The request.</param>
    /// <param name="words">Why there is none.</param>
    /// <exception cref="IOException">A key is not kept.</exception>
    public bool TryMakeRequest(DomainName zone, DateTimeOffset? from, DateTimeOffset until, out KeySets? request, out string words)
    {
        (request, words) = (null, "it is not signed here");
        return _zones.TryGetValue(zone, out SignedZone? signed) && signed.TryMakeRequest(from, until, out request, out words);
    }

    /// <summary>Takes a bundle, on disk when this returns; it is served in the background.</summary>
    /// <param name="bundle">The bundle.</param>
    /// <param name="zone">The zone.</param>
    /// <param name="words">What there is from now on, or why it is not taken.</param>
    /// <exception cref="IOException">It is not kept.</exception>
    public bool TryLoadBundle(DomainName zone, KeySets bundle, out string words)
    {
        words = "it is not signed here";
        return _zones.TryGetValue(zone, out SignedZone? signed) && signed.TryLoadBundle(bundle, out words);
    }
}

/// <content>What operators ask of its keys.</content>
internal sealed partial class SignedZone
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(5);

    internal bool TryChangeKeys(Func<ZoneKeys, DnssecPolicy, ZoneKeys?> change)
    {
        if (!_gate.TryEnter(Patience)) return false;
        try
        {
            if (!_isLoaded || IsGone) return false;
            // A key may have been imported just before.
            owner.Keys.LookAgain();
            if (change(_keys, _policy) is not { } next) return true;
            owner.Keys.Save(slot.Name, next);
            _keys = next;
            Tell(_status.Error);
        }
        finally
        {
            _gate.Exit();
        }
        owner.Queue(this);
        return true;
    }
}
