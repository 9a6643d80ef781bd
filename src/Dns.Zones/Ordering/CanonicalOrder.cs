namespace Dns.Zones.Ordering;

/// <summary>The nodes of a zone's version in the canonical order of their names (RFC 4034 §6.1), apex first.</summary>
public readonly struct CanonicalOrder
{
    private readonly Zone _zone;
    private readonly CanonicalIndex _index;

    internal CanonicalOrder(Zone zone, CanonicalIndex index) => (_zone, _index) = (zone, index);

    /// <summary>Enumerates all nodes.</summary>
    public Enumerator GetEnumerator() => new(_zone, _index, CanonicalIndex.First, default);

    /// <summary>The node of a name or, if it does not exist, the one before it: the owner of its NSEC record.</summary>
    /// <param name="name">A wire name at or below the apex, in any letter case.</param>
    public ZoneNode AtOrBefore(ReadOnlySpan<byte> name)
    {
        Span<byte> lower = stackalloc byte[WireName.MaxOctets];
        return NodeAt(_index.FindAtOrBefore(_zone.Segments, Lower(name, lower)));
    }

    /// <summary>The node before a name in canonical order, which need not exist; false for the apex.</summary>
    /// <param name="name">A wire name at or below the apex, in any letter case.</param>
    public bool TryFindBefore(ReadOnlySpan<byte> name, out ZoneNode node)
    {
        Span<byte> buffer = stackalloc byte[WireName.MaxOctets];
        ReadOnlySpan<byte> lower = Lower(name, buffer);
        CanonicalPosition position = _index.FindAtOrBefore(_zone.Segments, lower);
        node = NodeAt(position);
        if (!node.Name.SequenceEqual(lower)) return true;
        if (position == CanonicalIndex.First) return false;
        node = NodeAt(_index.Previous(position));
        return true;
    }

    /// <summary>Enumerates the nodes from a name on, which need not exist.</summary>
    /// <param name="name">A wire name at or below the apex, in any letter case.</param>
    public Enumerator From(ReadOnlySpan<byte> name)
    {
        Span<byte> buffer = stackalloc byte[WireName.MaxOctets];
        ReadOnlySpan<byte> lower = Lower(name, buffer);
        CanonicalPosition position = _index.FindAtOrBefore(_zone.Segments, lower);
        return new Enumerator(_zone, _index,
            NodeAt(position).Name.SequenceEqual(lower) ? position : _index.Next(position), default);
    }

    /// <summary>Compares two lower-case names in canonical order (RFC 4034 §6.1).</summary>
    public static int Compare(ReadOnlySpan<byte> left, ReadOnlySpan<byte> right)
    {
        Span<byte> one = stackalloc byte[CanonicalKey.MaxOctets], other = stackalloc byte[CanonicalKey.MaxOctets];
        one = one[..CanonicalKey.Write(left, apexOctets: 1, one)];
        return one.SequenceCompareTo(other[..CanonicalKey.Write(right, apexOctets: 1, other)]);
    }

    /// <summary>Enumerates the nodes at and below a name.</summary>
    /// <param name="name">A wire name at or below the apex, in any letter case; it need not exist.</param>
    public Subtree Below(ReadOnlySpan<byte> name) => new(_zone, _index, name);

    private ZoneNode NodeAt(CanonicalPosition position) => new(ZoneMemory.Node(_zone.Segments, _index.At(position)));

    private static ReadOnlySpan<byte> Lower(ReadOnlySpan<byte> name, Span<byte> buffer)
    {
        WireName.ToLower(name, buffer[..name.Length]);
        return buffer[..name.Length];
    }

    /// <summary>The nodes at and below a name, which are consecutive in this order.</summary>
    public readonly ref struct Subtree
    {
        private readonly Zone _zone;
        private readonly CanonicalIndex _index;
        private readonly ReadOnlySpan<byte> _name;

        internal Subtree(Zone zone, CanonicalIndex index, ReadOnlySpan<byte> name)
        {
            _zone = zone;
            _index = index;
            _name = name;
        }

        /// <summary>Enumerates them.</summary>
        public Enumerator GetEnumerator()
        {
            Span<byte> buffer = stackalloc byte[WireName.MaxOctets];
            ReadOnlySpan<byte> lower = Lower(_name, buffer);
            CanonicalPosition position = _index.FindAtOrBefore(_zone.Segments, lower);
            bool isThere = new ZoneNode(ZoneMemory.Node(_zone.Segments, _index.At(position))).Name.SequenceEqual(lower);
            return new Enumerator(_zone, _index, isThere ? position : _index.Next(position), _name);
        }
    }

    /// <summary>Walks nodes in canonical order.</summary>
    public ref struct Enumerator
    {
        private readonly Zone _zone;
        private readonly CanonicalIndex _index;
        private readonly ReadOnlySpan<byte> _top;
        private CanonicalPosition _next;

        internal Enumerator(Zone zone, CanonicalIndex index, CanonicalPosition first, ReadOnlySpan<byte> top)
        {
            _zone = zone;
            _index = index;
            _next = first;
            _top = top;
            Current = default;
        }

        /// <summary>The current node.</summary>
        public ZoneNode Current { get; private set; }

        /// <summary>Moves to the next node.</summary>
        public bool MoveNext()
        {
            uint reference = _index.At(_next);
            if (reference == 0) return false;
            ZoneNode node = new(ZoneMemory.Node(_zone.Segments, reference));
            if (!_top.IsEmpty && !WireName.IsAtOrBelow(node.Name, _top)) return false;
            _next = _index.Next(_next);
            Current = node;
            return true;
        }
    }
}
