namespace Dns.Management.Status;

/// <summary>The status of a view.</summary>
/// <param name="Zones">Zones served in it.</param>
/// <param name="Queries">Parsed queries in it since the start.</param>
/// <param name="CacheEntries">Cached answers of forwarded names.</param>
internal sealed record ViewStatus(string Name, int Zones, long Queries, long CacheEntries)
{
    /// <summary>All views of a responder.</summary>
    /// <param name="cache">The cache of forwarded answers; null = none.</param>
    public static IReadOnlyList<ViewStatus> Of(ViewSet views, AnswerCounts answers, AnswerCache? cache) =>
    [
        .. views.All.Select(view => new ViewStatus(
            view.Name, view.Zones.Current.Count,
            views.All.Count == 1 ? answers.ParsedQueries : answers.QueriesInView(view.Number),
            cache is null ? 0 : views.All.Count == 1 ? cache.Counters.Entries : cache.EntriesOf(view.Number))),
    ];
}
