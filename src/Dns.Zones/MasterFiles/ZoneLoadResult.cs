namespace Dns.Zones;

/// <summary>What became of one master file.</summary>
public sealed class ZoneLoadResult
{
    internal ZoneLoadResult(Zone? zone, DiagnosticLog log, long recordCount) =>
        (Zone, Diagnostics, ErrorCount, Includes, RecordCount) = (zone, log.ToList(), log.ErrorCount, log.Includes, recordCount);

    /// <summary>The zone, ready to be published; null if there is any error.</summary>
    public Zone? Zone { get; }

    /// <summary>What makes the zone of the version that is served; null where there is none, or much differs.</summary>
    public ZoneDelta? Delta { get; init; }

    /// <summary>Errors and warnings by file and line; the first 1000 of each, and how many more there are.</summary>
    public IReadOnlyList<ZoneDiagnostic> Diagnostics { get; }

    /// <summary>How many errors there are, listed or not.</summary>
    public int ErrorCount { get; }

    /// <summary>The files named by <c>$INCLUDE</c>, each once, also those that could not be read; mostly none.</summary>
    public IReadOnlyList<string> Includes { get; }

    /// <summary>How many records were read, those that are left out or folded included.</summary>
    public long RecordCount { get; }
}
