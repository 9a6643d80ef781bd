namespace Dns.Forwarding;

/// <summary>
/// The hash of a question as a key. Two questions may share one; who finds an upstream query by it compares the questions.
/// </summary>
/// <remarks>A struct over one number with the default comparer is the cheapest key there is; no name is copied to look one up.</remarks>
internal readonly struct QuestionKey(ulong hash) : IEquatable<QuestionKey>
{
    /// <summary>
    /// Keys for one hash: the second and later ones are for questions whose hash another question has too, and for those asked again
    /// of others while who was asked before has not answered.
    /// </summary>
    internal const int Alternatives = 4;

    private readonly ulong _hash = hash;

    /// <summary>The key to try when another question is found by this one.</summary>
    internal QuestionKey Next => new(_hash + 1);

    /// <summary>Whether it is one of the keys of a hash.</summary>
    internal bool IsMadeOf(ulong hash) => _hash - hash < Alternatives;

    /// <inheritdoc/>
    public bool Equals(QuestionKey other) => _hash == other._hash;

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is QuestionKey other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => (int)(_hash ^ _hash >> 32);
}
