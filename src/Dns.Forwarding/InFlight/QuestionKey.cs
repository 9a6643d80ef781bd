namespace Dns.Forwarding.InFlight;

/// <summary>The hash of a question as a dictionary key. Questions may collide, so the caller compares them.</summary>
/// <remarks>
/// A struct of one number with the default comparer is the cheapest key, and needs no copy of the name.
/// </remarks>
internal readonly struct QuestionKey(ulong hash) : IEquatable<QuestionKey>
{
    // The number of keys for one hash: for colliding questions, and for a question sent to new upstreams while the old
    // ones have not answered.
    internal const int Alternatives = 4;

    private readonly ulong _hash = hash;

    /// <summary>The key to try next after a collision.</summary>
    internal QuestionKey Next => new(_hash + 1);

    /// <summary>Whether it is one of the keys of a hash.</summary>
    internal bool IsMadeOf(ulong hash) => _hash - hash < Alternatives;

    public bool Equals(QuestionKey other) => _hash == other._hash;

    public override bool Equals(object? obj) => obj is QuestionKey other && Equals(other);

    public override int GetHashCode() => (int)(_hash ^ _hash >> 32);
}
