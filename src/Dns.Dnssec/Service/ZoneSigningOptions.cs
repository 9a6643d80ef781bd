namespace Dns.Dnssec.Service;

/// <summary>Options of signing besides the policies.</summary>
public sealed record ZoneSigningOptions
{
    /// <summary>Threads that sign one large zone, at least 1.</summary>
    public int Threads { get; init; } = Environment.ProcessorCount;

    /// <summary>Zones signed at a time, at least 1.</summary>
    public int Zones { get; init; } = 2;

    /// <summary>
    /// Maximum records of a change that is signed by its source's thread, unless it affects many more names; a larger
    /// one is queued, together with those that come meanwhile.
    /// </summary>
    public int SmallChange { get; init; } = 2000;

    /// <summary>Signatures renewed in one step, after which other zones get a turn.</summary>
    public int RefreshBudget { get; init; } = 500;

    /// <summary>Maximum octets of cached signatures of zones with compact denial.</summary>
    public long OnlineCacheOctets { get; init; } = 16 * 1024 * 1024;

    /// <summary>Limits of a name; null = <see cref="ZoneLimits.Default"/>.</summary>
    public ZoneLimits? Limits { get; init; }

    /// <summary>Starts background work; a test may run it synchronously.</summary>
    public Action<Action> Start { get; init; } =
        static work => ThreadPool.UnsafeQueueUserWorkItem(static it => it(), work, preferLocal: false);
}
