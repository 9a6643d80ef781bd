using System.Net;
using Dns.Protocol;

namespace Dns.Dnssec;

/// <summary>Asks for the DS RRsets that zones have at their parents. Thread-safe.</summary>
public interface IParentCheck
{
    /// <summary>Begins to ask. Neither waits nor throws.</summary>
    /// <param name="zone">The zone.</param>
    /// <param name="resolver">Who is asked.</param>
    /// <param name="onAnswer">Called once, on any thread, after this has returned or before.</param>
    void Ask(DomainName zone, IPEndPoint resolver, Action<ParentAnswer> onAnswer);
}

/// <summary>What a resolver says of a zone at its parent.</summary>
/// <param name="Records">RDATA of the DS records, none where there is no such RRset; null = it could not be had.</param>
/// <param name="Ttl">The TTL of the RRset; null = not known.</param>
/// <param name="Failure">Why it could not be had, in words; null if it could.</param>
public sealed record ParentAnswer(IReadOnlyList<byte[]>? Records, TimeSpan? Ttl, string? Failure);
