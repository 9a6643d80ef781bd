namespace Dns.Dnssec.Policies;

/// <summary>What is missing in the signatures of an offline KSK.</summary>
/// <param name="End">When the last signatures expired, if they did.</param>
public sealed record OfflineFault(OfflineFaultKind Kind, DateTimeOffset End = default);

/// <summary>The kind of an <see cref="OfflineFault"/>.</summary>
public enum OfflineFaultKind : byte
{
    /// <summary>No bundle is loaded.</summary>
    NoBundle,

    /// <summary>The bundle lacks the served key set, and no other one of it is safe yet.</summary>
    NoServedKeySet,

    /// <summary>The last signatures have expired.</summary>
    Expired,
}
