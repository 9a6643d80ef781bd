namespace Dns.Management.Status;

/// <summary>
/// Content of the status page and <c>/api/status</c>: the server, and the requested part of its past.
/// </summary>
public sealed record StatusPageModel
{
    public required ServerStatus Server { get; init; }

    public required HistoryRange Range { get; init; }

    /// <summary>The length of the charts' range; after the start longer than the history.</summary>
    public required TimeSpan RangeLength { get; init; }

    public required HistoryFigures Figures { get; init; }

    /// <summary>The figures of its last seconds.</summary>
    public required HistoryFigures Latest { get; init; }

    /// <summary>The steps of the range, the oldest first, each with its end in seconds before now.</summary>
    public required IReadOnlyList<(double Ago, HistoryFigures Figures)> Steps { get; init; }

    /// <summary>Responses by RCODE within the range, the most frequent first.</summary>
    public required IReadOnlyList<NamedCount> Rcodes { get; init; }

    /// <summary>Queries by type since the start, the most frequent first.</summary>
    public IReadOnlyList<NamedCount> Types =>
        [.. CounterGroups.Types(Server.Answers).OrderByDescending(one => one.Count)];

    /// <summary>The zones of one page of the list, those with errors first.</summary>
    public required ZonePage Zones { get; init; }

    public required IReadOnlyList<TopEntry> Names { get; init; }

    public required IReadOnlyList<TopEntry> Clients { get; init; }

    /// <summary>The last warnings and errors of the log, the latest first.</summary>
    public required IReadOnlyList<LogLine> Log { get; init; }
}
