namespace Dns.Management;

/// <summary>What the status page and <c>/api/status</c> show: the state of the server, and what they were asked for of its past.</summary>
internal sealed record StatusView
{
    /// <summary>The state.</summary>
    public required ServerStatus Server { get; init; }

    /// <summary>The part of the past.</summary>
    public required HistoryRange Range { get; init; }

    /// <summary>How long the range is that charts show; after the start longer than what there is.</summary>
    public required TimeSpan RangeLength { get; init; }

    /// <summary>What happened within the range.</summary>
    public required HistoryFigures Figures { get; init; }

    /// <summary>What happened in its last seconds.</summary>
    public required HistoryFigures Latest { get; init; }

    /// <summary>The steps of the range, the oldest first, each with its end in seconds before now.</summary>
    public required IReadOnlyList<(double Ago, HistoryFigures Figures)> Steps { get; init; }

    /// <summary>Responses by RCODE within the range, the most frequent first.</summary>
    public required IReadOnlyList<NamedCount> Rcodes { get; init; }

    /// <summary>Queries by type since the start, the most frequent first.</summary>
    public IReadOnlyList<NamedCount> Types => [.. CounterGroups.Types(Server.Answers).OrderByDescending(one => one.Count)];

    /// <summary>The zones of one page of the list, those with errors first.</summary>
    public required ZonePage Zones { get; init; }

    /// <summary>The names that are asked for most.</summary>
    public required IReadOnlyList<TopEntry> Names { get; init; }

    /// <summary>The clients that ask most.</summary>
    public required IReadOnlyList<TopEntry> Clients { get; init; }

    /// <summary>The last warnings and errors of the log, the latest first.</summary>
    public required IReadOnlyList<LogLine> Log { get; init; }
}
