namespace Dns.Zones.Lookup;

/// <summary>One name of a zone with its RRsets, as a view into the zone; an empty non-terminal has none.</summary>
/// <remarks>Borrows the zone's memory, which is immutable and lives as long as it is referenced.</remarks>
public readonly ref struct ZoneNode
{
    private readonly ReadOnlySpan<byte> _octets;

    internal ZoneNode(ReadOnlySpan<byte> octets) => _octets = octets;

    /// <summary>The lower-case wire name.</summary>
    public ReadOnlySpan<byte> Name => _octets.Slice(ZoneMemory.NodeHeaderOctets, _octets[0]);

    internal NodeFlags Flags => (NodeFlags)_octets[1];

    /// <summary>Whether the node is a zone cut: NS below the apex (RFC 1034 §4.2.1).</summary>
    public bool IsCut => (Flags & NodeFlags.Cut) != 0;

    /// <summary>
    /// Whether the node is below a zone cut or a DNAME, so that its data is at most glue, or has NSEC3 records only. In
    /// an edited version the mark may be missing or stale: there <see cref="ZoneLookup"/> decides.
    /// </summary>
    public bool IsOccluded => (Flags & NodeFlags.Occluded) != 0;

    /// <summary>Whether a wildcard is directly below the node (RFC 4592).</summary>
    public bool HasWildcardChild => (Flags & NodeFlags.WildcardChild) != 0;

    /// <summary>Whether the node owns a CNAME.</summary>
    public bool IsAlias => (Flags & NodeFlags.Alias) != 0;

    /// <summary>Whether the node owns a DNAME.</summary>
    public bool HasDname => (Flags & NodeFlags.Dname) != 0;

    /// <summary>Whether members of its RRsets are chosen when they are written (<see cref="ChoiceMark"/>).</summary>
    public bool IsChosen => (Flags & NodeFlags.Chosen) != 0;

    /// <summary>Whether it has RRsets; an empty non-terminal has none.</summary>
    public bool HasData => RRsetOctets.Length >= ZoneMemory.MinRRsetOctets;

    /// <summary>
    /// Whether the node's data is an answer as it is: it is neither a cut, occluded, an alias, nor chosen from; final
    /// unless <see cref="Zone.HasUnmarkedCuts"/>.
    /// </summary>
    public bool AnswersItself
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => (Flags & (NodeFlags.Cut | NodeFlags.Occluded | NodeFlags.Alias | NodeFlags.Chosen)) == 0;
    }

    /// <summary>Number of RRsets; 0 for an empty non-terminal. Counted by a walk over them.</summary>
    public int RRsetCount
    {
        get
        {
            int count = 0;
            foreach (RRset _ in this) count++;
            return count;
        }
    }

    /// <summary>
    /// Whether it has no records except NSEC3 and their signatures. With a DNAME at the apex, those are below it (RFC
    /// 5155 §3); they are not data.
    /// </summary>
    public bool HasOnlyNsec3
    {
        get
        {
            foreach (RRset rrset in this)
                if (rrset.Type is not (RRType.NSEC3 or RRType.RRSIG)) return false;
            return true;
        }
    }

    /// <summary>Whether it has NSEC3 records only, so that it is not a name of the zone (RFC 5155 §7.2.8).</summary>
    public bool IsNsec3Owner => Children == 0 && HasOnlyNsec3 && TryFind(RRType.NSEC3, out _);

    /// <summary>Number of names directly below the node; not counted for the apex.</summary>
    internal int Children => ZoneMemory.Children(_octets);

    /// <summary>Whether two nodes have the same name and the same records in order; often they share memory.</summary>
    internal bool IsEqualTo(ZoneNode other) =>
        _octets == other._octets
        || RRsetsAt == other.RRsetsAt && RRsetOctets.SequenceEqual(other.RRsetOctets)
        && _octets[ZoneMemory.NodeHeaderOctets..RRsetsAt]
            .SequenceEqual(other._octets[ZoneMemory.NodeHeaderOctets..RRsetsAt]);

    /// <summary>Finds the RRset of a type; for RRSIG the first of them.</summary>
    public bool TryFind(RRType type, out RRset rrset)
    {
        ReadOnlySpan<byte> left = RRsetOctets;
        while (left.Length >= ZoneMemory.MinRRsetOctets)
        {
            int length = ZoneMemory.RRsetOctets(left);
            if (ZoneMemory.RRsetField<ushort>(left, 0) == (ushort)type)
            {
                rrset = new RRset(left[..length]);
                return true;
            }
            left = left[length..];
        }
        rrset = default;
        return false;
    }

    /// <summary>Finds the signatures over the RRset of type <paramref name="covered"/>.</summary>
    public bool TryFindSignatures(RRType covered, out RRset rrset)
    {
        foreach (RRset candidate in this)
        {
            if (candidate.Type != RRType.RRSIG) continue;
            ReadOnlySpan<byte> first = candidate.First;
            if ((first[0] << 8 | first[1]) != (int)covered) continue;
            rrset = candidate;
            return true;
        }
        rrset = default;
        return false;
    }

    /// <summary>Enumerates the RRsets in the order in which their types first appeared.</summary>
    public RRsetEnumerator GetEnumerator() => new(RRsetOctets);

    /// <summary>Writes the owner name in its original letter case and returns its length.</summary>
    public int CopyOwner(Span<byte> destination)
    {
        ReadOnlySpan<byte> name = Name;
        name.CopyTo(destination);
        if ((Flags & NodeFlags.OriginalCase) == 0) return name.Length;
        ReadOnlySpan<byte> bits = _octets[(ZoneMemory.NodeHeaderOctets + name.Length)..];
        for (int i = 0; i < name.Length; i++)
            if ((bits[i >> 3] >> (i & 7) & 1) != 0) destination[i] ^= 0x20;
        return name.Length;
    }

    private ReadOnlySpan<byte> RRsetOctets
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            // At most 3 octets of padding follow the last RRset: less than an RRset.
            return _octets[RRsetsAt..];
        }
    }

    internal int RRsetsAt
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            int start = ZoneMemory.NodeHeaderOctets + _octets[0];
            return (Flags & NodeFlags.OriginalCase) == 0 ? start : start + ((_octets[0] + 7) >> 3);
        }
    }

    /// <summary>Walks the RRsets of a node.</summary>
    public ref struct RRsetEnumerator
    {
        private ReadOnlySpan<byte> _left;

        internal RRsetEnumerator(ReadOnlySpan<byte> rrsets)
        {
            _left = rrsets;
            Current = default;
        }

        /// <summary>The current RRset.</summary>
        public RRset Current { get; private set; }

        /// <summary>Moves to the next RRset.</summary>
        public bool MoveNext()
        {
            if (_left.Length < ZoneMemory.MinRRsetOctets) return false;
            int length = ZoneMemory.RRsetOctets(_left);
            Current = new RRset(_left[..length]);
            _left = _left[length..];
            return true;
        }
    }
}
