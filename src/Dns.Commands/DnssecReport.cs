using System.Globalization;
using Dns.Dnssec;
using Dns.Protocol;
using Dns.Zones;

namespace Dns.Commands;

/// <summary>Verifies each zone that was read and prints diagnostics of its signatures like others.</summary>
internal sealed class DnssecReport(ZoneReport report, TextWriter errors, DateTimeOffset now) : IZoneLoadObserver
{
    /// <summary>Whether every zone was valid.</summary>
    public bool IsGood { get; private set; } = true;

    /// <summary>The text about the last valid zone.</summary>
    public string Summary { get; private set; } = "";

    /// <inheritdoc/>
    public void OnProgress(DomainName zone, string place, long records) => report.OnProgress(zone, place, records);

    /// <inheritdoc/>
    public void OnRead(DomainName zone, string place, ZoneLoadResult result, Zone? before)
    {
        report.OnRead(zone, place, result, before);
        if (result.Zone is not { } read) return;
        ZoneVerification verification = ZoneVerifier.Verify(read, new ZoneVerifierSettings { Now = now });
        foreach (ZoneDiagnostic finding in RecordDiagnostic.Locate(verification.Findings, zone, place)) errors.WriteLine(finding);
        IsGood &= verification.IsGood;
        Summary = string.Create(CultureInfo.InvariantCulture, $", {Counted.Of(verification.Signatures, "signature")}")
            + (verification.FirstExpiration is { } first ? $", the first ends {first.UtcDateTime:u}" : "");
    }

    /// <inheritdoc/>
    public void OnCrash(DomainName zone, string place, Exception error)
    {
        IsGood = false;
        report.OnCrash(zone, place, error);
    }
}
