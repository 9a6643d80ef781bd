using Dns.Dnssec;
using Dns.Protocol;
using Dns.Zones;

namespace Dns.Commands;

/// <summary>Verifies each zone that was read and prints diagnostics of its signatures like others.</summary>
internal sealed class DnssecCheckOutput(ZoneCheckOutput zones, DateTimeOffset now) : IZoneLoadObserver
{
    /// <summary>Whether every zone was valid.</summary>
    public bool IsGood { get; private set; } = true;

    /// <summary>The text about the last verified zone.</summary>
    public string Summary => Verification is not { } verified ? "" : $", {Counted.Of(verified.Signatures, "signature")}"
        + (verified.FirstExpiration is { } first ? $", the first ends {first.UtcDateTime:u}" : "");

    /// <summary>The verification of the last zone that was read; null if none was.</summary>
    public ZoneVerification? Verification { get; private set; }

    /// <inheritdoc/>
    public void OnProgress(DomainName zone, string place, long records) => zones.OnProgress(zone, place, records);

    /// <inheritdoc/>
    public void OnRead(DomainName zone, string place, ZoneLoadResult result, Zone? before)
    {
        zones.OnRead(zone, place, result, before);
        if (result.Zone is not { } read) return;
        ZoneVerification verification = ZoneVerifier.Verify(read, new ZoneVerifierSettings { Now = now });
        foreach (ZoneDiagnostic diagnostic in RecordDiagnostic.Locate(verification.Diagnostics, zone, place))
            zones.Write(diagnostic);
        IsGood &= verification.IsGood;
        Verification = verification;
    }

    /// <inheritdoc/>
    public void OnCrash(DomainName zone, string place, Exception error)
    {
        IsGood = false;
        zones.OnCrash(zone, place, error);
    }
}
