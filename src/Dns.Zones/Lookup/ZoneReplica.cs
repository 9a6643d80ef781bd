namespace Dns.Zones;

/// <summary>How a zone does that is copied from other servers.</summary>
/// <param name="Primaries">Where it is copied from, in words.</param>
public readonly record struct ZoneReplica(IReadOnlyList<string> Primaries)
{
    /// <summary>When the primaries are asked next; null while they are being asked.</summary>
    public DateTimeOffset? NextRefresh { get; init; }

    /// <summary>Until when what is served may be; null if nothing is.</summary>
    public DateTimeOffset? Expires { get; init; }

    /// <summary>When a primary last had the version that is here; null = never.</summary>
    public DateTimeOffset? ConfirmedAt { get; init; }

    /// <summary>Why the last refresh failed; null if it did not.</summary>
    public string? LastError { get; init; }

    /// <summary>Records of the transfer under way so far; null if there is none.</summary>
    public long? TransferRecords { get; init; }

    /// <summary>Octets of the transfer under way so far; null if there is none.</summary>
    public long? TransferOctets { get; init; }
}
