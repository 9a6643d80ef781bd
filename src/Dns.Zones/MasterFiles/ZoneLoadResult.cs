namespace Dns.Zones;

/// <summary>What became of one master file.</summary>
public sealed class ZoneLoadResult
{
    internal ZoneLoadResult(Zone? zone, IReadOnlyList<ZoneDiagnostic> diagnostics, long recordCount) =>
        (Zone, Diagnostics, RecordCount) = (zone, diagnostics, recordCount);

    /// <summary>The zone, ready to be published; null if there is any error.</summary>
    public Zone? Zone { get; }

    /// <summary>Errors and warnings by file and line; the first 1000 of each, and how many more there are.</summary>
    public IReadOnlyList<ZoneDiagnostic> Diagnostics { get; }

    /// <summary>How many records were read, those that are left out or folded included.</summary>
    public long RecordCount { get; }
}
