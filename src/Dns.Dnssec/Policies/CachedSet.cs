namespace Dns.Dnssec.Policies;

/// <summary>One version of an RRset that caches may hold: keys of a DNSKEY or DS RRset, or signers of one.</summary>
/// <param name="Ttl">Its maximum time in a cache.</param>
public sealed record CachedSet(KeyIds Keys, TimeSpan Ttl)
{
    /// <summary>
    /// The longest TTL that counts: caches should keep no record for longer (RFC 8767 §4), and one record or answer
    /// with a TTL of decades, there for an instant, would delay all later rollovers for as long.
    /// </summary>
    internal static readonly TimeSpan MostTtl = TimeSpan.FromDays(7);

    /// <summary>The keys that sign it, if it is a DNSKEY RRset.</summary>
    public KeyIds Signers { get; init; } = KeyIds.None;

    /// <summary>When it was seen to be replaced; null = it is or may be served.</summary>
    public DateTimeOffset? Replaced { get; init; }

    /// <summary>It with at most <see cref="MostTtl"/>.</summary>
    internal CachedSet Bounded => Ttl > MostTtl ? this with { Ttl = MostTtl } : this;

    /// <summary>Whether another version has the same content.</summary>
    internal bool IsSame(CachedSet other) => Keys.Equals(other.Keys) && Signers.Equals(other.Signers);

    /// <summary>Whether a cache may hold it.</summary>
    /// <param name="delay">How long servers may serve it after its replacement.</param>
    internal bool IsPossible(DateTimeOffset at, TimeSpan delay) =>
        Replaced is not { } replaced || at < replaced + Ttl + delay;
}
