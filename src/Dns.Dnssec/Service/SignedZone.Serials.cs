namespace Dns.Dnssec.Service;

/// <content>
/// Serials that never go back, also over restarts: a version is served only if the next start can know its serial.
/// </content>
internal sealed partial class SignedZone
{
    /// <summary>Maximum served versions before the changes are on disk.</summary>
    internal const uint MostLostVersions = 1000;

    private uint? _lostSerial;
    private (Zone? Version, DateTimeOffset First) _ends;

    // The plan or the source of a version that was refused is not served yet.
    private bool _isRefused;

    /// <summary>Continues above the reserved serials if the copy is missing, or older than the keys.</summary>
    private void ContinueSerials()
    {
        if (_keys.Keys.HighestSerial is not { } highest) return;
        if (_signed is null) _lostSerial ??= highest;
        // A reservation is at most so far above a saved version; a copy from an older backup lacks versions.
        else if (_keys.Policy.Serial != SerialPolicy.Keep &&
            SerialNumber.IsGreater(highest, unchecked(_signed.Serial + MostLostVersions)))
            _lostSerial = highest;
    }

    // Secondaries may have a version that was served unsigned.
    private uint? LowerBoundOfSerial()
    {
        if (!_slot.IsServedUnsigned || _slot.SourceZone is not { } served) return _lostSerial;
        return _lostSerial is { } lost && SerialNumber.IsGreater(lost, served.Serial) ? lost : served.Serial;
    }

    /// <summary>
    /// Refuses a version whose serial a start might use again, since secondaries would then ignore later versions. It
    /// is served nevertheless if signatures of the version before end soon, or if nothing else can be served.
    /// </summary>
    private void ThrowIfSerialUnsafe(Zone version)
    {
        if (FindSerialFault(version) is not { } fault || _signed is not { } served || !IsComplete(served)) return;
        // Half of the time for renewing them is left to the operator.
        if (EndOf(served) <= _owner.Now + _keys.Policy.Refresh / 2) return;
        _round = new RefreshRound();
        throw new SigningFailedException($"serial {version.Serial} is not served: {fault}");
    }

    /// <summary>Reports that new versions will be refused, or that one is served nevertheless.</summary>
    private void ThrowIfNextUnsafe()
    {
        if (_signed is not { } served || FindSerialFault(served) is not { } fault) return;
        throw new SigningFailedException(
            served.Serial == _copies.SavedSerial ? fault : $"serial {served.Serial} is served, though {fault}");
    }

    /// <summary>Reserves the serial of a version; returns why a start might use it again, null if it cannot.</summary>
    private string? FindSerialFault(Zone version)
    {
        // That of the source; a zone with compact denial has no secondaries.
        if (_isHeld || _keys.Policy is { Serial: SerialPolicy.Keep } or { Denial: DenialMethod.Compact }) return null;
        try
        {
            _owner.Kept.Open();
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return "the mark that the signed copies are complete cannot be removed, so that serials would go back at "
                + $"the next start: {error.Message}";
        }
        // At the next start the clock is above it.
        uint serial = version.Serial, clock = unchecked((uint)_owner.Now.ToUnixTimeSeconds());
        if (_keys.Policy.Serial == SerialPolicy.UnixTime && !SerialNumber.IsGreater(serial, clock)) return null;
        if (_keys.Keys.HighestSerial is { } highest && !SerialNumber.IsGreater(serial, highest)) return null;
        ZoneKeys keys = _keys.Keys with { HighestSerial = unchecked(serial + MostLostVersions) };
        try
        {
            _keys.Save(keys);
            return null;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // The next step of the keys reports a disk that is full.
        }
        try
        {
            // A start that may lack versions continues so far above the saved one.
            if (_copies.SavedSerial is not { } saved
                || SerialNumber.IsGreater(serial, unchecked(saved + MostLostVersions)))
                _copies.SaveWhole(version);
            return null;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return "neither its keys nor its signed copy can be written, so that serials would go back at the next "
                + $"start: {error.Message}";
        }
    }

    /// <summary>When the first signature of a version ends.</summary>
    private DateTimeOffset EndOf(Zone version)
    {
        if (ReferenceEquals(_ends.Version, version)) return _ends.First;
        DateTimeOffset first = DateTimeOffset.MaxValue;
        foreach (ZoneNode node in version)
            foreach (RRset rrset in node)
            {
                if (rrset.Type != RRType.RRSIG) continue;
                foreach (ReadOnlySpan<byte> rdata in rrset)
                    if (RrsigFields.TryRead(rdata, out RrsigFields fields) &&
                        RrsigFields.TimeOf(fields.Expiration, _owner.Now) is var end && end < first)
                        first = end;
            }
        _ends = (version, first);
        return first;
    }
}
