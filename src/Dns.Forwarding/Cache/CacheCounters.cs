namespace Dns.Forwarding;

/// <summary>What happened in a cache since its start, and what it holds now.</summary>
/// <param name="Hits">Answers copied while they were fresh.</param>
/// <param name="Misses">Questions without an answer that could be given.</param>
/// <param name="Stale">Expired answers given.</param>
/// <param name="Failures">Kept failures given.</param>
/// <param name="Stored">Answers and failures stored.</param>
/// <param name="Evicted">Entries that had to go before their time, for others.</param>
/// <param name="Expired">Entries dropped after their time.</param>
/// <param name="Entries">Entries there now, expired ones and failures included.</param>
/// <param name="Bytes">Memory held now, tables included.</param>
public readonly record struct CacheCounters(
    long Hits, long Misses, long Stale, long Failures, long Stored, long Evicted, long Expired, long Entries, long Bytes);
