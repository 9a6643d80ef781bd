namespace Dns.Zones.Building;

/// <summary>
/// Records whose name already has a node. They are stored separately and merged once at the end, so that a file sorted
/// by type costs one more copy instead of one for each record.
/// </summary>
internal sealed class LateRecords
{
    private const int HeaderOctets = 8;

    // Small at first: among 100,000 small zones many have one or two.
    private const int FirstChunkOctets = 1 << 10;
    private const int ChunkOctets = 1 << 20;

    private readonly List<byte[]> _chunks = [];
    private readonly List<ulong> _keys = [];
    private readonly List<long> _positions = [];
    private int _used;

    internal bool IsEmpty => _keys.Count == 0;

    internal void Add(uint node, RecordRun run)
    {
        for (int i = 0; i < run.Count; i++)
        {
            ReadOnlySpan<byte> rdata = run.Rdata(i);
            int octets = HeaderOctets + rdata.Length;
            if (_chunks.Count == 0 || _used + octets > _chunks[^1].Length) AddChunk(octets);
            Span<byte> record = _chunks[^1].AsSpan(_used, octets);
            MemoryMarshal.Write(record, (ushort)run[i].Type);
            MemoryMarshal.Write(record[2..], run[i].Length);
            MemoryMarshal.Write(record[4..], run[i].Ttl);
            rdata.CopyTo(record[HeaderOctets..]);
            _keys.Add((ulong)node << 32 | (uint)_positions.Count);
            _positions.Add((long)(_chunks.Count - 1) << 32 | (uint)_used);
            _used += octets;
        }
    }

    /// <summary>Visits each node with late records once, appended to <paramref name="run"/> in file order.</summary>
    /// <param name="run">Filled by <paramref name="begin"/> with the node's records, then with the late ones.</param>
    /// <param name="begin">Called with the node before its late records are added.</param>
    /// <param name="end">Called with the node after that.</param>
    internal void Drain(RecordRun run, Action<uint> begin, Action<uint> end)
    {
        ulong[] keys = [.. _keys];
        Array.Sort(keys);
        for (int i = 0; i < keys.Length;)
        {
            uint node = (uint)(keys[i] >> 32);
            begin(node);
            for (; i < keys.Length && (uint)(keys[i] >> 32) == node; i++) Append(_positions[(int)(uint)keys[i]], run);
            end(node);
        }
        _chunks.Clear();
        _keys.Clear();
        _positions.Clear();
        _used = 0;
    }

    private void AddChunk(int atLeast)
    {
        int octets = _chunks.Count == 0 ? FirstChunkOctets : Math.Min(_chunks[^1].Length * 2, ChunkOctets);
        _chunks.Add(GC.AllocateUninitializedArray<byte>(Math.Max(octets, atLeast)));
        _used = 0;
    }

    private void Append(long position, RecordRun run)
    {
        ReadOnlySpan<byte> record = _chunks[(int)(position >> 32)].AsSpan((int)(uint)position);
        int length = MemoryMarshal.Read<ushort>(record[2..]);
        run.TryAdd((RRType)MemoryMarshal.Read<ushort>(record), MemoryMarshal.Read<uint>(record[4..]),
            record.Slice(HeaderOctets, length));
    }
}
