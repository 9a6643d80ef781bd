namespace Dns.Dnssec.Keys;

/// <summary>The times of a key file; null = not stated. BIND's meaning and names.</summary>
public sealed record KeyTimes
{
    /// <summary>When the key was created.</summary>
    public DateTimeOffset? Created { get; init; }

    /// <summary>When its DNSKEY record is published.</summary>
    public DateTimeOffset? Publish { get; init; }

    /// <summary>When it becomes active.</summary>
    public DateTimeOffset? Activate { get; init; }

    /// <summary>When it is revoked (RFC 5011).</summary>
    public DateTimeOffset? Revoke { get; init; }

    /// <summary>When it stops signing.</summary>
    public DateTimeOffset? Inactive { get; init; }

    /// <summary>When its DNSKEY record is removed.</summary>
    public DateTimeOffset? Delete { get; init; }

    /// <summary>When its CDS and CDNSKEY records are published (RFC 7344).</summary>
    public DateTimeOffset? SyncPublish { get; init; }

    /// <summary>When its CDS and CDNSKEY records are removed.</summary>
    public DateTimeOffset? SyncDelete { get; init; }
}
