namespace Dns.Zones.Lookup;

/// <summary>
/// The pre-encoded SOA record of a negative answer, for a message whose only other names are those of the question:
/// complete except for the pointers to the zone's name within the question.
/// </summary>
/// <remarks>
/// Made once for a zone. Equals the encoder's output, octet for octet, as long as no name in the SOA shares more with
/// the question than the zone's name (<see cref="Fits"/>). Fields as in RFC 1035 §4.1.3.
/// </remarks>
public sealed class NegativeSoa
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

    // Offsets of signatures, each with a pointer to the zone's name.
    private readonly int[] _signatures;

    private NegativeSoa(byte[] octets, int secondName, int numbers, ulong firstHash, ulong secondHash, bool isRoot,
        int[] signatures)
    {
        _signatures = signatures;
        _octets = octets;
        _secondName = secondName;
        _numbers = numbers;
        _firstHash = firstHash;
        _secondHash = secondHash;
        _isRoot = isRoot;
    }

    /// <summary>Length of the records in octets.</summary>
    public int Length => _octets.Length;

    /// <summary>Number of records: the SOA and its signatures.</summary>
    public int Count => 1 + _signatures.Length;

    /// <summary>Encodes the record, or null if the names in the SOA are not separate names in the zone.</summary>
    internal static NegativeSoa? Make(ReadOnlySpan<byte> apex, ReadOnlySpan<byte> rdata, uint ttl,
        RRset signatures = default)
    {
        WireName.TryMeasure(rdata, out int firstOctets);
        ReadOnlySpan<byte> first = rdata[..firstOctets], second = rdata[firstOctets..^NumbersOctets];
        if (!TrySplit(first, apex, out int firstPrefix, out ulong firstHash)
            || !TrySplit(second, apex, out int secondPrefix, out ulong secondHash) || firstHash == secondHash)
                return null;
        bool isRoot = apex.Length == 1;
        int tail = isRoot ? 1 : PointerOctets;
        int secondName = FixedOctets + firstPrefix + tail, numbers = secondName + secondPrefix + tail;
        int length = numbers + NumbersOctets;
        byte[] octets = new byte[length + OctetsOf(signatures)];
        WriteFixed(octets, RRType.SOA, ttl, length - FixedOctets);
        first[..firstPrefix].CopyTo(octets.AsSpan(FixedOctets));
        second[..secondPrefix].CopyTo(octets.AsSpan(secondName));
        rdata[^NumbersOctets..].CopyTo(octets.AsSpan(numbers));
        int[] offsets = new int[signatures.IsEmpty ? 0 : signatures.Count];
        WriteSignatures(signatures, ttl, octets, length, offsets);
        return new NegativeSoa(octets, secondName, numbers, firstHash, secondHash, isRoot, offsets);
    }

    private static int OctetsOf(RRset signatures)
    {
        int octets = 0;
        if (signatures.IsEmpty) return octets;
        foreach (ReadOnlySpan<byte> rdata in signatures) octets += FixedOctets + rdata.Length;
        return octets;
    }

    private static void WriteSignatures(RRset signatures, uint ttl, Span<byte> octets, int at, Span<int> offsets)
    {
        if (signatures.IsEmpty) return;
        int count = 0;
        foreach (ReadOnlySpan<byte> rdata in signatures)
        {
            WriteFixed(octets[at..], RRType.RRSIG, Math.Min(ttl, signatures.Ttl), rdata.Length);
            rdata.CopyTo(octets[(at + FixedOctets)..]);
            offsets[count++] = at;
            at += FixedOctets + rdata.Length;
        }
    }

    private static void WriteFixed(Span<byte> record, RRType type, uint ttl, int rdataOctets)
    {
        BinaryPrimitives.WriteUInt16BigEndian(record[2..], (ushort)type);
        BinaryPrimitives.WriteUInt16BigEndian(record[4..], (ushort)RRClass.IN);
        BinaryPrimitives.WriteUInt32BigEndian(record[6..], ttl);
        BinaryPrimitives.WriteUInt16BigEndian(record[10..], (ushort)rdataOctets);
    }

    /// <summary>Finds where the apex starts in a name below it, and the hash of the apex with one more label.</summary>
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

    /// <summary>Whether the names of the SOA share only the zone's name with the question's name.</summary>
    /// <param name="name">The question's name, in the zone.</param>
    /// <param name="apexSkip">How many of its labels precede the apex.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool Fits(scoped ref readonly LookupName name, int apexSkip)
    {
        // Names that share one more label have equal hashes there; so different hashes prove that they do not.
        if (apexSkip == 0) return true;
        ulong hash = name.SuffixHash(apexSkip - 1);
        return hash != _firstHash && hash != _secondHash;
    }

    /// <summary>Writes the records.</summary>
    /// <param name="destination">Receives <see cref="Length"/> octets.</param>
    /// <param name="apexOffset">The offset of the zone's name in the question of the message.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(Span<byte> destination, int apexOffset)
    {
        _octets.CopyTo(destination);
        ushort pointer = (ushort)(0xC000 | apexOffset);
        BinaryPrimitives.WriteUInt16BigEndian(destination, pointer);
        if (_signatures.Length > 0) PointSignatures(destination, pointer);
        if (_isRoot) return;
        BinaryPrimitives.WriteUInt16BigEndian(destination[(_secondName - PointerOctets)..], pointer);
        BinaryPrimitives.WriteUInt16BigEndian(destination[(_numbers - PointerOctets)..], pointer);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void PointSignatures(Span<byte> destination, ushort pointer)
    {
        foreach (int offset in _signatures) BinaryPrimitives.WriteUInt16BigEndian(destination[offset..], pointer);
    }
}
