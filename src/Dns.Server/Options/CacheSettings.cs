namespace Dns.Server;

/// <summary>The cache of what others say, section <c>Dns:Cache</c>.</summary>
internal sealed class CacheSettings
{
    /// <summary>Memory for answers, in bytes; without a value 256 MiB, or a quarter of the memory where that is less.</summary>
    public long MaxBytes { get; set; } = Math.Min(256L << 20, ServerMemory.Bytes / 4);

    /// <summary>TTLs below are raised to it.</summary>
    public TimeSpan MinTtl { get; set; } = TimeSpan.Zero;

    /// <summary>TTLs above are lowered to it.</summary>
    public TimeSpan MaxTtl { get; set; } = TimeSpan.FromDays(1);

    /// <summary>The longest that "no such name" and "no such data" are kept.</summary>
    public TimeSpan MaxNegativeTtl { get; set; } = TimeSpan.FromHours(3);

    /// <summary>How long after its end an answer may still be given when nobody answers; 0 = never.</summary>
    public TimeSpan ServeStale { get; set; } = TimeSpan.FromDays(1);

    /// <summary>Whether popular answers are asked for again before they end.</summary>
    public bool Prefetch { get; set; } = true;

    /// <summary>Whether "no such name" holds for the names below too (RFC 8020).</summary>
    public bool NameErrorCoversNamesBelow { get; set; } = true;

    /// <summary>Where answers are kept while the server is stopped; null = they are forgotten.</summary>
    public string? File { get; set; }
}
