using System.Numerics;

namespace Dns.Transport.Udp;

/// <summary>A histogram of batch sizes: 1, 2 to 3, 4 to 7, 8 to 15, 16 to 31, 32 to 63 and 64 datagrams.</summary>
public struct BatchHistogram : IEquatable<BatchHistogram>
{
    /// <summary>The number of buckets.</summary>
    public const int Classes = 7;

    [InlineArray(Classes)]
    private struct Counts
    {
        private long _first;
    }

    private Counts _counts;

    /// <summary>Batches of bucket <paramref name="index"/>, 0 to 6: those with 2^index datagrams and more.</summary>
    public readonly long this[int index] => _counts[index];

    /// <summary>Counts one batch of 1 to 64 datagrams.</summary>
    internal void Add(int datagrams) => _counts[BitOperations.Log2((uint)datagrams)]++;

    /// <summary>The sum of two, bucket by bucket.</summary>
    public static BatchHistogram operator +(BatchHistogram left, BatchHistogram right)
    {
        for (int i = 0; i < Classes; i++) left._counts[i] += right._counts[i];
        return left;
    }

    /// <summary>The counts, the smallest bucket first.</summary>
    public override readonly string ToString() => string.Join(' ', ((ReadOnlySpan<long>)_counts).ToArray());

    /// <inheritdoc/>
    public readonly bool Equals(BatchHistogram other) =>
        ((ReadOnlySpan<long>)_counts).SequenceEqual(other._counts);

    /// <inheritdoc/>
    public override readonly bool Equals(object? obj) => obj is BatchHistogram other && Equals(other);

    /// <inheritdoc/>
    public override readonly int GetHashCode() => HashCode.Combine(_counts[0], _counts[Classes - 1]);
}
