namespace Dns.Zones.Editing;

/// <summary>Applies one delta to a version of a zone.</summary>
/// <remarks>
/// Nodes of the previous version are never changed: they are first copied into memory that only this edit has. First
/// the records of each name are changed, with the names above that are added or removed; then a part of the dead memory
/// is compacted; then every written node is checked against its ancestors.
/// </remarks>
internal sealed partial class ZoneEdit
{
    private readonly Zone _before;
    private readonly EditMemory _memory;
    private readonly NameTable _names;
    private readonly CanonicalIndex? _index;
    private readonly ZoneDenial? _denial;
    private readonly List<uint>? _expirationsGone;
    private readonly NodeWriter _writer;
    private readonly ZoneLimits _limits;
    private readonly EditScratch _scratch;
    private readonly byte[] _apexName;
    private readonly int _apexLabels;
    private uint _apex;
    private int _unmarked;
    // Names below the apex with more than NSEC3 records; -1 = unknown.
    private int _dataNames;

    internal ZoneEdit(Zone before, ZoneLimits limits, EditScratch scratch)
    {
        _before = before;
        _limits = limits;
        _scratch = scratch;
        _memory = new EditMemory(before.Segments, before.SegmentUse, scratch);
        _names = before.Names.BeginEdit();
        _index = before.Index?.BeginEdit();
        _denial = before.Denial?.BeginEdit();
        _expirationsGone = before.KnownSignatures is null ? null : [];
        _apexName = before.Apex.ToArray();
        _apexLabels = WireName.CountLabels(_apexName);
        _apex = before.ApexReference;
        _unmarked = before.UnmarkedCuts;
        _dataNames = before.KnownDataNames;
        _writer = new NodeWriter(_memory, _apexName, scratch.Diagnostics, limits) { RecordCount = before.RecordCount };
    }

    private ref LookupName Name => ref _scratch.Name;

    private OwnerRecords Records => _scratch.Records;

    internal ZoneEditError? Error { get; private set; }

    /// <summary>Names visited that the delta does not write.</summary>
    internal int VisitedNames { get; private set; }

    /// <summary>Makes the next version, or null with <see cref="Error"/>.</summary>
    internal Zone? Apply(ZoneDelta delta)
    {
        if (!TryChangeRecords(delta)) return null;
        (int victim, int offset) = Clean();
        if (!TryValidate()) return null;
        _names.EndEdit();
        _index?.EndEdit();
        _denial?.EndEdit(_memory.Segments, _apexName);
        SegmentUse use = _memory.End(victim, offset);
        return new Zone(
            _memory.Segments, _names, _apex, _writer.RecordCount, use, _unmarked, _index, _denial, Signatures(),
            _before.KnownDenialCheck) { KnownDataNames = _dataNames };
    }

    /// <summary>The new signature expirations, if those of the previous version are known.</summary>
    private SignatureDates? Signatures()
    {
        if (_expirationsGone is null) return null;
        List<uint> come = [];
        foreach (uint reference in _memory.Written)
            if (!ZoneMemory.IsDead(Octets(reference))) SignatureDates.Collect(new ZoneNode(Octets(reference)), come);
        return _before.KnownSignatures!.With(_expirationsGone, come);
    }

    /// <summary>Discards the edit. The previous version may be edited again.</summary>
    internal void Discard() => _memory.Discard();

    internal bool Fail(ZoneEditErrorKind kind, ReadOnlySpan<byte> owner, RRType type, string message)
    {
        Error ??= new ZoneEditError(kind, DomainName.FromOctets(owner), type, message);
        return false;
    }

    private bool TryChangeRecords(ZoneDelta delta)
    {
        OwnerOrder order = new(delta, _scratch);
        for (int start = 0; start < order.Count;)
        {
            int end = order.GroupEnd(start);
            if (!TryChangeName(order, start, end)) return false;
            start = end;
        }
        return true;
    }

    private bool TryChangeName(OwnerOrder order, int start, int end)
    {
        ReadOnlySpan<byte> owner = order[start].Owner;
        if (!WireName.IsAtOrBelow(owner, _apexName))
        {
            return Fail(ZoneEditErrorKind.OutOfZone, owner, order[start].Type,
                $"found {NameText.ToText(owner)}, expected a name in {NameText.ToText(_apexName)}");
        }
        Name.Set(owner);
        uint known = _names.Find(_memory.Segments, Name.Hash, Name.Octets);
        ZoneNode before = known == 0 ? default : new ZoneNode(Octets(known));
        Records.Begin(before, isKnown: known != 0);
        for (int i = start; i < end; i++)
        {
            RecordList.ListedRecord record = order[i];
            if (!(order.IsAdded(i) ? TryAdd(record) : TryRemove(record))) return false;
        }
        bool keepsOwner = Records.End() || known == _apex;
        if (Records.Left.Count == 0 && known != _apex) RemoveOwner(known);
        else Put(known, keepsOwner, order[end - 1].Owner);
        return true;
    }

    private bool TryRemove(RecordList.ListedRecord record)
    {
        if (Records.Remove(record)) return true;
        if (Records.IsFull) return FailForRoom(record);
        return Fail(ZoneEditErrorKind.NotThere, record.Owner, record.Type,
            $"found no such {RRTypeText.Format(record.Type)} at {NameText.ToText(record.Owner)} to remove, expected " +
                $"one");
    }

    private bool TryAdd(RecordList.ListedRecord record)
    {
        bool isApex = record.Owner.Length == _apexName.Length;
        string? rule = record.Type switch
        {
            RRType.SOA when !isApex => "expected it at the apex only",
            RRType.DS when isApex => "expected it in the parent zone",
            _ when record.Ttl > int.MaxValue => "expected a TTL of at most 2147483647",
            _ => null,
        };
        string what = $"{RRTypeText.Format(record.Type)} at {NameText.ToText(record.Owner)}";
        if (rule is not null)
            return Fail(ZoneEditErrorKind.Forbidden, record.Owner, record.Type, $"found {what}, {rule}");
        if (Records.Add(record)) return true;
        if (Records.IsFull) return FailForRoom(record);
        return Fail(ZoneEditErrorKind.AlreadyThere, record.Owner, record.Type,
            $"found {what} to add, which is there already");
    }

    private bool FailForRoom(RecordList.ListedRecord record) => Fail(
        ZoneEditErrorKind.TooLarge, record.Owner, record.Type,
        $"found more records at {NameText.ToText(record.Owner)} than a name can have before and after a change");

    /// <summary>Writes the node of the name with the remaining records.</summary>
    private void Put(uint known, bool keepsOwner, ReadOnlySpan<byte> owner)
    {
        Span<byte> original = stackalloc byte[WireName.MaxOctets];
        if (keepsOwner && known != 0) original = original[..new ZoneNode(Octets(known)).CopyOwner(original)];
        else
        {
            owner.CopyTo(original);
            original = original[..owner.Length];
        }
        uint node = _writer.Write(Name.Octets, original, isApex: known == _apex, Records.Left);
        if (known != 0)
        {
            Replace(Name.Hash, known, node);
            return;
        }
        AddName(Name.Hash, node);
        LinkToParents(original);
    }

    /// <summary>Removes the records of the name: the node is removed, or stays as an empty non-terminal.</summary>
    private void RemoveOwner(uint known)
    {
        if (known == 0) return;
        ZoneNode node = new(Octets(known));
        if (node.Children == 0)
        {
            RemoveName(Name.Hash, known);
            UnlinkFromParents();
            return;
        }
        Span<byte> original = stackalloc byte[WireName.MaxOctets];
        original = original[..node.CopyOwner(original)];
        Replace(Name.Hash, known, _writer.Write(Name.Octets, original, isApex: false, Records.Left));
    }

    /// <summary>Counts the new name in its parent, and creates missing ancestors (RFC 4592 §2.2.2).</summary>
    private void LinkToParents(ReadOnlySpan<byte> original)
    {
        for (int skip = 1; skip <= Name.LabelCount - _apexLabels; skip++)
        {
            uint parent = _names.Find(_memory.Segments, Name.SuffixHash(skip), Name.Suffix(skip));
            bool exists = parent != 0;
            bool isWildcard = IsWildcard(Name.Suffix(skip - 1));
            if (!exists)
            {
                Records.Left.Clear();
                parent = _writer.Write(Name.Suffix(skip), original[Name.Start(skip)..], isApex: false, Records.Left);
                AddName(Name.SuffixHash(skip), parent);
            }
            // The apex has no count: it is the parent of most names, and is never removed.
            if (parent != _apex || isWildcard)
            {
                parent = Own(Name.SuffixHash(skip), parent);
                Span<byte> octets = Octets(parent);
                if (parent != _apex) ZoneMemory.AddChild(octets, 1);
                if (isWildcard) octets[1] |= (byte)NodeFlags.WildcardChild;
            }
            if (exists) return;
        }
    }

    /// <summary>Uncounts the name in its parent, and removes ancestors that existed for it alone.</summary>
    private void UnlinkFromParents()
    {
        for (int skip = 1; skip <= Name.LabelCount - _apexLabels; skip++)
        {
            uint parent = _names.Find(_memory.Segments, Name.SuffixHash(skip), Name.Suffix(skip));
            bool isWildcard = IsWildcard(Name.Suffix(skip - 1));
            if (parent == _apex && !isWildcard) return;
            parent = Own(Name.SuffixHash(skip), parent);
            Span<byte> octets = Octets(parent);
            if (isWildcard) octets[1] &= (byte)~NodeFlags.WildcardChild;
            if (parent == _apex) return;
            ZoneMemory.AddChild(octets, -1);
            ZoneNode node = new(octets);
            if (node.Children > 0 || node.HasData) return;
            RemoveName(Name.SuffixHash(skip), parent);
        }
    }

    /// <summary>Replaces the node of a name; inherited properties are copied.</summary>
    private void Replace(ulong hash, uint old, uint node)
    {
        Span<byte> oldOctets = Octets(old), octets = Octets(node);
        octets[1] |= (byte)(oldOctets[1] & (byte)NodeFlags.WildcardChild);
        ZoneMemory.WriteChildren(octets, ZoneMemory.Children(oldOctets));
        ReplaceName(hash, old, node);
        Supersede(old);
        if (old == _apex) _apex = node;
    }

    /// <summary>A node for changes: itself if it belongs to this edit, else a copy that replaces it.</summary>
    private uint Own(ulong hash, uint reference)
    {
        if (_memory.IsOwn(reference)) return reference;
        ReadOnlySpan<byte> octets = Octets(reference);
        uint copy = _memory.Allocate(octets.Length, out Span<byte> node);
        octets.CopyTo(node);
        ReplaceName(hash, reference, copy);
        _memory.AddDead(reference, octets.Length);
        if (_expirationsGone is not null) SignatureDates.Collect(new ZoneNode(octets), _expirationsGone);
        if (IsUnmarked(octets)) _unmarked--;
        if (reference == _apex) _apex = copy;
        return copy;
    }

    private void AddName(ulong hash, uint node)
    {
        _names.Add(hash, node);
        if (_dataNames >= 0 && IsDataBelowApex(node)) _dataNames++;
        _index?.Add(_memory.Segments, node);
        if (_denial is not null && IsInChain(node)) _denial.Add(_memory.Segments, node);
    }

    private void ReplaceName(ulong hash, uint old, uint node)
    {
        _names.Replace(hash, old, node);
        if (_dataNames >= 0)
            _dataNames += (IsDataBelowApex(node) ? 1 : 0) - (IsDataBelowApex(old) ? 1 : 0);
        _index?.Replace(_memory.Segments, node);
        if (_denial is null) return;
        bool wasInChain = IsInChain(old), isInChain = IsInChain(node);
        if (wasInChain && isInChain) _denial.Replace(_memory.Segments, node);
        else if (wasInChain) _denial.Remove(_memory.Segments, old);
        else if (isInChain) _denial.Add(_memory.Segments, node);
    }

    private void RemoveName(ulong hash, uint node)
    {
        _names.Remove(hash, node);
        if (_dataNames >= 0 && IsDataBelowApex(node)) _dataNames--;
        _index?.Remove(_memory.Segments, node);
        if (_denial is not null && IsInChain(node)) _denial.Remove(_memory.Segments, node);
        Supersede(node);
    }

    private bool IsDataBelowApex(uint node) =>
        new ZoneNode(Octets(node)) is var found && found.Name.Length > _apexName.Length
        && found.HasData && !found.HasOnlyNsec3;

    private bool IsInChain(uint node) => _denial!.Has(new ZoneNode(Octets(node)));

    /// <summary>Counts a node as dead, without its records.</summary>
    private void Supersede(uint reference)
    {
        Span<byte> octets = Octets(reference);
        foreach (RRset rrset in new ZoneNode(octets)) _writer.RecordCount -= rrset.Count;
        _memory.AddDead(reference, octets.Length);
        if (_memory.IsOwn(reference))
        {
            ZoneMemory.MarkDead(octets);
            return;
        }
        if (_expirationsGone is not null) SignatureDates.Collect(new ZoneNode(octets), _expirationsGone);
        if (IsUnmarked(octets)) _unmarked--;
    }

    private static bool IsUnmarked(ReadOnlySpan<byte> node) => (node[1] & (byte)NodeFlags.Unmarked) != 0;

    private static bool IsWildcard(ReadOnlySpan<byte> name) => name[0] == 1 && name[1] == (byte)'*';

    private Span<byte> Octets(uint reference) => ZoneMemory.Node(_memory.Segments, reference);
}
