namespace Dns.Management.Status;

/// <summary>The status of a view.</summary>
/// <param name="Zones">Zones served in it.</param>
/// <param name="Queries">Parsed queries in it since the start.</param>
/// <param name="CacheEntries">Cached answers of forwarded names; null if several views share the cache.</param>
public sealed record ViewStatus(string Name, int Zones, long Queries, long? CacheEntries)
{
    /// <summary>All views of a responder.</summary>
    /// <param name="cache">The cache of forwarded answers; null = none.</param>
    public static IReadOnlyList<ViewStatus> Of(ViewSet views, AnswerCounts answers, AnswerCache? cache) =>
    [
        .. views.All.Select(view => new ViewStatus(
            view.Name, view.Zones.Current.Count,
            views.All.Count == 1 ? answers.ParsedQueries : answers.QueriesInView(view.Number),
            views.All.Count > 1 ? null : cache?.Counters.Entries ?? 0)),
    ];
}
