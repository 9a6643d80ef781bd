using Dns.Protocol;

namespace Dns.Replication;

/// <summary>A record of one owner as records are told apart: by type and RDATA, names in it in any spelling, whatever the TTL.</summary>
internal readonly struct RecordKey : IEquatable<RecordKey>
{
    private readonly byte[] _canonical;

    /// <summary>That of a record.</summary>
    internal RecordKey(RRType type, ReadOnlySpan<byte> rdata)
    {
        Type = type;
        _canonical = rdata.ToArray();
        Rdata.ToCanonical(type, _canonical);
    }

    /// <summary>Its type.</summary>
    internal RRType Type { get; }

    /// <summary>Its RDATA in canonical form (RFC 4034 §6.2).</summary>
    internal ReadOnlySpan<byte> Canonical => _canonical;

    /// <inheritdoc/>
    public bool Equals(RecordKey other) => Type == other.Type && _canonical.AsSpan().SequenceEqual(other._canonical);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is RecordKey other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode()
    {
        HashCode hash = default;
        hash.Add((ushort)Type);
        hash.AddBytes(_canonical);
        return hash.ToHashCode();
    }
}
