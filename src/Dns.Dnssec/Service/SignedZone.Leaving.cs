using Dns.Protocol;
using Dns.Zones;

namespace Dns.Dnssec;

/// <content>A zone that has no policy any more and needs no signatures.</content>
internal sealed partial class SignedZone
{
    /// <summary>
    /// Serves a version as it is where its serial is above all that were served, and lets go of the zone then. Else with another serial:
    /// secondaries would not take it. Called when no cache needs signatures.
    /// </summary>
    private void ServeUnsigned(Zone source)
    {
        uint? last = _lostSerial is { } lost && (_signed is null || SerialNumber.IsGreater(lost, _signed.Serial)) ? lost : _signed?.Serial;
        if (last is not { } served || SerialNumber.IsGreater(source.Serial, served))
        {
            owner.Leave(this);
            return;
        }
        if (_signed is { } before && _lostSerial is null && UnsignedVersion.IsSame(source, before))
        {
            Publish(source, new SigningResult { Zone = before });
            return;
        }
        Zone next = UnsignedVersion.Of(source, unchecked(served + 1), owner.Options.Limits)
            ?? throw new SigningFailedException("it cannot be served without signatures: its SOA record cannot be changed");
        _lostSerial = null;
        ZoneDelta? delta = _signed is { } signed
            && ZoneDelta.TryFindBetween(signed, next, owner.Options.SmallChange, out ZoneDelta? found) ? found : null;
        _round = new RefreshRound();
        Publish(source, new SigningResult { Zone = next, Delta = delta });
    }

    private bool TryServeUnsigned(Zone source)
    {
        ServeUnsigned(source);
        return true;
    }
}
