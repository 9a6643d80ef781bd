namespace Dns.Zones.MasterFiles;

/// <summary>The result of loading one master file.</summary>
public sealed class ZoneLoadResult
{
    private ZoneLoadResult(ZoneLoadResult other)
    {
        (Zone, Diagnostics, ErrorCount) = (other.Zone, other.Diagnostics, other.ErrorCount);
        (Includes, RecordCount) = (other.Includes, other.RecordCount);
    }

    internal ZoneLoadResult(Zone? zone, DiagnosticLog log, long recordCount) =>
        (Zone, Diagnostics, ErrorCount, Includes, RecordCount) =
            (zone, log.ToList(), log.ErrorCount, log.Includes, recordCount);

    /// <summary>The zone; null if there is any error.</summary>
    public Zone? Zone { get; private init; }

    /// <summary>The delta from the served version; null without one, or if much differs.</summary>
    public ZoneDelta? Delta { get; internal init; }

    /// <summary>Errors and warnings by file and line; the first 1000 of each, and how many more there are.</summary>
    public IReadOnlyList<ZoneDiagnostic> Diagnostics { get; private init; }

    /// <summary>Number of errors, listed or not.</summary>
    public int ErrorCount { get; private init; }

    /// <summary>The files of <c>$INCLUDE</c>, each once, including unreadable ones; usually none.</summary>
    public IReadOnlyList<string> Includes { get; }

    /// <summary>Number of records read, including dropped ones.</summary>
    public long RecordCount { get; }

    /// <summary>Why the file was not taken although another version is served; null if it was.</summary>
    public string? Conflict { get; private init; }

    /// <summary>The result with another published version.</summary>
    /// <param name="delta">The delta from the previous one; null = unknown.</param>
    public ZoneLoadResult With(Zone zone, ZoneDelta? delta) => new(this) { Zone = zone, Delta = delta };

    /// <summary>The result when the served version stays, and the file contradicts its later changes.</summary>
    public ZoneLoadResult Keep(Zone served, string conflict) =>
        new(this) { Zone = served, Delta = null, Conflict = conflict };

    /// <summary>The result when the read version is not published.</summary>
    public ZoneLoadResult Refuse(ZoneDiagnostic error) =>
        new(this)
        {
            Zone = null, Delta = null, Conflict = Conflict, Diagnostics = [.. Diagnostics, error],
            ErrorCount = ErrorCount + 1,
        };
}
