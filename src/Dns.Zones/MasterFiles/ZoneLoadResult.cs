namespace Dns.Zones;

/// <summary>What became of one master file.</summary>
public sealed class ZoneLoadResult
{
    private ZoneLoadResult(ZoneLoadResult other)
    {
        (Zone, Diagnostics, ErrorCount) = (other.Zone, other.Diagnostics, other.ErrorCount);
        (Includes, RecordCount) = (other.Includes, other.RecordCount);
    }

    internal ZoneLoadResult(Zone? zone, DiagnosticLog log, long recordCount) =>
        (Zone, Diagnostics, ErrorCount, Includes, RecordCount) = (zone, log.ToList(), log.ErrorCount, log.Includes, recordCount);

    /// <summary>The zone, ready to be published; null if there is any error.</summary>
    public Zone? Zone { get; private init; }

    /// <summary>What makes the zone of the version that is served; null where there is none, or much differs.</summary>
    public ZoneDelta? Delta { get; internal init; }

    /// <summary>Errors and warnings by file and line; the first 1000 of each, and how many more there are.</summary>
    public IReadOnlyList<ZoneDiagnostic> Diagnostics { get; private init; }

    /// <summary>How many errors there are, listed or not.</summary>
    public int ErrorCount { get; private init; }

    /// <summary>The files named by <c>$INCLUDE</c>, each once, also those that could not be read; mostly none.</summary>
    public IReadOnlyList<string> Includes { get; }

    /// <summary>How many records were read, those that are left out or folded included.</summary>
    public long RecordCount { get; }

    /// <summary>The same, where another version is published than was read.</summary>
    /// <param name="zone">The version.</param>
    /// <param name="delta">What makes it of the one before; null = not known.</param>
    public ZoneLoadResult With(Zone zone, ZoneDelta? delta) => new(this) { Zone = zone, Delta = delta };

    /// <summary>The same, where what was read is not published.</summary>
    /// <param name="error">Why not.</param>
    public ZoneLoadResult Refuse(ZoneDiagnostic error) =>
        new(this) { Zone = null, Delta = null, Diagnostics = [.. Diagnostics, error], ErrorCount = ErrorCount + 1 };
}
