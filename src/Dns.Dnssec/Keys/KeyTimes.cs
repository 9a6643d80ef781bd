namespace Dns.Dnssec;

/// <summary>The times of a key file; null = not stated. BIND's meaning and names.</summary>
public sealed record KeyTimes
{
    /// <summary>When the key was made.</summary>
    public DateTimeOffset? Created { get; init; }

    /// <summary>From when its DNSKEY record is in the zone.</summary>
    public DateTimeOffset? Publish { get; init; }

    /// <summary>From when it signs.</summary>
    public DateTimeOffset? Activate { get; init; }

    /// <summary>From when it is revoked (RFC 5011).</summary>
    public DateTimeOffset? Revoke { get; init; }

    /// <summary>From when it signs no more.</summary>
    public DateTimeOffset? Inactive { get; init; }

    /// <summary>From when its DNSKEY record is not in the zone any more.</summary>
    public DateTimeOffset? Delete { get; init; }

    /// <summary>From when CDS and CDNSKEY records name it (RFC 7344).</summary>
    public DateTimeOffset? SyncPublish { get; init; }

    /// <summary>From when they do not any more.</summary>
    public DateTimeOffset? SyncDelete { get; init; }
}
