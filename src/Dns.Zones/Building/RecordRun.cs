namespace Dns.Zones.Building;

/// <summary>The collected records of one name, before they become a node.</summary>
/// <param name="maxOctets">The maximum octets of <see cref="TryAdd"/>.</param>
internal sealed class RecordRun(int maxOctets = RecordRun.MaxOctets)
{
    /// <summary>One record: its place in the buffer of RDATA.</summary>
    internal readonly record struct Entry(RRType Type, ushort Length, uint Ttl, int Offset);

    /// <summary>A little more than a node can have.</summary>
    internal const int MaxOctets = 64 << 20;

    private Entry[] _entries = new Entry[16];
    private byte[] _rdata = new byte[1024];
    private int _used;
    private int[] _order = new int[16];

    internal int Count { get; private set; }

    /// <summary>The first record that <see cref="TryAdd"/> refused; null = none.</summary>
    internal (RRType Type, byte[] Rdata)? Surplus { get; private set; }

    internal ref readonly Entry this[int index] => ref _entries[index];

    internal ReadOnlySpan<byte> Rdata(int index) => _rdata.AsSpan(_entries[index].Offset, _entries[index].Length);

    /// <summary>Whether there is room for at most so many records, and 64 octets of RDATA for each.</summary>
    internal bool IsSmall(int records) => _entries.Length <= records && _rdata.Length <= records * 64;

    internal void Clear()
    {
        Count = _used = 0;
        Surplus = null;
    }

    /// <summary>Adds a record, unless there is no room; transfers have no other bound.</summary>
    internal bool TryAdd(RRType type, uint ttl, ReadOnlySpan<byte> rdata)
    {
        bool hasRoom = (long)Unsafe.SizeOf<Entry>() * (Count + 1) + _used + rdata.Length <= maxOctets;
        if (hasRoom) Add(type, ttl, rdata);
        else Surplus ??= (type, rdata.ToArray());
        return hasRoom;
    }

    internal void Add(RRType type, uint ttl, ReadOnlySpan<byte> rdata)
    {
        if (Count == _entries.Length) Array.Resize(ref _entries, Count * 2);
        if (_used + rdata.Length > _rdata.Length)
        {
            int twice = (int)Math.Min(_rdata.Length * 2L, Array.MaxLength);
            Array.Resize(ref _rdata, Math.Max(twice, checked(_used + rdata.Length)));
        }
        rdata.CopyTo(_rdata.AsSpan(_used));
        _entries[Count++] = new Entry(type, (ushort)rdata.Length, ttl, _used);
        _used += rdata.Length;
    }

    /// <summary>Records with the same key are one RRset; signatures are distinguished by the covered type.</summary>
    internal uint Key(int index)
    {
        ref readonly Entry entry = ref _entries[index];
        if (entry.Type != RRType.RRSIG || entry.Length < 2) return (uint)entry.Type << 16;
        ReadOnlySpan<byte> rdata = Rdata(index);
        return (uint)entry.Type << 16 | (uint)rdata[0] << 8 | rdata[1];
    }

    /// <summary>The records' indices grouped by key, in order of first appearance. Valid until the next call.</summary>
    internal Span<int> Grouped()
    {
        if (_order.Length < Count) _order = new int[_entries.Length];
        Span<int> order = _order.AsSpan(0, Count);
        if (Count <= 32) GroupFew(order);
        else GroupMany(order);
        return order;
    }

    private void GroupFew(Span<int> order)
    {
        uint taken = 0;
        int written = 0;
        for (int i = 0; i < Count; i++)
        {
            if ((taken >> i & 1) != 0) continue;
            uint key = Key(i);
            order[written++] = i;
            for (int j = i + 1; j < Count; j++)
            {
                if ((taken >> j & 1) != 0 || Key(j) != key) continue;
                taken |= 1u << j;
                order[written++] = j;
            }
        }
    }

    private void GroupMany(Span<int> order)
    {
        Dictionary<uint, int> first = [];
        ulong[] keys = new ulong[Count];
        for (int i = 0; i < Count; i++)
        {
            ref int number = ref CollectionsMarshal.GetValueRefOrAddDefault(first, Key(i), out bool known);
            if (!known) number = i;
            keys[i] = (ulong)(uint)number << 32 | (uint)i;
        }
        Array.Sort(keys);
        for (int i = 0; i < Count; i++) order[i] = (int)keys[i];
    }

    /// <summary>Whether two records of one type have the same RDATA, ignoring the case of names in it.</summary>
    internal bool SameRdata(int left, int right) =>
        Protocol.RecordData.Rdata.AreEqual(_entries[left].Type, Rdata(left), Rdata(right));
}
