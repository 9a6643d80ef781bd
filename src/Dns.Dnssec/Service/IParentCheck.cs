namespace Dns.Dnssec.Service;

/// <summary>Queries the DS RRsets of zones at their parents. Thread-safe.</summary>
public interface IParentCheck
{
    /// <summary>Starts a query. Neither waits nor throws.</summary>
    /// <param name="onAnswer">Called once, on any thread, possibly before this returns.</param>
    void QueryDs(DomainName zone, PeerAddress resolver, Action<ParentAnswer> onAnswer);
}

/// <summary>The answer about a zone at its parent.</summary>
/// <param name="Records">RDATA of the DS records, empty if there is no such RRset; null on failure.</param>
/// <param name="Ttl">The TTL of the RRset; null = unknown.</param>
/// <param name="Failure">The reason of a failure; null on success.</param>
public sealed record ParentAnswer(IReadOnlyList<byte[]>? Records, TimeSpan? Ttl, string? Failure);
