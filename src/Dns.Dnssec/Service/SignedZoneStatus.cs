namespace Dns.Dnssec;

/// <summary>How a zone that is signed here does at one moment.</summary>
/// <param name="Policy">The name of its policy.</param>
/// <param name="SourceSerial">The serial of the unsigned version; null while there is none.</param>
/// <param name="SignedFrom">The serial of the unsigned version that the signed one was made of; null while nothing is signed.</param>
public sealed record SignedZoneStatus(string Policy, uint? SourceSerial, uint? SignedFrom)
{
    /// <summary>How it proves that something does not exist.</summary>
    public DenialMethod Denial { get; init; }

    /// <summary>Its keys, and what caches may hold of them.</summary>
    public ZoneKeys Keys { get; init; } = ZoneKeys.Empty;

    /// <summary>What comes next for the keys, and what it waits for.</summary>
    public IReadOnlyList<KeyWait> Waits { get; init; } = [];

    /// <summary>When signatures are renewed next; null while nothing is signed.</summary>
    public DateTimeOffset? NextRefresh { get; init; }

    /// <summary>How far a signing of the whole zone is; null while none runs.</summary>
    public SigningProgress? Progress { get; init; }

    /// <summary>Whether it has no policy any more, and stays signed until its DS records are gone.</summary>
    public bool IsLeaving { get; init; }

    /// <summary>When the last signature of a KSK that is kept elsewhere ends; null = there is no bundle.</summary>
    public DateTimeOffset? BundleEnd { get; init; }

    /// <summary>Why the zone cannot be signed now; null if it can.</summary>
    public string? Error { get; init; }

    /// <summary>When the parent was last asked, and what it said, in words; null = it was not.</summary>
    public string? Parent { get; init; }
}
