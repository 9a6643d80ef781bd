namespace Dns.Zones.Lookup;

/// <summary>
/// One version of a zone: an immutable snapshot in a few large arrays. Made by <see cref="ZoneBuilder"/>, or from
/// another version by <see cref="ZoneEditor"/>, with shared memory. Published through a <see cref="ZoneSlot"/>, read by
/// any number of threads without a lock.
/// </summary>
public sealed class Zone
{
    private static long _snapshots;

    private readonly byte[][] _segments;
    private readonly NameTable _names;
    private readonly uint _apex;
    private volatile CanonicalIndex? _index;
    private volatile SignatureDates? _signatures;
    private volatile DenialCheck? _denialCheck;

    /// <summary>Creates a version for a builder.</summary>
    internal Zone(byte[][] segments, NameTable names, uint apex, long recordCount)
        : this(segments, names, apex, recordCount, use: null) => Denial = IsSigned ? ZoneDenial.Find(this) : null;

    private Zone(byte[][] segments, NameTable names, uint apex, long recordCount, SegmentUse? use)
    {
        _segments = segments;
        _names = names;
        _apex = apex;
        RecordCount = recordCount;
        SegmentUse = use;
        IsSigned = TryFindSigning(out _);
        if (!ApexNode.TryFind(RRType.SOA, out RRset soa)) return;
        ReadOnlySpan<byte> numbers = soa.First[^20..];
        Serial = BinaryPrimitives.ReadUInt32BigEndian(numbers);
        ExpireSeconds = BinaryPrimitives.ReadUInt32BigEndian(numbers[12..]);
        NegativeTtl = Math.Min(soa.Ttl, BinaryPrimitives.ReadUInt32BigEndian(numbers[16..]));
        NegativeSoa = NegativeSoa.Make(Apex, soa.First, NegativeTtl);
        if (ApexNode.TryFindSignatures(RRType.SOA, out RRset signatures))
            SignedNegativeSoa = NegativeSoa.Make(Apex, soa.First, NegativeTtl, signatures);
    }

    /// <summary>Creates a version for an edit.</summary>
    internal Zone(
        byte[][] segments, NameTable names, uint apex, long recordCount, SegmentUse use, int unmarkedCuts,
        CanonicalIndex? index, ZoneDenial? denial, SignatureDates? signatures, DenialCheck? denialCheck)
        : this(segments, names, apex, recordCount, use)
    {
        _index = index;
        _signatures = signatures;
        UnmarkedCuts = unmarkedCuts;
        Denial = denial is not null && denial.IsOf(ApexNode) ? denial : IsSigned ? ZoneDenial.Find(this) : null;
        // Only a complete chain stays complete; another is examined again.
        if (denialCheck is { Fault: null } && ReferenceEquals(Denial, denial)) _denialCheck = denialCheck;
    }

    /// <summary>A number that is unique among all zone snapshots of the process, from 1.</summary>
    public long Snapshot { get; private set; } = Interlocked.Increment(ref _snapshots);

    /// <summary>The lower-case wire name of the zone.</summary>
    public ReadOnlySpan<byte> Apex => ApexNode.Name;

    /// <summary>The node of the apex.</summary>
    public ZoneNode ApexNode => new(ZoneMemory.Node(_segments, _apex));

    /// <summary>Number of names, empty non-terminals included.</summary>
    public int NameCount => _names.Count;

    /// <summary>Number of records, without duplicates.</summary>
    public long RecordCount { get; }

    /// <summary>The SOA's serial (RFC 1982); 0 if there is no SOA.</summary>
    public uint Serial { get; }

    /// <summary>The SOA's EXPIRE in seconds.</summary>
    public uint ExpireSeconds { get; }

    /// <summary>The TTL of negative answers: the lower of the SOA's TTL and its MINIMUM (RFC 2308 §3, §5).</summary>
    public uint NegativeTtl { get; }

    /// <summary>The pre-encoded SOA of negative answers; null if its names need the encoder.</summary>
    public NegativeSoa? NegativeSoa { get; }

    /// <summary>The same with its signatures; null without them.</summary>
    public NegativeSoa? SignedNegativeSoa { get; }

    /// <summary>Whether the apex has DNSSEC records (RFC 4035 §2).</summary>
    public bool IsSigned { get; }

    /// <summary>Whether the SOA record has a signature, valid or not.</summary>
    public bool HasSignedSoa => SignedNegativeSoa is not null;

    /// <summary>How the zone denies existence; null without NSEC or NSEC3 records for it.</summary>
    public ZoneDenial? Denial { get; }

    /// <summary>Makes signatures and denials that this version lacks; null if it is complete or not signed.</summary>
    public IOnlineSigner? OnlineSigner { get; private set; }

    /// <summary>Whether the zone can prove denials.</summary>
    public bool CanDeny => Denial is not null || OnlineSigner is not null;

    /// <summary>
    /// When the signatures expire. Computed on first use, by a walk over the zone; versions derived from this one then
    /// inherit it. Null in an unsigned zone.
    /// </summary>
    public SignatureDates? Signatures => IsSigned ? _signatures ??= SignatureDates.Find(this) : null;

    internal SignatureDates? KnownSignatures => _signatures;

    internal DenialCheck? KnownDenialCheck => _denialCheck;

    /// <summary>
    /// Gaps in its denial chain and signatures. Computed on first use, by a walk over the zone; versions derived from a
    /// complete one count as complete. Null in a zone without a chain.
    /// </summary>
    public DenialCheck? DenialCheck => Denial is null ? null : _denialCheck ??= DenialCheck.Of(this);

    /// <summary>Octets of memory of names, nodes, RDATA and denial index.</summary>
    public long MemoryBytes
    {
        get
        {
            long total = _names.MemoryBytes + (Denial?.MemoryBytes ?? 0);
            foreach (byte[] segment in _segments) total += segment.Length;
            return total;
        }
    }

    /// <summary>
    /// The nodes in canonical order, sorted on first use: seconds for ten million. Derived versions inherit it.
    /// </summary>
    public CanonicalOrder Order => new(this, _index ??= CanonicalIndex.Build(this));

    /// <summary>The canonical order, if it was computed.</summary>
    internal CanonicalIndex? Index => _index;

    internal byte[][] Segments => _segments;

    internal NameTable Names => _names;

    internal uint ApexReference => _apex;

    /// <summary>Segment statistics of an edited version; null for one that a builder made.</summary>
    internal SegmentUse? SegmentUse { get; }

    /// <summary>Names below the apex with other records than NSEC3 and RRSIG; -1 = unknown.</summary>
    internal int KnownDataNames { get; init; } = -1;

    /// <summary>Number of cuts and DNAMEs for which the names below are not marked.</summary>
    internal int UnmarkedCuts { get; }

    /// <summary>Whether nodes may be occluded without a mark: an edit made a cut above existing names.</summary>
    public bool HasUnmarkedCuts => UnmarkedCuts != 0;

    /// <summary>The same records with another online signer. Derived versions have no such signer.</summary>
    /// <param name="signer">Makes signatures when an answer needs them; null = the version is complete.</param>
    public Zone With(IOnlineSigner? signer)
    {
        Zone zone = (Zone)MemberwiseClone();
        (zone.OnlineSigner, zone.Snapshot) = (signer, Interlocked.Increment(ref _snapshots));
        return zone;
    }

    /// <summary>Finds the node of a name minus its first labels; wildcards do not match.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryFind(scoped ref readonly LookupName name, int skippedLabels, out ZoneNode node)
    {
        uint reference = Find(in name, skippedLabels);
        node = reference == 0 ? default : new ZoneNode(ZoneMemory.Node(_segments, reference));
        return reference != 0;
    }

    /// <summary>Finds the node of exactly <paramref name="name"/>; a hint of this version saves the search.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryFind(scoped ref readonly LookupName name, scoped ref readonly NodeHint hint, out ZoneNode node)
    {
        if (hint.Snapshot == Snapshot)
        {
            node = new ZoneNode(ZoneMemory.Node(_segments, hint.Reference));
            if (node.Name.SequenceEqual(name.Octets)) return true;
        }
        return TryFind(in name, 0, out node);
    }

    /// <summary>The same, as a reference; 0 if there is none.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal uint Find(scoped ref readonly LookupName name, int skippedLabels) =>
        _names.Find(_segments, name.SuffixHash(skippedLabels), name.Suffix(skippedLabels));

    /// <summary>Finds a DNSSEC type at the apex.</summary>
    internal bool TryFindSigning(out RRType type)
    {
        ReadOnlySpan<RRType> types = [RRType.DNSKEY, RRType.RRSIG, RRType.NSEC, RRType.NSEC3PARAM];
        foreach (RRType candidate in types)
        {
            type = candidate;
            if (ApexNode.TryFind(candidate, out _)) return true;
        }
        type = default;
        return false;
    }

    /// <summary>Prefetches the slot of the name table for a lookup of <paramref name="name"/>.</summary>
    public void PrefetchSlot(scoped ref readonly LookupName name) => _names.Prefetch(name.Hash);

    /// <summary>Prefetches the node of <paramref name="name"/>, once its slot is cached.</summary>
    /// <returns>The node, if its slot is where it is expected; its name is not verified.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public NodeHint PrefetchNode(scoped ref readonly LookupName name)
    {
        uint reference = _names.FindCandidate(name.Hash);
        if (reference == 0) return default;
        ZoneMemory.Prefetch(_segments, reference);
        return new NodeHint(Snapshot, reference);
    }

    /// <summary>Finds the wildcard directly below <paramref name="name"/> without its first labels.</summary>
    public bool TryFindWildcard(scoped ref readonly LookupName name, int skippedLabels, out ZoneNode node)
    {
        ReadOnlySpan<byte> suffix = name.Suffix(skippedLabels);
        Span<byte> wildcard = stackalloc byte[2 + WireName.MaxOctets + NameHash.Slack];
        "\u0001*"u8.CopyTo(wildcard);
        suffix.CopyTo(wildcard[2..]);
        int length = 2 + suffix.Length;
        wildcard.Slice(length, NameHash.Slack).Clear();
        uint reference = _names.Find(_segments, NameHash.OfLower(wildcard, length), wildcard[..length]);
        node = reference == 0 ? default : new ZoneNode(ZoneMemory.Node(_segments, reference));
        return reference != 0;
    }

    /// <summary>Finds the node of a record's host in this zone, for NS, MX, SRV, SVCB, HTTPS and NAPTR.</summary>
    /// <param name="rrset">An RRset of this zone that names hosts.</param>
    /// <param name="index">Which record, from 0.</param>
    /// <param name="host">The node, occluded or not.</param>
    public bool TryFindHost(RRset rrset, int index, ReadOnlySpan<byte> rdata, out ZoneNode host)
    {
        uint link = rrset.HostReference(index);
        uint reference = link == 0 ? 0 : _names.FindLinked(_segments, link, TargetOf(rrset.Type, rdata));
        host = reference == 0 ? default : new ZoneNode(ZoneMemory.Node(_segments, reference));
        return reference != 0;
    }

    // Nearly every host is that of an NS, whose RDATA is the name.
    private static ReadOnlySpan<byte> TargetOf(RRType type, ReadOnlySpan<byte> rdata) =>
        type == RRType.NS ? rdata : Rdata.TargetName(type, rdata);

    /// <summary>Enumerates all nodes, in the order of the records if built, unordered in an edited version.</summary>
    public NodeEnumerator GetEnumerator() => new(this);

    /// <summary>Moves a walk to the next node, in the order of <see cref="GetEnumerator"/>.</summary>
    /// <param name="cursor">The position, in this version only.</param>
    public bool TryNext(scoped ref ZoneCursor cursor, out ZoneNode node)
    {
        bool isNode = TryNext(ref cursor, out uint reference);
        node = isNode ? new ZoneNode(ZoneMemory.Node(_segments, reference)) : default;
        return isNode;
    }

    internal bool TryNext(scoped ref ZoneCursor cursor, out uint reference) =>
        SegmentUse is null ? TryNextInMemory(ref cursor, out reference) : TryNextInTable(ref cursor, out reference);

    private bool TryNextInMemory(scoped ref ZoneCursor cursor, out uint reference)
    {
        cursor.Offset = Math.Max(cursor.Offset, ZoneMemory.Unit);
        while (NodeWalk.TryNext(_segments, _segments[^1].Length, ref cursor.Segment, ref cursor.Offset, out reference))
            if (!ZoneMemory.IsDead(ZoneMemory.Node(_segments, reference))) return true;
        return false;
    }

    // Memory has nodes of other versions too; the table only those of this one.
    private bool TryNextInTable(scoped ref ZoneCursor cursor, out uint reference)
    {
        reference = 0;
        while (reference == 0 && cursor.Offset < _names.SlotCount) reference = _names.ReferenceIn(cursor.Offset++);
        return reference != 0;
    }

    /// <summary>Walks the nodes of a zone.</summary>
    public ref struct NodeEnumerator
    {
        private readonly Zone _zone;
        private ZoneCursor _cursor;

        internal NodeEnumerator(Zone zone)
        {
            _zone = zone;
            Current = default;
        }

        /// <summary>The current node.</summary>
        public ZoneNode Current { get; private set; }

        /// <summary>Moves to the next live node.</summary>
        public bool MoveNext()
        {
            bool isNode = _zone.TryNext(ref _cursor, out ZoneNode node);
            Current = node;
            return isNode;
        }
    }
}
