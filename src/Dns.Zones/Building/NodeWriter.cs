namespace Dns.Zones.Building;

/// <summary>Writes the records of one name as a node: groups them, removes duplicates, unifies TTLs.</summary>
internal sealed class NodeWriter(NodeMemory memory, byte[] apex, List<ZoneBuildDiagnostic> notes, ZoneLimits limits)
{
    private const int MaxNodeOctets = 60 << 20;
    private const int FewRecords = 16;

    private bool[] _dropped = new bool[16];

    /// <summary>Records written so far, without duplicates and replaced nodes.</summary>
    internal long RecordCount { get; set; }

    /// <summary>Whether a node with an NSEC3 record was written.</summary>
    internal bool HasHashes { get; private set; }

    /// <summary>Writes a node without children and returns its reference.</summary>
    /// <param name="name">The owner, lower case.</param>
    /// <param name="original">The owner in its original letter case.</param>
    /// <param name="isApex">Whether NS here belongs to the zone instead of a cut.</param>
    /// <param name="run">The records; may be empty.</param>
    internal uint Write(ReadOnlySpan<byte> name, ReadOnlySpan<byte> original, bool isApex, RecordRun run)
    {
        Span<int> order = run.Grouped();
        int octets = Measure(run, order, original);
        bool hasCase = !name.SequenceEqual(original);
        int length = ZoneMemory.NodeHeaderOctets + name.Length + (hasCase ? (name.Length + 7) >> 3 : 0);
        length = ZoneMemory.RoundUp(length + octets);
        uint reference = memory.Allocate(length, out Span<byte> node);
        NodeFlags flags = hasCase ? NodeFlags.OriginalCase : NodeFlags.None;
        bool isWildcard = name[0] == 1 && name[1] == (byte)'*';
        int at = ZoneMemory.NodeHeaderOctets + name.Length;
        name.CopyTo(node[ZoneMemory.NodeHeaderOctets..]);
        if (hasCase) at += WriteCase(name, original, node[at..]);
        for (int i = 0; i < order.Length;)
        {
            int end = GroupEnd(run, order, i);
            RRType type = run[order[i]].Type;
            if (type == RRType.NS && !isApex && !isWildcard) flags |= NodeFlags.Cut;
            if (type == RRType.CNAME) flags |= NodeFlags.Alias;
            if (type == RRType.DNAME) flags |= NodeFlags.Dname;
            if (type == ChoiceMark.Type) flags |= NodeFlags.Chosen;
            if (type == RRType.NSEC3) HasHashes = true;
            at += WriteRRset(run, order[i..end], node[at..]);
            i = end;
        }
        node[at..].Clear();
        ZoneMemory.WriteHeader(node, name.Length, flags);
        return reference;
    }

    private int Measure(RecordRun run, Span<int> order, ReadOnlySpan<byte> owner)
    {
        if (run.Count == 1) return MeasureOne(run);
        if (_dropped.Length < run.Count) _dropped = new bool[run.Count * 2];
        _dropped.AsSpan(0, run.Count).Clear();
        int octets = 0, types = 0, signedTypes = 0;
        for (int i = 0; i < order.Length;)
        {
            int end = GroupEnd(run, order, i);
            // Each set of signatures is looked for like a type, and may cover one that is not there.
            int count = run[order[i]].Type == RRType.RRSIG ? ++signedTypes : ++types;
            if (count > limits.TypesPerName)
            {
                // One diagnostic is enough.
                if (count == limits.TypesPerName + 1) Note(ZoneBuildDiagnosticKind.TooManyTypes, run, order[i], owner);
                DropRest(order[i..end], order[i]);
                i = end;
                continue;
            }
            FoldDuplicates(run, order[i..end], owner);
            int kept = 0, before = octets;
            octets += ZoneMemory.ListRecordsAt;
            int linkOctets = ZoneMemory.IsLinked(run[order[i]].Type) ? sizeof(uint) : 0;
            foreach (int index in order[i..end])
            {
                if (_dropped[index]) continue;
                int size = 2 + run[index].Length + linkOctets;
                bool isFull = kept == limits.RecordsPerType;
                if (isFull || octets + size > MaxNodeOctets)
                {
                    Note(isFull ? ZoneBuildDiagnosticKind.TooManyRecords : ZoneBuildDiagnosticKind.TooMuchData, run,
                        index, owner);
                    DropRest(order[i..end], index);
                    break;
                }
                kept++;
                octets += size;
            }
            if (kept == 0) octets = before;
            else if (kept == 1 && linkOctets == 0) octets -= ZoneMemory.ListRecordsAt - ZoneMemory.SingleRecordAt;
            i = end;
        }
        return octets;
    }

    // Most names of most large zones: nothing to group or unify.
    private int MeasureOne(RecordRun run)
    {
        _dropped[0] = false;
        int octets = sizeof(ushort) + run[0].Length;
        return ZoneMemory.IsLinked(run[0].Type)
            ? ZoneMemory.ListRecordsAt + octets + sizeof(uint) : ZoneMemory.SingleRecordAt + octets;
    }

    private void DropRest(Span<int> group, int from)
    {
        foreach (int index in group[group.IndexOf(from)..]) _dropped[index] = true;
    }

    private void FoldDuplicates(RecordRun run, Span<int> group, ReadOnlySpan<byte> owner)
    {
        bool isMixed = false;
        if (group.Length > FewRecords)
        {
            HashSet<int> seen = new(group.Length, new RdataIdentity(run));
            foreach (int index in group)
                if (!seen.Add(index)) Drop(run, index, owner);
        }
        for (int i = 1; i < group.Length; i++)
        {
            if (!isMixed && run[group[i]].Ttl != run[group[0]].Ttl && run[group[i]].Type != RRType.RRSIG)
            {
                isMixed = true;
                Note(ZoneBuildDiagnosticKind.MixedTtl, run, group[i], owner);
            }
            if (group.Length > FewRecords) continue;
            for (int j = 0; j < i; j++)
            {
                if (!run.SameRdata(group[i], group[j])) continue;
                Drop(run, group[i], owner);
                break;
            }
        }
    }

    private void Drop(RecordRun run, int index, ReadOnlySpan<byte> owner)
    {
        _dropped[index] = true;
        Note(ZoneBuildDiagnosticKind.DuplicateRecord, run, index, owner);
    }

    private int WriteRRset(RecordRun run, Span<int> group, Span<byte> destination)
    {
        int count = CountKept(group);
        if (count == 0) return 0;
        RRType type = run[group[0]].Type;
        bool isLinked = ZoneMemory.IsLinked(type), isSingle = count == 1 && !isLinked;
        int at = isSingle ? ZoneMemory.SingleRecordAt : ZoneMemory.ListRecordsAt;
        uint ttl = int.MaxValue;
        foreach (int index in group)
        {
            // The TTL of a duplicate counts too: it was a record of the RRset.
            ttl = Math.Min(ttl, run[index].Ttl);
            if (_dropped[index]) continue;
            ReadOnlySpan<byte> rdata = run.Rdata(index);
            MemoryMarshal.Write(destination[at..], (ushort)rdata.Length);
            rdata.CopyTo(destination[(at + 2)..]);
            at += 2 + rdata.Length;
        }
        if (isLinked) at += WriteLinks(run, group, type, destination[at..]);
        if (isSingle) ZoneMemory.WriteSingleHeader(destination, type, ttl);
        else ZoneMemory.WriteListHeader(destination, type, ttl, count, at - ZoneMemory.ListRecordsAt, isLinked);
        RecordCount += count;
        return at;
    }

    private int CountKept(Span<int> group)
    {
        int count = 0;
        foreach (int index in group)
            if (!_dropped[index]) count++;
        return count;
    }

    private int WriteLinks(RecordRun run, Span<int> group, RRType type, Span<byte> destination)
    {
        int at = 0;
        foreach (int index in group)
        {
            if (_dropped[index]) continue;
            MemoryMarshal.Write(destination[at..], HostLink.Of(type, run.Rdata(index), apex));
            at += sizeof(uint);
        }
        return at;
    }

    private static int WriteCase(ReadOnlySpan<byte> name, ReadOnlySpan<byte> original, Span<byte> bits)
    {
        int octets = (name.Length + 7) >> 3;
        bits[..octets].Clear();
        for (int i = 0; i < name.Length; i++)
            if (name[i] != original[i]) bits[i >> 3] |= (byte)(1 << (i & 7));
        return octets;
    }

    private static int GroupEnd(RecordRun run, Span<int> order, int start)
    {
        uint key = run.Key(order[start]);
        int end = start + 1;
        while (end < order.Length && run.Key(order[end]) == key) end++;
        return end;
    }

    private void Note(ZoneBuildDiagnosticKind kind, RecordRun run, int index, ReadOnlySpan<byte> owner)
    {
        // Surplus warnings may be dropped; an error must never be lost.
        bool isWarning = kind is ZoneBuildDiagnosticKind.DuplicateRecord or ZoneBuildDiagnosticKind.MixedTtl;
        if (notes.Count >= ZoneBuilder.MaxWarnings && isWarning) return;
        notes.Add(
            new ZoneBuildDiagnostic(kind, DomainName.FromOctets(owner), run[index].Type, run.Rdata(index).ToArray()));
    }
}
