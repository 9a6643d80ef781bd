namespace Dns.Forwarding.Cache;

/// <summary>Counters of a cache, and its contents now.</summary>
/// <param name="Hits">Fresh answers given.</param>
/// <param name="Misses">Questions without an answer in the cache.</param>
/// <param name="Stale">Stale answers given.</param>
/// <param name="Failures">Cached failures given.</param>
/// <param name="Stored">Answers and failures stored.</param>
/// <param name="Evicted">Entries evicted before they expired.</param>
/// <param name="Expired">Entries removed after they expired.</param>
/// <param name="Entries">Entries now, expired ones and failures included.</param>
/// <param name="Bytes">Memory now, tables included.</param>
public readonly record struct CacheCounters(
    long Hits, long Misses, long Stale, long Failures, long Stored, long Evicted, long Expired, long Entries,
    long Bytes);
