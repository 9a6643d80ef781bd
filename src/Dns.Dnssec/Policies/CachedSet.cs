namespace Dns.Dnssec;

/// <summary>
/// One version of an RRset that caches may hold: which keys a DNSKEY RRset has, which keys an RRset is signed by, or which keys a DS RRset
/// names.
/// </summary>
/// <param name="Keys">The keys.</param>
/// <param name="Ttl">How long a cache holds it, at most.</param>
public sealed record CachedSet(KeyIds Keys, TimeSpan Ttl)
{
    /// <summary>The keys that sign it, of a DNSKEY RRset.</summary>
    public KeyIds Signers { get; init; } = KeyIds.None;

    /// <summary>When it was seen to be replaced; null = it is served, or may be.</summary>
    public DateTimeOffset? Replaced { get; init; }

    /// <summary>Whether another version holds the same.</summary>
    internal bool IsSame(CachedSet other) => Keys.Equals(other.Keys) && Signers.Equals(other.Signers);

    /// <summary>Whether some cache may hold it.</summary>
    /// <param name="at">The moment.</param>
    /// <param name="delay">How long servers may go on to serve it after it was replaced.</param>
    internal bool IsPossible(DateTimeOffset at, TimeSpan delay) => Replaced is not { } replaced || at < replaced + Ttl + delay;
}
