namespace Dns.Zones.Editing;

/// <summary>
/// The node memory of an edit: it appends to the last segment if its version is the newest, else it uses segments of
/// its own. Counts the dead octets of each segment.
/// </summary>
internal sealed class EditMemory : NodeMemory
{
    private const int LeastSegmentOctets = 1 << 10;

    // A small change allocates at most this at once, while enough segment numbers are left.
    private const int UsualSegmentOctets = 1 << 15;
    private const int ManySegments = ZoneMemory.MaxSegments / 4;
    private const int PartOfTotal = 64;

    // The array of dead octets grows by at least this many segments.
    private const int FewSegments = 8;

    private readonly byte[][] _before;
    private readonly SegmentUse? _use;
    private readonly bool _isClaimed;
    private readonly EditScratch _scratch;
    private int[] _dead;
    private SegmentTail? _tail;

    internal EditMemory(byte[][] segments, SegmentUse? use, EditScratch scratch)
    {
        Segments = _before = segments;
        _use = use;
        _scratch = scratch;
        Used = int.MaxValue / 2;
        if (use?.Tail is { } tail && tail.TryClaim(use.TailEnd))
        {
            _isClaimed = true;
            (_tail, Current, Used) = (tail, use.TailSegment, use.TailEnd);
            (_dead, DeadOctets, TotalOctets) = (use.Dead, use.DeadOctets, use.TotalOctets);
            return;
        }
        _dead = new int[segments.Length];
        foreach (byte[] segment in segments) TotalOctets += segment.Length;
        if (use is not null) CopyDead(use);
    }

    internal long TotalOctets { get; private set; }

    internal long DeadOctets { get; private set; }

    /// <summary>Octets that this edit has allocated for nodes.</summary>
    internal long WrittenOctets { get; private set; }

    /// <summary>The nodes of this edit, including those that it replaced.</summary>
    internal List<uint> Written => _scratch.Written;

    /// <summary>Allocates a node that belongs to this edit and may be changed until it ends.</summary>
    internal override uint Allocate(int octets, out Span<byte> node)
    {
        uint reference = base.Allocate(octets, out node);
        WrittenOctets += octets;
        Written.Add(reference);
        return reference;
    }

    internal bool IsOwn(uint reference)
    {
        int segment = ZoneMemory.Segment(reference);
        if (segment >= _before.Length || !ReferenceEquals(Segments[segment], _before[segment])) return true;
        return _isClaimed && segment == _use!.TailSegment && ZoneMemory.Offset(reference) >= _use.TailEnd;
    }

    internal void AddDead(uint reference, int octets)
    {
        int segment = ZoneMemory.Segment(reference);
        if (_dead[segment] == SegmentUse.Pinned) return;
        SetDead(segment, _dead[segment] + octets);
    }

    /// <summary>The segment with the largest share of dead octets, the current one excepted; -1 for none.</summary>
    internal int FindVictim()
    {
        int victim = -1;
        double most = 0;
        for (int i = 0; i < _before.Length; i++)
        {
            if (_dead[i] <= 0 || !ReferenceEquals(Segments[i], _before[i])) continue;
            if (_isClaimed && i == _use!.TailSegment) continue;
            double part = (double)_dead[i] / Segments[i].Length;
            if (part > most) (victim, most) = (i, part);
        }
        return victim;
    }

    /// <summary>Frees a segment without live nodes.</summary>
    internal void Drop(int segment)
    {
        TotalOctets -= Segments[segment].Length;
        SetDead(segment, 0);
        Segments = [.. Segments];
        Segments[segment] = [];
    }

    /// <summary>Ends the edit: the next one may append behind it.</summary>
    internal SegmentUse End(int victim, int victimOffset)
    {
        _tail?.Release(Used);
        return new SegmentUse(_dead, DeadOctets, TotalOctets, _tail, Current, Used, victim, victimOffset);
    }

    /// <summary>Discards the edit: the previous version may be edited again.</summary>
    internal void Discard()
    {
        if (!_isClaimed) return;
        for (int i = _scratch.Counted.Count - 1; i >= 0; i--)
        {
            (int segment, int dead) = _scratch.Counted[i];
            if (segment < _use!.Dead.Length) _use.Dead[segment] = dead;
        }
        _use!.Tail!.Release(_use.TailEnd);
    }

    private protected override void MakeRoom(int octets)
    {
        if (_tail is not null)
        {
            EndCurrent();
            AddDead(ZoneMemory.Reference(Current, 0), Segments[Current].Length - Used);
        }
        int index = Array.FindIndex(Segments, static segment => segment.Length == 0);
        if (index < 0 && Segments.Length == ZoneMemory.MaxSegments) throw new ZoneFullException();
        int size = Math.Max(NextSegmentOctets(), ZoneMemory.RoundUp(ZoneMemory.Unit + octets));
        byte[] segment = GC.AllocateUninitializedArray<byte>(size);
        if (index < 0)
        {
            index = Segments.Length;
            Segments = [.. Segments, segment];
            if (index >= _dead.Length) Array.Resize(ref _dead, index + Math.Max(FewSegments, index / FewSegments));
        }
        else
        {
            Segments = [.. Segments];
            Segments[index] = segment;
        }
        TotalOctets += size;
        (_tail, Current, Used) = (new SegmentTail(-1), index, ZoneMemory.Unit);
    }

    private int NextSegmentOctets()
    {
        long most = Segments.Length >= ManySegments
            ? ZoneMemory.SegmentOctets
            : Math.Clamp(WrittenOctets, UsualSegmentOctets, ZoneMemory.SegmentOctets);
        long wanted = Math.Max(TotalOctets / PartOfTotal, WrittenOctets);
        return ZoneMemory.RoundUp((int)Math.Clamp(wanted, LeastSegmentOctets, most));
    }

    /// <summary>
    /// Copies the counts of the versions that append to the other tail, which may change meanwhile: counts of a later
    /// version are wrong here, and only cause a segment to be emptied early or late.
    /// </summary>
    private void CopyDead(SegmentUse use)
    {
        for (int i = 0; i < _dead.Length; i++)
        {
            bool isPinned = use.Dead[i] == SegmentUse.Pinned || i == use.TailSegment;
            _dead[i] = isPinned ? SegmentUse.Pinned : Math.Min(use.Dead[i], Segments[i].Length);
            DeadOctets += Math.Max(0, _dead[i]);
        }
    }

    private void SetDead(int segment, int octets)
    {
        _scratch.Counted.Add((segment, _dead[segment]));
        DeadOctets += octets - _dead[segment];
        _dead[segment] = octets;
    }
}
