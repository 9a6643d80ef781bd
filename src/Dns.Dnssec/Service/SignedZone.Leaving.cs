namespace Dns.Dnssec.Service;

/// <content>A zone without a policy that needs no signatures any more.</content>
internal sealed partial class SignedZone
{
    /// <summary>
    /// Serves a version unchanged, and releases the zone, if its serial is above all served ones, or its SOA record is
    /// signed. Otherwise serves it with another serial, which secondaries accept. Called when no cache needs
    /// signatures.
    /// </summary>
    private void ServeUnsigned(Zone source)
    {
        uint? last = _lostSerial is { } lost && (_signed is null || SerialNumber.IsGreater(lost, _signed.Serial))
            ? lost : _signed?.Serial;
        if (last is not { } served || SerialNumber.IsGreater(source.Serial, served))
        {
            _owner.Leave(this);
            return;
        }
        // With another serial, the signature of another signer over the SOA record would not be valid.
        if (ApexRecords.SignersOf(source, RRType.SOA, _owner.Now).Count > 0)
        {
            _owner.Leave(this, behind: served);
            return;
        }
        if (_signed is { } before && _lostSerial is null && UnsignedVersion.IsSame(source, before))
        {
            Publish(source, new SigningResult { Zone = before });
            return;
        }
        Zone next = UnsignedVersion.Of(source, unchecked(served + 1), _owner.Options.Limits)
            ?? throw new SigningFailedException(
                "it cannot be served without signatures: its SOA record cannot be changed");
        ZoneDelta? delta = _signed is { } signed
            && ZoneDelta.TryFindBetween(signed, next, _owner.Options.SmallChange, out ZoneDelta? found) ? found : null;
        _round = new RefreshRound();
        Publish(source, new SigningResult { Zone = next, Delta = delta });
        _lostSerial = null;
    }

    private bool TryServeUnsigned(Zone source)
    {
        ServeUnsigned(source);
        return true;
    }
}
