namespace Dns.Zones.Lookup;

/// <summary>The status of a secondary zone.</summary>
public readonly record struct ZoneReplica(IReadOnlyList<string> Primaries)
{
    /// <summary>The next query to the primaries; null while one is running.</summary>
    public DateTimeOffset? NextRefresh { get; init; }

    /// <summary>When the served version expires; null if none is served.</summary>
    public DateTimeOffset? Expires { get; init; }

    /// <summary>When a primary last had this version; null = never.</summary>
    public DateTimeOffset? ConfirmedAt { get; init; }

    /// <summary>Why the last refresh failed; null on success.</summary>
    public string? LastError { get; init; }

    /// <summary>Records of the running transfer so far; null if none.</summary>
    public long? TransferRecords { get; init; }

    /// <summary>Octets of the running transfer so far; null if none.</summary>
    public long? TransferOctets { get; init; }
}
