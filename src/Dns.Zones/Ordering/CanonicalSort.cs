namespace Dns.Zones.Ordering;

/// <summary>Sorts the nodes of a zone by name, eight octets of the key at a time; only equal ones need more.</summary>
internal readonly ref struct CanonicalSort(byte[][] segments, int apexOctets)
{
    private const int PartOctets = sizeof(ulong);
    private readonly ulong[] _parts = [];

    private CanonicalSort(byte[][] segments, int apexOctets, ulong[] parts)
        : this(segments, apexOctets) => _parts = parts;

    /// <summary>Sorts references to nodes with distinct names.</summary>
    internal static void Sort(byte[][] segments, int apexOctets, uint[] references) =>
        new CanonicalSort(segments, apexOctets, new ulong[references.Length]).Sort(references, 0,
            references.Length, from: 0);

    /// <summary>Whether references are already sorted, as in most signed files.</summary>
    internal static bool IsSorted(byte[][] segments, int apexOctets, ReadOnlySpan<uint> references)
    {
        Span<byte> key = stackalloc byte[CanonicalKey.MaxOctets], other = stackalloc byte[CanonicalKey.MaxOctets];
        int length = 0;
        foreach (uint reference in references)
        {
            int otherLength =
                CanonicalKey.Write(new ZoneNode(ZoneMemory.Node(segments, reference)).Name, apexOctets, other);
            if (other[..otherLength].SequenceCompareTo(key[..length]) < 0) return false;
            Span<byte> before = key;
            key = other;
            length = otherLength;
            other = before;
        }
        return true;
    }

    // Keys have at most 510 octets, so the depth is at most 64.
    private void Sort(uint[] references, int start, int end, int from)
    {
        Span<byte> key = stackalloc byte[CanonicalKey.MaxOctets];
        for (int i = start; i < end; i++)
        {
            int length =
                CanonicalKey.Write(new ZoneNode(ZoneMemory.Node(segments, references[i])).Name, apexOctets, key);
            _parts[i] = CanonicalKey.Part(key[..length], from);
        }
        Array.Sort(_parts, references, start, end - start);
        for (int i = start; i < end;)
        {
            int same = i + 1;
            while (same < end && _parts[same] == _parts[i]) same++;
            if (same > i + 1) Sort(references, i, same, from + PartOctets);
            i = same;
        }
    }
}
