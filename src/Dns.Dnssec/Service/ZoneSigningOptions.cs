using Dns.Zones;

namespace Dns.Dnssec;

/// <summary>How zones are signed beside what their policies say.</summary>
public sealed record ZoneSigningOptions
{
    /// <summary>Threads that sign one large zone, at least 1.</summary>
    public int Threads { get; init; } = Environment.ProcessorCount;

    /// <summary>Zones that are signed at a time, at least 1.</summary>
    public int Zones { get; init; } = 2;

    /// <summary>Records of a change that is signed before who has made it goes on; a larger one waits its turn.</summary>
    public int SmallChange { get; init; } = 2000;

    /// <summary>Signatures that are renewed in one step, after which others have their turn.</summary>
    public int RefreshBudget { get; init; } = 500;

    /// <summary>The most octets that cached signatures of zones with compact denial take.</summary>
    public long OnlineCacheOctets { get; init; } = 16 * 1024 * 1024;

    /// <summary>How large a name may be; null = <see cref="ZoneLimits.Default"/>.</summary>
    public ZoneLimits? Limits { get; init; }

    /// <summary>Starts what works in the background; a test may run it at once.</summary>
    public Action<Action> Start { get; init; } =
        static work => ThreadPool.UnsafeQueueUserWorkItem(static it => it(), work, preferLocal: false);
}
