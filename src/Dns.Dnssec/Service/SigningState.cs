namespace Dns.Dnssec.Service;

/// <summary>The state of a zone that is signed here.</summary>
/// <param name="SourceSerial">The serial of the unsigned version; null if none.</param>
/// <param name="SignedFrom">The serial of the version that was signed; null if not signed.</param>
public sealed record SigningState(string Policy, uint? SourceSerial, uint? SignedFrom)
{
    /// <summary>Its denial of existence.</summary>
    public DenialMethod Denial { get; init; }

    /// <summary>Its keys, and what caches may hold of them.</summary>
    public ZoneKeys Keys { get; init; } = ZoneKeys.Empty;

    /// <summary>Pending events of the keys, with their conditions.</summary>
    public IReadOnlyList<KeyWait> Waits { get; init; } = [];

    /// <summary>The next renewal of signatures; null if not signed.</summary>
    public DateTimeOffset? NextRefresh { get; init; }

    /// <summary>The progress of signing the whole zone; null if not running.</summary>
    public SigningProgress? Progress { get; init; }

    /// <summary>Whether its policy was removed, and it stays signed until its DS records are gone.</summary>
    public bool IsLeaving { get; init; }

    /// <summary>When the last signature of an offline KSK expires; null = no bundle.</summary>
    public DateTimeOffset? BundleEnd { get; init; }

    /// <summary>Why the zone cannot be signed; null if it can.</summary>
    public string? Error { get; init; }

    /// <summary>What the parent answered last; null = nothing yet.</summary>
    public ParentReport? Parent { get; init; }
}

/// <summary>The answer about a zone at its parent.</summary>
/// <param name="Seen">The DS records; null on failure.</param>
/// <param name="Failure">The reason of a failure, in the words of the query.</param>
public sealed record ParentReport(DateTimeOffset At, ParentDs? Seen, PeerAddress? Resolver, string? Failure);
