using Microsoft.Extensions.Logging;

namespace Dns.Telemetry.Log;

/// <summary>
/// Logs the loading of zones: errors and warnings, and progress if it takes long. Bounded, so that 100,000 zones with a
/// warning each do not fill a disk.
/// </summary>
public sealed class ZoneLog(ILogger logger, TimeProvider clock, Func<int> countZones) : IZoneLoadObserver
{
    private const int MaxDiagnosticsOfZone = 10;
    private const int MaxWarnings = 100;
    private const int MaxReloadLines = 20;
    private static readonly TimeSpan ProgressInterval = TimeSpan.FromSeconds(1);

    /// <summary>Whether zones change at runtime: then each loaded one has its line, up to a number.</summary>
    public bool IsReload { get; init; }

    public TimeSpan Elapsed => clock.GetElapsedTime(_started);

    private readonly long _started = clock.GetTimestamp();
    private long _reported = clock.GetTimestamp();
    private int _read, _served, _warnings, _warningsLeftOut;

    public void OnProgress(DomainName zone, string origin, long records)
    {
        if (IsTimeToReport())
            logger.ReadingZone(zone, Counted.Of(records, "record"));
    }

    public void OnRead(DomainName zone, string origin, ZoneLoadResult result, Zone? before)
    {
        int read = Interlocked.Increment(ref _read);
        LogDiagnostics(result);
        if (result.Zone is not null) LogServed(zone, result.Zone, before);
        else if (before is null) logger.ZoneNotServed(zone, Describe(origin, result));
        else logger.ZoneStillServed(zone, before.Serial, Describe(origin, result));
        if (!IsReload && countZones() is var count && read < count && IsTimeToReport())
            logger.ReadingZones(read, Counted.Of(count, "zone"));
    }

    public void OnValidAgain(DomainName zone, string origin, Zone served)
    {
        if (Interlocked.Increment(ref _served) <= MaxReloadLines) logger.ZoneValidAgain(zone, origin, served.Serial);
    }

    public void OnCrash(DomainName zone, string origin, Exception error) =>
        logger.ZoneReadingFailed(error, zone, origin);

    public void OnRemoved(IReadOnlyList<DomainName> zones)
    {
        foreach (DomainName zone in zones.Take(MaxReloadLines))
            logger.ZoneRemoved(zone);
    }

    public void OnReloaded(ZoneLoadSummary summary)
    {
        OnDiagnosticsLeftOut();
        logger.ZonesReloaded(
            summary.Loaded + summary.Failed, Elapsed.TotalMilliseconds, summary.NotTaken,
            summary.Added, summary.Removed);
    }

    /// <summary>Logs the totals of the first loading.</summary>
    public void OnFinished(ZoneLoadSummary summary, TimeSpan taken)
    {
        OnDiagnosticsLeftOut();
        logger.ZonesLoaded(
            Counted.Of(summary.Loaded, "zone"), Counted.Of(summary.Records, "record"),
            taken.TotalSeconds);
        if (summary.Failed > 0)
            logger.ZonesNotServed(summary.Failed);
    }

    private void LogServed(DomainName name, Zone zone, Zone? before)
    {
        if (ReferenceEquals(zone, before))
        {
            logger.ZoneUnchanged(name, zone.Serial);
            return;
        }
        if (before is not null && !SerialNumber.IsGreater(zone.Serial, before.Serial))
        {
            // Secondaries only compare the serial (RFC 1034 §4.3.5).
            if (Interlocked.Increment(ref _warnings) > MaxWarnings) Interlocked.Increment(ref _warningsLeftOut);
            else logger.SerialNotAbove(name, zone.Serial, before.Serial);
        }
        if (SignatureFault.OfDates(zone, clock.GetUtcNow()) is { } fault)
        {
            if (Interlocked.Increment(ref _warnings) > MaxWarnings) Interlocked.Increment(ref _warningsLeftOut);
            else logger.SignaturesLate(name, fault.Text);
        }
        bool hasLine = IsReload && Interlocked.Increment(ref _served) <= MaxReloadLines;
        if (!hasLine && !logger.IsEnabled(LogLevel.Debug)) return;
        string records = Counted.Of(zone.RecordCount, "record");
        if (hasLine) logger.ZoneServed(name, zone.Serial, records);
        else logger.FurtherZoneServed(name, zone.Serial, records);
    }

    /// <summary>A single error, which then needs no line of its own; of several, their number.</summary>
    private static string Describe(string origin, ZoneLoadResult result)
    {
        if (result.ErrorCount == 1)
            return result.Diagnostics.First(diagnostic => diagnostic.Severity == Severity.Error).ToString();
        string more = result.ErrorCount > MaxDiagnosticsOfZone
            ? $", the first {MaxDiagnosticsOfZone} of them above: dnsd check shows more" : "";
        return $"{origin} has {Counted.Of(result.ErrorCount, "error")}{more}";
    }

    private void LogDiagnostics(ZoneLoadResult result)
    {
        int errors = 0, warnings = 0;
        foreach (ZoneDiagnostic diagnostic in result.Diagnostics)
        {
            if (diagnostic.Severity == Severity.Error)
            {
                if (result.ErrorCount > 1 && errors++ < MaxDiagnosticsOfZone) logger.ZoneError(diagnostic);
            }
            else if (warnings++ < MaxDiagnosticsOfZone && Interlocked.Increment(ref _warnings) <= MaxWarnings)
            {
                logger.ZoneWarning(diagnostic);
            }
            else
            {
                Interlocked.Increment(ref _warningsLeftOut);
            }
        }
    }

    private void OnDiagnosticsLeftOut()
    {
        if (_warningsLeftOut > 0)
            logger.MoreZoneWarnings(Counted.Of(_warningsLeftOut, "more warning"));
    }

    private bool IsTimeToReport()
    {
        long last = Volatile.Read(ref _reported);
        return clock.GetElapsedTime(last) >= ProgressInterval
            && Interlocked.CompareExchange(ref _reported, clock.GetTimestamp(), last) == last;
    }
}
