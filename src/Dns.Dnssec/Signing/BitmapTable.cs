namespace Dns.Dnssec.Signing;

/// <summary>The distinct bitmaps of a zone by number: few, even for a million names. Thread-safe.</summary>
internal sealed class BitmapTable
{
    private readonly Lock _lock = new();
    private readonly List<byte[]> _bitmaps = [];
    private readonly Dictionary<byte[], int> _numbers = new(OctetComparer.Instance);

    internal ReadOnlySpan<byte> this[int number]
    {
        get
        {
            lock (_lock) return _bitmaps[number];
        }
    }

    /// <summary>The number of a bitmap, which is copied if it is new.</summary>
    internal int NumberOf(ReadOnlySpan<byte> bitmap)
    {
        lock (_lock)
        {
            if (_numbers.GetAlternateLookup<ReadOnlySpan<byte>>().TryGetValue(bitmap, out int number)) return number;
            byte[] own = bitmap.ToArray();
            _bitmaps.Add(own);
            _numbers.Add(own, _bitmaps.Count - 1);
            return _bitmaps.Count - 1;
        }
    }
}

internal sealed class OctetComparer : IEqualityComparer<byte[]>, IAlternateEqualityComparer<ReadOnlySpan<byte>, byte[]>
{
    internal static OctetComparer Instance { get; } = new();

    public bool Equals(byte[]? left, byte[]? right) => left.AsSpan().SequenceEqual(right);

    public int GetHashCode([DisallowNull] byte[] octets) => GetHashCode(octets.AsSpan());

    public bool Equals(ReadOnlySpan<byte> alternate, byte[] other) => alternate.SequenceEqual(other);

    public int GetHashCode(ReadOnlySpan<byte> octets) => (int)NameHash.OfOctets(octets);

    public byte[] Create(ReadOnlySpan<byte> alternate) => alternate.ToArray();
}
