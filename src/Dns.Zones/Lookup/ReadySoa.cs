using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using Dns.Protocol;

namespace Dns.Zones;

/// <summary>
/// The SOA record of a negative answer as it stands in a message whose only other names are those of the question: ready but
/// for the pointers, which lead to the zone's name within the question.
/// </summary>
/// <remarks>
/// Made once for a zone. It is what the encoder writes, octet for octet, as long as no name in the SOA shares more with the
/// question than the zone's name; <see cref="Fits"/> knows. Owner, TYPE, CLASS, TTL, RDLENGTH and RDATA follow each other as
/// in RFC 1035 §4.1.3.
/// </remarks>
public sealed class ReadySoa
{
    private const int FixedOctets = 12;
    private const int NumbersOctets = 20;
    private const int PointerOctets = 2;

    private readonly byte[] _octets;
    private readonly int _secondName;
    private readonly int _numbers;
    private readonly ulong _firstHash;
    private readonly ulong _secondHash;
    private readonly bool _isRoot;

    private ReadySoa(byte[] octets, int secondName, int numbers, ulong firstHash, ulong secondHash, bool isRoot)
    {
        _octets = octets;
        _secondName = secondName;
        _numbers = numbers;
        _firstHash = firstHash;
        _secondHash = secondHash;
        _isRoot = isRoot;
    }

    /// <summary>Length of the record in octets.</summary>
    public int Length => _octets.Length;

    /// <summary>Makes the record, or null if the names in the SOA do not lie in the zone, each by itself.</summary>
    internal static ReadySoa? Make(ReadOnlySpan<byte> apex, ReadOnlySpan<byte> rdata, uint ttl)
    {
        WireName.TryMeasure(rdata, out int firstOctets);
        ReadOnlySpan<byte> first = rdata[..firstOctets], second = rdata[firstOctets..^NumbersOctets];
        if (!TrySplit(first, apex, out int firstPrefix, out ulong firstHash)
            || !TrySplit(second, apex, out int secondPrefix, out ulong secondHash) || firstHash == secondHash) return null;
        bool isRoot = apex.Length == 1;
        int tail = isRoot ? 1 : PointerOctets;
        int secondName = FixedOctets + firstPrefix + tail, numbers = secondName + secondPrefix + tail;
        byte[] octets = new byte[numbers + NumbersOctets];
        BinaryPrimitives.WriteUInt16BigEndian(octets.AsSpan(2), (ushort)RRType.SOA);
        BinaryPrimitives.WriteUInt16BigEndian(octets.AsSpan(4), (ushort)RRClass.IN);
        BinaryPrimitives.WriteUInt32BigEndian(octets.AsSpan(6), ttl);
        BinaryPrimitives.WriteUInt16BigEndian(octets.AsSpan(10), (ushort)(octets.Length - FixedOctets));
        first[..firstPrefix].CopyTo(octets.AsSpan(FixedOctets));
        second[..secondPrefix].CopyTo(octets.AsSpan(secondName));
        rdata[^NumbersOctets..].CopyTo(octets.AsSpan(numbers));
        return new ReadySoa(octets, secondName, numbers, firstHash, secondHash, isRoot);
    }

    /// <summary>Finds where the zone's name starts in a name below it, and the hash of that with one more label.</summary>
    private static bool TrySplit(ReadOnlySpan<byte> name, ReadOnlySpan<byte> apex, out int prefix, out ulong hash)
    {
        hash = 0;
        prefix = name.Length - apex.Length;
        if (prefix <= 0 || !WireName.IsAtOrBelow(name, apex)) return false;
        Unsafe.SkipInit(out LookupName lookup);
        lookup.Set(name);
        int skip = 0;
        while (lookup.Start(skip + 1) < prefix) skip++;
        hash = lookup.SuffixHash(skip);
        return true;
    }

    /// <summary>
    /// Whether the names of the SOA share nothing with the question's name but the zone's name.
    /// </summary>
    /// <param name="name">The question's name, in the zone.</param>
    /// <param name="apexSkip">How many of its labels stand in front of the zone's name.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool Fits(scoped ref readonly LookupName name, int apexSkip)
    {
        // Names that share one more label have the same hash there; so different hashes prove that they do not.
        if (apexSkip == 0) return true;
        ulong hash = name.SuffixHash(apexSkip - 1);
        return hash != _firstHash && hash != _secondHash;
    }

    /// <summary>Writes the record.</summary>
    /// <param name="destination">Receives <see cref="Length"/> octets.</param>
    /// <param name="apexOffset">Where in the message the question's name has the zone's name.</param>
    public void Write(Span<byte> destination, int apexOffset)
    {
        _octets.CopyTo(destination);
        ushort pointer = (ushort)(0xC000 | apexOffset);
        BinaryPrimitives.WriteUInt16BigEndian(destination, pointer);
        if (_isRoot) return;
        BinaryPrimitives.WriteUInt16BigEndian(destination[(_secondName - PointerOctets)..], pointer);
        BinaryPrimitives.WriteUInt16BigEndian(destination[(_numbers - PointerOctets)..], pointer);
    }
}
