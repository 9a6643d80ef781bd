using Dns.Zones;

namespace Dns.Replication;

/// <summary>Limits of updates.</summary>
public sealed record UpdateOptions
{
    /// <summary>The maximum number of queued updates; others get SERVFAIL.</summary>
    public int MaxWaiting { get; init; } = 1024;

    /// <summary>The maximum number of queued updates of one zone; others get SERVFAIL.</summary>
    public int MaxWaitingOfZone { get; init; } = 256;

    /// <summary>The maximum octets of queued messages; others get SERVFAIL.</summary>
    public long MaxWaitingOctets { get; init; } = 16 << 20;

    /// <summary>The maximum number of zones changed concurrently.</summary>
    public int MaxWriters { get; init; } = 4;

    /// <summary>The maximum number of updates that share one flush.</summary>
    public int MaxGroup { get; init; } = 128;

    /// <summary>Limits of zone data.</summary>
    public ZoneLimits Limits { get; init; } = ZoneLimits.Default;

    /// <summary>Limits of journals.</summary>
    public JournalOptions Journal { get; init; } = new() { MaxOctets = 256 << 20 };
}
