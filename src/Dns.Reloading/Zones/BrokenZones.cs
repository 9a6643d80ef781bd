namespace Dns.Reloading.Zones;

/// <summary>Collects the diagnostics of zone files for a reload. Bounded; thread-safe.</summary>
/// <param name="good">Receives zones without errors; null = none.</param>
public sealed class BrokenZones(IZoneLoadObserver? good = null) : IZoneLoadObserver
{
    private readonly Lock _lock = new();
    private readonly List<string> _lines = [];
    private int _left;

    /// <summary>Maximum errors with a line each; the others are counted.</summary>
    public int MaxLines { get; init; } = 100;

    /// <summary>Finds why a file would not be taken; null = none of those that are read here.</summary>
    public Func<DomainName, Zone, string, string?>? FindConflict { get; init; }

    /// <summary>Number of zones with errors.</summary>
    public int Count { get; private set; }

    /// <summary>A line for each error, and the number of others.</summary>
    public IReadOnlyList<string> Lines =>
        _left == 0 ? _lines : [.. _lines, $"... and {Counted.Of(_left, "more error")}"];

    public void OnProgress(DomainName zone, string origin, long records) => good?.OnProgress(zone, origin, records);

    public void OnRead(DomainName zone, string origin, ZoneLoadResult result, Zone? before)
    {
        if (result.Zone is not null && (result.Conflict ?? FindConflict?.Invoke(zone, result.Zone, origin)) is { } line)
            Add([line]);
        else if (result.Zone is not null) good?.OnRead(zone, origin, result, before);
        else
            Add([.. result.Diagnostics.Where(diagnostic => diagnostic.Severity == Severity.Error)
                .Select(diagnostic => diagnostic.ToString())]);
    }

    public void OnValidAgain(DomainName zone, string origin, Zone served) => good?.OnValidAgain(zone, origin, served);

    public void OnCrash(DomainName zone, string origin, Exception error) =>
        Add([$"{origin}: error: reading failed: {error.Message.ReplaceLineEndings(" ")}"]);

    private void Add(string[] errors)
    {
        lock (_lock)
        {
            Count++;
            int room = Math.Min(errors.Length, MaxLines - _lines.Count);
            _lines.AddRange(errors[..room]);
            _left += errors.Length - room;
        }
    }
}
