namespace Dns.Dnssec.Service;

/// <summary>
/// Serials that never go back, also over restarts: a version is served only if the next start can know its serial.
/// Belongs to the thread that works on the zone.
/// </summary>
internal sealed class SerialGuard(SignedZone zone, ZoneSigning owner, KeyDriver keys, CopyKeeper copies)
{
    /// <summary>Maximum served versions before the changes are on disk.</summary>
    internal const uint MostLostVersions = 1000;

    private (Zone? Version, DateTimeOffset First) _ends;

    /// <summary>The highest serial of versions that may have been served and are lost; null = none.</summary>
    internal uint? Lost { get; private set; }

    /// <summary>Notes that versions after a saved one may be lost.</summary>
    internal void Lose(uint saved) => Lost = unchecked(saved + MostLostVersions);

    /// <summary>Notes that a version above the lost ones is served.</summary>
    internal void EndLoss() => Lost = null;

    /// <summary>Continues above the reserved serials if the copy is missing, or older than the keys.</summary>
    internal void Continue(Zone? signed)
    {
        if (keys.Keys.HighestSerial is not { } highest) return;
        if (signed is null) Lost ??= highest;
        // A reservation is at most so far above a saved version; a copy from an older backup lacks versions.
        else if (keys.Policy.Serial != SerialPolicy.Keep &&
            SerialNumber.IsGreater(highest, unchecked(signed.Serial + MostLostVersions)))
            Lost = highest;
    }

    /// <summary>The serial above which the next version continues, besides that of the last one; null = none.</summary>
    // Secondaries may have a version that was served unsigned.
    internal uint? LowerBound => !zone.Slot.IsServedUnsigned || zone.Slot.SourceZone is not { } served ? Lost
        : Lost is { } lost && SerialNumber.IsGreater(lost, served.Serial) ? lost : served.Serial;

    /// <summary>
    /// Whether to refuse a version whose serial a start might use again, since secondaries would then ignore later
    /// versions. It is served nevertheless if signatures of the version before end soon, or if nothing else can be.
    /// </summary>
    /// <param name="served">The version before; null = none.</param>
    /// <returns>The reason; null = it is served.</returns>
    internal string? FindRefusal(Zone version, Zone? served)
    {
        if (FindFault(version) is not { } fault || served is null || !VersionSigner.IsComplete(served)) return null;
        // Half of the time for renewing them is left to the operator.
        return EndOf(served) <= owner.Now + keys.Policy.Refresh / 2
            ? null : $"serial {version.Serial} is not served: {fault}";
    }

    /// <summary>Reports that new versions will be refused, or that one is served nevertheless.</summary>
    internal void ThrowIfNextUnsafe(Zone? signed)
    {
        if (signed is not { } served || FindFault(served) is not { } fault) return;
        throw new SigningFailedException(
            served.Serial == copies.SavedSerial ? fault : $"serial {served.Serial} is served, though {fault}");
    }

    /// <summary>Reserves the serial of a version; returns why a start might use it again, null if it cannot.</summary>
    internal string? FindFault(Zone version)
    {
        // That of the source; a zone with compact denial has no secondaries.
        if (zone.IsHeld || keys.Policy is { Serial: SerialPolicy.Keep } or { Denial: DenialMethod.Compact })
            return null;
        try
        {
            owner.Kept.Open();
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return "the mark that the signed copies are complete cannot be removed, so that serials would go back at "
                + $"the next start: {error.Message}";
        }
        // At the next start the clock is above it.
        uint serial = version.Serial, clock = unchecked((uint)owner.Now.ToUnixTimeSeconds());
        if (keys.Policy.Serial == SerialPolicy.UnixTime && !SerialNumber.IsGreater(serial, clock)) return null;
        if (keys.Keys.HighestSerial is { } highest && !SerialNumber.IsGreater(serial, highest)) return null;
        try
        {
            keys.Save(keys.Keys with { HighestSerial = unchecked(serial + MostLostVersions) });
            return null;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // The next step of the keys reports a disk that is full.
        }
        try
        {
            // A start that may lack versions continues so far above the saved one.
            if (copies.SavedSerial is not { } saved
                || SerialNumber.IsGreater(serial, unchecked(saved + MostLostVersions)))
                copies.SaveWhole(version);
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
                        RrsigFields.TimeOf(fields.Expiration, owner.Now) is var end && end < first)
                        first = end;
            }
        _ends = (version, first);
        return first;
    }
}
