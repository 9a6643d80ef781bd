namespace Dns.Zones.Building;

/// <summary>
/// Builds an immutable <see cref="Zone"/> from records in any order; consecutive records of one name become a node at
/// once, later ones are merged at the end.
/// </summary>
/// <remarks>Not thread-safe. A builder makes one zone.</remarks>
public sealed class ZoneBuilder
{
    /// <summary>Maximum warnings in <see cref="Notes"/>; further ones are dropped.</summary>
    internal const int MaxWarnings = 10_000;

    // While the name table fits a processor's cache, names are completed one by one, since many small zones must need
    // little memory. Beyond that, each new name is a cache miss, and many are prefetched together.
    private const int BatchedNames = 16;
    private const long CachedTableOctets = 256 << 10;

    // Extrapolation is limited to this factor: one line may make a million records.
    private const double LeastPart = 1.0 / 64;
    private const int MostGrowth = 8;

    private readonly NodeWriter _writer;
    private readonly RecordRun _merged = new();
    private readonly LateRecords _late = new();
    private readonly List<ZoneBuildDiagnostic> _notes = [];
    private readonly byte[] _parent = new byte[WireName.MaxOctets];
    private readonly int _apexLabels;
    private PendingName[] _pending = [new PendingName()];
    private PendingName _open;
    private int _pendingCount;
    private readonly Func<double>? _partRead;
    private NodeArena _arena;
    private NameTable _names = new(16);
    private int _parentLength;
    private uint _parentNode;
    private uint _apex;
    private long _deadOctets;
    private bool _hasObscuring;

    /// <summary>Starts a zone.</summary>
    /// <param name="apex">The zone's wire name in any letter case.</param>
    /// <param name="partRead">The share of all records added so far, 0 to 1, 0 if unknown: memory is then allocated
    /// once instead of in steps. Null for never.</param>
    /// <param name="limits">Limits of a name; null = <see cref="ZoneLimits.Default"/>.</param>
    /// <exception cref="ArgumentException">The name is not valid.</exception>
    public ZoneBuilder(ReadOnlySpan<byte> apex, Func<double>? partRead = null, ZoneLimits? limits = null)
    {
        _partRead = partRead;
        _arena = new NodeArena();
        _open = _pending[0];
        _open.Set(apex);
        _writer = new NodeWriter(_arena, _open.Name.Octets.ToArray(), _notes, limits ?? ZoneLimits.Default);
        _apexLabels = _open.Name.LabelCount;
        _apex = WriteNode(_open.Name.Octets, apex, isApex: true, _merged);
        _names.Add(_open.Name.Hash, _apex);
    }

    /// <summary>The diagnostics. Complete after <see cref="Build"/>.</summary>
    public IReadOnlyList<ZoneBuildDiagnostic> Notes => _notes;

    /// <summary>Names up to now with empty non-terminals; the last names added may not be counted yet.</summary>
    public int NameCount => _names.Count;

    /// <summary>Adds a record of class IN.</summary>
    /// <param name="owner">A valid wire name in any letter case, at or below the apex.</param>
    /// <param name="sameOwner">True only if the owner has the octets of the previous call: saves a comparison.</param>
    /// <param name="ttl">TTL in seconds, at most 2^31-1.</param>
    /// <param name="rdata">Valid, uncompressed RDATA; copied.</param>
    public void Add(ReadOnlySpan<byte> owner, bool sameOwner, RRType type, uint ttl, ReadOnlySpan<byte> rdata)
    {
        if (!(sameOwner && _open.Run.Count > 0) && !_open.Is(owner))
        {
            if (_open.Run.Count > 0) OpenNext();
            _open.Set(owner);
            _names.Prefetch(_open.Name.Hash);
        }
        _open.Run.TryAdd(type, ttl, rdata);
    }

    private void OpenNext()
    {
        if (++_pendingCount == _pending.Length) ClosePending();
        _open = _pending[_pendingCount];
    }

    /// <summary>Writes the nodes of completed names, in order of arrival.</summary>
    private void ClosePending()
    {
        for (int i = 0; i < _pendingCount; i++) Close(_pending[i]);
        _pendingCount = 0;
        if (_pending.Length == 1 && _names.MemoryBytes > CachedTableOctets) WidenBatch();
    }

    private void WidenBatch()
    {
        PendingName[] wide = new PendingName[BatchedNames];
        wide[0] = _pending[0];
        for (int i = 1; i < wide.Length; i++) wide[i] = new PendingName();
        _pending = wide;
    }

    /// <summary>Builds the zone.</summary>
    public Zone Build()
    {
        if (_open.Run.Count > 0) _pendingCount++;
        ClosePending();
        if (!_late.IsEmpty) _late.Drain(_merged, BeginMerge, EndMerge);
        if (_hasObscuring || _writer.HasHashes) MarkOccluded();
        if (_deadOctets > _arena.UsedOctets / 4) Compact();
        return new Zone(_arena.Seal(), _names, _apex, _writer.RecordCount);
    }

    private void Close(PendingName pending)
    {
        ref readonly LookupName owner = ref pending.Name;
        NoteSurplus(owner.Octets, pending.Run);
        uint known = _names.Find(_arena.Segments, owner.Hash, owner.Octets);
        if (known == 0)
        {
            uint node = WriteNode(owner.Octets, pending.OriginalCase, isApex: false, pending.Run);
            AddName(owner.Hash, node);
            LinkToParent(pending);
        }
        else if (!new ZoneNode(Octets(known)).HasData) Replace(owner.Hash, known, pending.OriginalCase, pending.Run);
        else _late.Add(known, pending.Run);
        pending.Run.Clear();
    }

    private void AddName(ulong hash, uint node)
    {
        if (_names.IsFull) _names.Reserve(Expect(_names.Count + 1));
        _names.Add(hash, node);
    }

    /// <summary>Extrapolates an amount to the end of the file; unchanged if the progress is unknown.</summary>
    private long Expect(long now)
    {
        double part = _partRead?.Invoke() ?? 0;
        return part < LeastPart ? now : (long)Math.Min(now * (double)MostGrowth, now / part * 1.02);
    }

    private uint WriteNode(ReadOnlySpan<byte> name, ReadOnlySpan<byte> original, bool isApex, RecordRun run)
    {
        uint node = _writer.Write(name, original, isApex, run);
        _hasObscuring |= (new ZoneNode(Octets(node)).Flags & (NodeFlags.Cut | NodeFlags.Dname)) != 0;
        return node;
    }

    /// <summary>Counts a new name in its parent, and creates missing names up to the apex (RFC 4592 §2.2.2).</summary>
    private void LinkToParent(PendingName pending)
    {
        ref readonly LookupName owner = ref pending.Name;
        ReadOnlySpan<byte> parent = owner.Suffix(1);
        if (!IsWildcard(owner.Octets) && parent.SequenceEqual(_parent.AsSpan(0, _parentLength)))
        {
            ZoneMemory.AddChild(Octets(_parentNode), 1);
            return;
        }
        parent.CopyTo(_parent);
        _parentLength = parent.Length;
        for (int skip = 1; skip <= owner.LabelCount - _apexLabels; skip++)
        {
            uint node = _names.Find(_arena.Segments, owner.SuffixHash(skip), owner.Suffix(skip));
            bool exists = node != 0;
            if (!exists) node = AddEmptyNonTerminal(pending, skip);
            if (skip == 1) _parentNode = node;
            ZoneMemory.AddChild(Octets(node), 1);
            if (IsWildcard(owner.Suffix(skip - 1))) Octets(node)[1] |= (byte)NodeFlags.WildcardChild;
            if (exists) return;
        }
    }

    private uint AddEmptyNonTerminal(PendingName pending, int skip)
    {
        ref readonly LookupName owner = ref pending.Name;
        _merged.Clear();
        uint node = WriteNode(owner.Suffix(skip), pending.OriginalCase[owner.Start(skip)..], isApex: false, _merged);
        AddName(owner.SuffixHash(skip), node);
        return node;
    }

    private static bool IsWildcard(ReadOnlySpan<byte> name) => name[0] == 1 && name[1] == (byte)'*';

    private void Replace(ulong hash, uint old, ReadOnlySpan<byte> original, RecordRun run)
    {
        Span<byte> lower = stackalloc byte[WireName.MaxOctets];
        lower = lower[..original.Length];
        WireName.ToLower(original, lower);
        uint node = WriteNode(lower, original, isApex: old == _apex, run);
        Span<byte> oldOctets = Octets(old), newOctets = Octets(node);
        newOctets[1] |= (byte)(oldOctets[1] & (byte)NodeFlags.WildcardChild);
        ZoneMemory.WriteChildren(newOctets, ZoneMemory.Children(oldOctets));
        ZoneMemory.MarkDead(oldOctets);
        _deadOctets += oldOctets.Length;
        _names.Replace(hash, old, node);
        if (old == _apex) _apex = node;
        if (old == _parentNode) _parentNode = node;
    }

    private void BeginMerge(uint reference)
    {
        _merged.Clear();
        ZoneNode node = new(Octets(reference));
        foreach (RRset rrset in node)
        {
            foreach (ReadOnlySpan<byte> rdata in rrset) _merged.Add(rrset.Type, rrset.Ttl, rdata);
            _writer.RecordCount -= rrset.Count;
        }
    }

    private void EndMerge(uint reference)
    {
        Span<byte> original = stackalloc byte[WireName.MaxOctets];
        ZoneNode node = new(Octets(reference));
        original = original[..node.CopyOwner(original)];
        NoteSurplus(node.Name, _merged);
        Replace(NameHash.Compute(node.Name), reference, original, _merged);
        _merged.Clear();
    }

    private void NoteSurplus(ReadOnlySpan<byte> owner, RecordRun run)
    {
        if (run.Surplus is not var (type, rdata)) return;
        _notes.Add(new ZoneBuildDiagnostic(
            ZoneBuildDiagnosticKind.TooMuchData, DomainName.FromOctets(owner), type, rdata));
    }

    /// <summary>Marks nodes below a cut or a DNAME, or with NSEC3 records only: an exact match is no answer.</summary>
    private void MarkOccluded()
    {
        byte[][] segments = _arena.Segments;
        ref LookupName name = ref _open.Name;
        int segment = 0, offset = ZoneMemory.Unit;
        while (NodeWalk.TryNext(segments, _arena.LastSegmentOctets, ref segment, ref offset, out uint reference))
        {
            Span<byte> node = ZoneMemory.Node(segments, reference);
            if (ZoneMemory.IsDead(node) || reference == _apex) continue;
            if (_writer.HasHashes && new ZoneNode(node).IsNsec3Owner) node[1] |= (byte)NodeFlags.Occluded;
            if (!_hasObscuring) continue;
            name.Set(new ZoneNode(node).Name);
            for (int skip = 1; skip <= name.LabelCount - _apexLabels; skip++)
            {
                uint above = _names.Find(segments, name.SuffixHash(skip), name.Suffix(skip));
                NodeFlags flags = (NodeFlags)ZoneMemory.Node(segments, above)[1];
                if ((flags & (NodeFlags.Cut | NodeFlags.Dname)) == 0) continue;
                node[1] |= (byte)NodeFlags.Occluded;
                break;
            }
        }
    }

    /// <summary>Copies the live nodes into new memory, without the gaps of merging.</summary>
    private void Compact()
    {
        NodeArena old = _arena;
        _arena = new NodeArena();
        NameTable names = new(_names.Count);
        int segment = 0, offset = ZoneMemory.Unit;
        while (NodeWalk.TryNext(old.Segments, old.LastSegmentOctets, ref segment, ref offset, out uint reference))
        {
            ReadOnlySpan<byte> node = ZoneMemory.Node(old.Segments, reference);
            if (ZoneMemory.IsDead(node)) continue;
            uint moved = _arena.Allocate(node.Length, out Span<byte> copy);
            node.CopyTo(copy);
            names.Add(NameHash.Compute(new ZoneNode(node).Name), moved);
            if (reference == _apex) _apex = moved;
        }
        old.Discard();
        _names = names;
        _deadOctets = 0;
    }

    private Span<byte> Octets(uint reference) => ZoneMemory.Node(_arena.Segments, reference);
}
