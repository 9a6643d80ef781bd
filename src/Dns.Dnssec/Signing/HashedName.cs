namespace Dns.Dnssec.Signing;

/// <summary>A member of an NSEC3 chain: the hash of a name as three big-endian numbers, and its bitmap.</summary>
/// <param name="Bitmap">The number of its bitmap in a <see cref="BitmapTable"/>.</param>
internal readonly record struct HashedName(ulong First, ulong Second, uint Third, int Bitmap) : IComparable<HashedName>
{
    internal static HashedName Of(ReadOnlySpan<byte> hash, int bitmap = 0) =>
        new(
            BinaryPrimitives.ReadUInt64BigEndian(hash), BinaryPrimitives.ReadUInt64BigEndian(hash[8..]),
            BinaryPrimitives.ReadUInt32BigEndian(hash[16..]), bitmap);

    internal bool IsSameHash(HashedName other) =>
        First == other.First && Second == other.Second && Third == other.Third;

    /// <summary>Writes the 20 octets of the hash.</summary>
    internal void Write(Span<byte> hash)
    {
        BinaryPrimitives.WriteUInt64BigEndian(hash, First);
        BinaryPrimitives.WriteUInt64BigEndian(hash[8..], Second);
        BinaryPrimitives.WriteUInt32BigEndian(hash[16..Nsec3Hash.LengthOctets], Third);
    }

    public int CompareTo(HashedName other)
    {
        int order = First.CompareTo(other.First);
        if (order == 0) order = Second.CompareTo(other.Second);
        return order != 0 ? order : Third.CompareTo(other.Third);
    }
}
