namespace Dns.Commands;

/// <summary>Verifies each zone that was read and prints diagnostics of its signatures like others.</summary>
internal sealed class DnssecCheckOutput(ZoneCheckOutput zones, DateTimeOffset now) : IZoneLoadObserver
{
    public bool IsGood { get; private set; } = true;

    /// <summary>The text about the last verified zone.</summary>
    public string Summary => Verification is not { } verified ? "" : $", {Counted.Of(verified.Signatures, "signature")}"
        + (verified.FirstExpiration is { } first ? $", the first ends {first.UtcDateTime:u}" : "");

    /// <summary>The verification of the last zone that was read; null if none was.</summary>
    public ZoneVerification? Verification { get; private set; }

    public void OnProgress(DomainName zone, string origin, long records) => zones.OnProgress(zone, origin, records);

    public void OnRead(DomainName zone, string origin, ZoneLoadResult result, Zone? before)
    {
        zones.OnRead(zone, origin, result, before);
        if (result.Zone is not { } read) return;
        ZoneVerification verification = ZoneVerifier.Verify(read, new ZoneVerifierSettings { Now = now });
        foreach (ZoneDiagnostic diagnostic in RecordDiagnostic.Locate(verification.Diagnostics, zone, origin))
            zones.Write(diagnostic);
        IsGood &= verification.IsGood;
        Verification = verification;
    }

    public void OnCrash(DomainName zone, string origin, Exception error)
    {
        IsGood = false;
        zones.OnCrash(zone, origin, error);
    }
}
