namespace Dns.Features.Forwarding;

/// <summary>The cache of the forwarder, section <c>Dns:Cache</c>.</summary>
public sealed record CacheSettings
{
    private static readonly long MostBytes = new CacheOptions().MaxBytes;

    /// <summary>What is cached; by default in a quarter of the memory at most.</summary>
    public CacheOptions Limits { get; init; } = new();

    /// <summary>The file that keeps the cache while the server is stopped; null = there is none.</summary>
    public string? File { get; init; }

    /// <summary>The section.</summary>
    public static SettingsSection<CacheSettings> Section { get; } =
        new SettingsSection<CacheSettings>("Cache",
            "The cache of the forwarder.", new() { Limits = new() { MaxBytes = Math.Min(MostBytes, ServerMemory.Bytes / 4) } })
        .Add("MaxBytes", Memory(CacheOptions.LeastBytes, 1L << 40),
            _ => MostBytes, (o, v) => o with { Limits = o.Limits with { MaxBytes = v } },
            "Memory for cached answers: bytes, a number with K, M or G, or with % of the memory of the machine or, in a container, of three quarters of the cgroup limit. At least 1M. The default is a quarter of that memory where that is less.", "1G")
        .Add("MinTtl", Time(TimeSpan.FromDays(1)),
            o => o.Limits.MinTtl, (o, v) => o with { Limits = o.Limits with { MinTtl = v } },
            "Lower TTLs are raised to this value. Up to 1d.", "60", isLive: true)
        .Add("MaxTtl", Time(TimeSpan.FromDays(7)),
            o => o.Limits.MaxTtl, (o, v) => o with { Limits = o.Limits with { MaxTtl = v } },
            "Higher TTLs are lowered to this value. Up to 1w.", "6h", isLive: true)
        .Add("MaxNegativeTtl", Time(TimeSpan.FromDays(1)),
            o => o.Limits.MaxNegativeTtl, (o, v) => o with { Limits = o.Limits with { MaxNegativeTtl = v } },
            "The longest time for which NXDOMAIN and NODATA are cached (negative caching, RFC 2308). Up to 1d.",
            "15m", isLive: true)
        .Add("ServeStale", Time(TimeSpan.FromDays(7)),
            o => o.Limits.ServeStale, (o, v) => o with { Limits = o.Limits with { ServeStale = v } },
            "How long after its TTL a stale answer may still be served when no upstream answers (serve-stale, RFC 8767). Up to 1w; 0 = never.", "3d", isLive: true)
        .Add("Prefetch", Flag, o => o.Limits.Prefetch, (o, v) => o with { Limits = o.Limits with { Prefetch = v } },
            "Whether popular answers are refreshed in the last tenth of their TTL, by queries with RD.",
            false, isLive: true)
        .Add("NameErrorCoversNamesBelow", Flag,
            o => o.Limits.NameErrorCoversNamesBelow,
            (o, v) => o with { Limits = o.Limits with { NameErrorCoversNamesBelow = v } },
            "Whether NXDOMAIN for a name also holds for all names below it (RFC 8020).", false, isLive: true)
        .Add("File", FilePath, o => o.File, (o, v) => o with { File = v },
            "File that keeps the cache while the server is stopped. null = the cache begins empty.",
            "/var/lib/dnsd/cache")
        .Check((o, problems) =>
        {
            if (o.Limits.MinTtl > o.Limits.MaxTtl)
                problems.Report("MinTtl", "Dns:Cache:MinTtl is above Dns:Cache:MaxTtl: expected it at or below");
        });
}
