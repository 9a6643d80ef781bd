using Dns.Providers;
using Dns.Zones;
using Microsoft.Extensions.Logging;

namespace Dns.Server;

/// <summary>
/// Logs the loading of zones: errors and warnings, and progress while it takes long. Bounded, so that 100,000 zones with
/// a warning each do not fill a disk.
/// </summary>
internal sealed class ZoneLog(ILogger logger, TimeProvider clock, int zoneCount) : IZoneLoadObserver
{
    private const int MaxFindingsOfZone = 10;
    private const int MaxWarnings = 100;
    private static readonly TimeSpan ProgressInterval = TimeSpan.FromSeconds(1);

    private readonly long _started = clock.GetTimestamp();
    private long _reported = clock.GetTimestamp();
    private int _read, _warnings, _warningsLeftOut;

    /// <inheritdoc/>
    public void OnProgress(ZoneFile file, long records)
    {
        if (IsTimeToReport())
            logger.LogInformation("Reading zone {Zone}: {Records:N0} records so far", file.Zone, records);
    }

    /// <inheritdoc/>
    public void OnRead(ZoneFile file, ZoneLoadResult result)
    {
        int read = Interlocked.Increment(ref _read);
        LogFindings(result.Diagnostics);
        if (result.Zone is null)
            logger.LogError("Zone {Zone} is not served: {File} has errors", file.Zone, file.Path);
        else if (logger.IsEnabled(LogLevel.Debug))
            logger.LogDebug("Zone {Zone} is served: {Records:N0} records", file.Zone, result.Zone.RecordCount);
        if (read < zoneCount && IsTimeToReport())
            logger.LogInformation("Read {Read:N0} of {Zones:N0} zones", read, zoneCount);
    }

    /// <inheritdoc/>
    public void OnCrash(ZoneFile file, Exception error) =>
        logger.LogError(error, "Zone {Zone} is not served: reading {File} failed", file.Zone, file.Path);

    /// <summary>Says what it came to.</summary>
    public void OnFinished(ZoneLoadSummary summary)
    {
        if (_warningsLeftOut > 0)
            logger.LogWarning("{Count:N0} more warnings of zones: dnsd check shows them all", _warningsLeftOut);
        logger.LogInformation("Serving {Zones:N0} zones with {Records:N0} records, loaded in {Seconds:N2} s",
            summary.Loaded, summary.Records, clock.GetElapsedTime(_started).TotalSeconds);
        if (summary.Failed > 0)
            logger.LogError("Zones that are not served and answer SERVFAIL: {Count:N0}", summary.Failed);
    }

    private void LogFindings(IReadOnlyList<ZoneDiagnostic> findings)
    {
        int errors = 0, warnings = 0;
        foreach (ZoneDiagnostic finding in findings)
        {
            if (finding.Severity == Severity.Error)
            {
                if (errors++ < MaxFindingsOfZone) logger.LogError("{Finding}", finding.ToString());
            }
            else if (warnings++ < MaxFindingsOfZone && Interlocked.Increment(ref _warnings) <= MaxWarnings)
            {
                logger.LogWarning("{Finding}", finding.ToString());
            }
            else
            {
                Interlocked.Increment(ref _warningsLeftOut);
            }
        }
        if (errors > MaxFindingsOfZone)
            logger.LogError("{Count:N0} more errors: dnsd check shows them", errors - MaxFindingsOfZone);
    }

    private bool IsTimeToReport()
    {
        long last = Volatile.Read(ref _reported);
        return clock.GetElapsedTime(last) >= ProgressInterval
            && Interlocked.CompareExchange(ref _reported, clock.GetTimestamp(), last) == last;
    }
}
