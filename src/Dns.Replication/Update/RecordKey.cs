namespace Dns.Replication.Update;

/// <summary>Identifies a record among those of its owner: type and RDATA, names ignoring case; no TTL.</summary>
internal readonly struct RecordKey : IEquatable<RecordKey>
{
    private readonly byte[] _canonical;

    internal RecordKey(RRType type, ReadOnlySpan<byte> rdata)
    {
        Type = type;
        _canonical = rdata.ToArray();
        Rdata.ToCanonical(type, _canonical);
    }

    internal RRType Type { get; }

    /// <summary>Its RDATA in canonical form (RFC 4034 §6.2).</summary>
    internal ReadOnlySpan<byte> Canonical => _canonical;

    public bool Equals(RecordKey other) => Type == other.Type && _canonical.AsSpan().SequenceEqual(other._canonical);

    public override bool Equals(object? obj) => obj is RecordKey other && Equals(other);

    public override int GetHashCode() => HashCode.Combine(Type, NameHash.OfOctets(_canonical));
}
