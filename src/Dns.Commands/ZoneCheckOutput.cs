namespace Dns.Commands;

/// <summary>Prints diagnostics of zones, progress of large ones, and counts; drops the zones.</summary>
/// <param name="errors">Receives diagnostics and progress, a line each.</param>
/// <param name="collected">Receives the diagnostics instead; null = <paramref name="errors"/> does.</param>
/// <param name="now">The time by which signatures have expired; null = they are not checked.</param>
internal sealed class ZoneCheckOutput(
    TextWriter errors, ICollection<ZoneDiagnostic>? collected = null, DateTimeOffset? now = null) : IZoneLoadObserver
{
    private readonly Lock _lock = new();
    private readonly Dictionary<DomainName, string> _outcomes = [];

    /// <summary>Zones without errors.</summary>
    public int Good { get; private set; }

    public int Bad { get; private set; }

    /// <summary>Records in zones without errors.</summary>
    public long Records { get; private set; }

    public int Warnings { get; private set; }

    /// <summary>Writes a line for each zone, in order: its name, result and file.</summary>
    public void WriteZones(IReadOnlyList<ZoneFile> files, TextWriter output)
    {
        foreach (ZoneFile file in files)
            if (_outcomes.TryGetValue(file.Zone, out string? outcome))
                output.WriteLine($"zone {file.Zone}: {outcome}, {file.Path}");
    }

    public void OnProgress(DomainName zone, string origin, long records)
    {
        lock (_lock) errors.WriteLine($"{origin}: {Counted.Of(records, "record")} so far");
    }

    public void OnRead(DomainName zone, string origin, ZoneLoadResult result, Zone? before)
    {
        // Diagnostics of one zone stay together.
        lock (_lock)
        {
            foreach (ZoneDiagnostic diagnostic in result.Diagnostics.Concat(FindExpired(zone, origin, result.Zone)))
            {
                Write(diagnostic);
                if (diagnostic.Severity == Severity.Warning) Warnings++;
            }
            _outcomes[zone] = result.Zone is { } good
                ? $"good, serial {good.Serial}, {Counted.Of(good.RecordCount, "record")}"
                : result.Conflict is null ? "bad, not served" : "bad, the version with its updates is served";
            if (result.Zone is null)
            {
                Bad++;
                return;
            }
            Good++;
            Records += result.Zone.RecordCount;
        }
    }

    public void OnCrash(DomainName zone, string origin, Exception error)
    {
        lock (_lock)
        {
            Bad++;
            _outcomes[zone] = "bad, not served";
            string message = error.Message.ReplaceLineEndings(" ");
            Write(new ZoneDiagnostic(Severity.Error, origin, 0, 0, $"reading failed: {message}"));
        }
    }

    private IReadOnlyList<ZoneDiagnostic> FindExpired(DomainName name, string origin, Zone? zone) =>
        zone is not null && now is { } time
        && ExpiredSignatures.Find(zone, unchecked((uint)time.ToUnixTimeSeconds())) is { } expired
            ? RecordDiagnostic.Locate([expired], name, origin) : [];

    /// <summary>Writes and counts a warning of another check. Thread-safe.</summary>
    public void Warn(string line)
    {
        lock (_lock)
        {
            errors.WriteLine(line);
            Warnings++;
        }
    }

    /// <summary>Writes a diagnostic of another check beside those of reading. Of one thread.</summary>
    public void Write(ZoneDiagnostic diagnostic)
    {
        if (collected is null) errors.WriteLine(diagnostic);
        else collected.Add(diagnostic);
    }
}
