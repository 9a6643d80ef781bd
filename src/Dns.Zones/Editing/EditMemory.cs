namespace Dns.Zones;

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

    private readonly byte[][] _before;
    private readonly SegmentUse? _use;
    private readonly bool _isClaimed;
    private readonly List<uint> _written = [];
    private int[] _dead;
    private SegmentTail? _tail;

    internal EditMemory(byte[][] segments, SegmentUse? use)
    {
        Segments = _before = segments;
        _use = use;
        _dead = new int[segments.Length];
        foreach (byte[] segment in use is null ? segments : []) TotalOctets += segment.Length;
        Used = int.MaxValue / 2;
        if (use is null) return;
        use.Dead.CopyTo(_dead, 0);
        (DeadOctets, TotalOctets) = (use.DeadOctets, use.TotalOctets);
        if (use.Tail is not { } tail) return;
        _isClaimed = tail.TryClaim(use.TailEnd);
        if (_isClaimed) (_tail, Current, Used) = (tail, use.TailSegment, use.TailEnd);
        else Pin(use.TailSegment);
    }

    /// <summary>Octets of all segments.</summary>
    internal long TotalOctets { get; private set; }

    /// <summary>Dead octets.</summary>
    internal long DeadOctets { get; private set; }

    /// <summary>Octets that this edit has allocated for nodes.</summary>
    internal long WrittenOctets { get; private set; }

    /// <summary>The nodes of this edit, including those that it replaced.</summary>
    internal IReadOnlyList<uint> Written => _written;

    /// <summary>Allocates a node that belongs to this edit and may be changed until it ends.</summary>
    internal override uint Allocate(int octets, out Span<byte> node)
    {
        uint reference = base.Allocate(octets, out node);
        WrittenOctets += octets;
        _written.Add(reference);
        return reference;
    }

    /// <summary>Whether a node belongs to this edit.</summary>
    internal bool IsOwn(uint reference)
    {
        int segment = ZoneMemory.Segment(reference);
        if (segment >= _before.Length || !ReferenceEquals(Segments[segment], _before[segment])) return true;
        return _isClaimed && segment == _use!.TailSegment && ZoneMemory.Place(reference) >= _use.TailEnd;
    }

    /// <summary>Counts a node as dead.</summary>
    internal void AddDead(uint reference, int octets)
    {
        int segment = ZoneMemory.Segment(reference);
        if (_dead[segment] == SegmentUse.Pinned) return;
        _dead[segment] += octets;
        DeadOctets += octets;
    }

    /// <summary>
    /// The segment with the largest share of dead octets, except the current one; -1 if none has any.
    /// </summary>
    internal int FindVictim()
    {
        int victim = -1;
        double most = 0;
        for (int i = 0; i < _dead.Length; i++)
        {
            if (_dead[i] <= 0 || i >= _before.Length || !ReferenceEquals(Segments[i], _before[i])) continue;
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
        DeadOctets -= _dead[segment];
        _dead[segment] = 0;
        Segments = [.. Segments];
        Segments[segment] = [];
    }

    /// <summary>Ends the edit: the next one may append behind it.</summary>
    internal SegmentUse End(int victim, int victimPlace)
    {
        _tail?.Release(Used);
        return new SegmentUse(_dead, DeadOctets, TotalOctets, _tail, Current, Used, victim, victimPlace);
    }

    /// <summary>Discards the edit: the previous version may be edited again.</summary>
    internal void Discard()
    {
        if (_isClaimed) _use!.Tail!.Release(_use.TailEnd);
    }

    private protected override void MakeRoom(int octets)
    {
        if (_tail is not null)
        {
            EndCurrent();
            AddDead(ZoneMemory.Reference(Current, 0), Segments[Current].Length - Used);
        }
        int place = Array.FindIndex(Segments, static segment => segment.Length == 0);
        if (place < 0 && Segments.Length == ZoneMemory.MaxSegments) throw new ZoneFullException();
        int size = Math.Max(NextSegmentOctets(), ZoneMemory.RoundUp(ZoneMemory.Unit + octets));
        byte[] segment = GC.AllocateUninitializedArray<byte>(size);
        if (place < 0)
        {
            place = Segments.Length;
            Segments = [.. Segments, segment];
            Array.Resize(ref _dead, Segments.Length);
        }
        else
        {
            Segments = [.. Segments];
            Segments[place] = segment;
        }
        _dead[place] = 0;
        TotalOctets += size;
        (_tail, Current, Used) = (new SegmentTail(-1), place, ZoneMemory.Unit);
    }

    private int NextSegmentOctets()
    {
        long most = Segments.Length >= ManySegments
            ? ZoneMemory.SegmentOctets
            : Math.Clamp(WrittenOctets, UsualSegmentOctets, ZoneMemory.SegmentOctets);
        long wanted = Math.Max(TotalOctets / PartOfTotal, WrittenOctets);
        return ZoneMemory.RoundUp((int)Math.Clamp(wanted, LeastSegmentOctets, most));
    }

    private void Pin(int segment)
    {
        if (_dead[segment] == SegmentUse.Pinned) return;
        DeadOctets -= _dead[segment];
        _dead[segment] = SegmentUse.Pinned;
    }
}
