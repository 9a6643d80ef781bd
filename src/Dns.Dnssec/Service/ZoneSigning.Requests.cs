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
