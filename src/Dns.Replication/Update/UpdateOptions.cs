using Dns.Zones;

namespace Dns.Replication;

/// <summary>How zones are updated, and how much of it at a time.</summary>
public sealed record UpdateOptions
{
    /// <summary>Updates that wait in all; further ones get SERVFAIL.</summary>
    public int MaxWaiting { get; init; } = 1024;

    /// <summary>Updates that wait for one zone; further ones get SERVFAIL.</summary>
    public int MaxWaitingOfZone { get; init; } = 256;

    /// <summary>Octets of messages that wait in all; further ones get SERVFAIL.</summary>
    public long MaxWaitingOctets { get; init; } = 16 << 20;

    /// <summary>Zones that are changed at once.</summary>
    public int MaxWriters { get; init; } = 4;

    /// <summary>Updates that share one flush at most.</summary>
    public int MaxGroup { get; init; } = 128;

    /// <summary>How large a name of a zone may become.</summary>
    public ZoneLimits Limits { get; init; } = ZoneLimits.Default;

    /// <summary>How large the journal of a zone becomes.</summary>
    public JournalOptions Journal { get; init; } = new() { MaxOctets = 256 << 20 };
}
