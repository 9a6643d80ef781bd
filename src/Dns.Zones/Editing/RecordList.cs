namespace Dns.Zones.Editing;

/// <summary>A sequence of records of class IN, each with its owner, in a few arrays of octets.</summary>
/// <remarks>Immutable and thread-safe once its delta is built.</remarks>
public sealed class RecordList
{
    private const int HeaderOctets = 10;
    private const int FirstChunkOctets = 256;
    private const int ChunkOctets = 1 << 20;

    // Arrays instead of lists: most deltas have two to four records, and a busy zone has a thousand a second.
    private byte[][] _chunks = [];
    private long[] _positions = [];
    private int _used;

    internal RecordList()
    {
    }

    /// <summary>Number of records.</summary>
    public int Count { get; private set; }

    /// <summary>Octets of the records, uncompressed and with their owners.</summary>
    public long Octets { get; private set; }

    /// <summary>Bytes of memory that the records take.</summary>
    public long MemoryBytes
    {
        get
        {
            long total = (long)_positions.Length * sizeof(long);
            foreach (byte[] chunk in _chunks) total += chunk.Length;
            return total;
        }
    }

    /// <summary>The record with a number from 0 to <see cref="Count"/> - 1.</summary>
    public ListedRecord this[int index]
    {
        get
        {
            ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(index, Count);
            long position = _positions[index];
            return new ListedRecord(_chunks[(int)(position >> 32)].AsSpan((int)position));
        }
    }

    /// <summary>Enumerates the records in the order in which they were added.</summary>
    public Enumerator GetEnumerator() => new(this);

    internal void Add(ReadOnlySpan<byte> owner, RRType type, uint ttl, ReadOnlySpan<byte> rdata)
    {
        int octets = HeaderOctets + owner.Length + rdata.Length;
        if (_chunks.Length == 0 || _used + octets > _chunks[^1].Length) AddChunk(octets);
        Span<byte> record = _chunks[^1].AsSpan(_used, octets);
        MemoryMarshal.Write(record, ttl);
        MemoryMarshal.Write(record[4..], (ushort)type);
        MemoryMarshal.Write(record[6..], (ushort)rdata.Length);
        record[8] = (byte)owner.Length;
        owner.CopyTo(record[HeaderOctets..]);
        rdata.CopyTo(record[(HeaderOctets + owner.Length)..]);
        if (Count == _positions.Length) Array.Resize(ref _positions, Math.Max(2, Count * 2));
        _positions[Count++] = (long)(_chunks.Length - 1) << 32 | (uint)_used;
        _used += octets;
        Octets += octets;
    }

    private void AddChunk(int atLeast)
    {
        int octets = _chunks.Length == 0 ? FirstChunkOctets : Math.Min(_chunks[^1].Length * 2, ChunkOctets);
        _chunks = [.. _chunks, GC.AllocateUninitializedArray<byte>(Math.Max(octets, atLeast))];
        _used = 0;
    }

    /// <summary>One record, as a view into its list.</summary>
    public readonly ref struct ListedRecord
    {
        private readonly ReadOnlySpan<byte> _octets;

        internal ListedRecord(ReadOnlySpan<byte> octets) => _octets = octets;

        /// <summary>TTL in seconds, 0 to 2^31-1.</summary>
        public uint Ttl => MemoryMarshal.Read<uint>(_octets);

        /// <summary>The type.</summary>
        public RRType Type => (RRType)MemoryMarshal.Read<ushort>(_octets[4..]);

        /// <summary>The wire name of the owner in its original letter case.</summary>
        public ReadOnlySpan<byte> Owner => _octets.Slice(HeaderOctets, _octets[8]);

        /// <summary>The RDATA, uncompressed.</summary>
        public ReadOnlySpan<byte> Rdata =>
            _octets.Slice(HeaderOctets + _octets[8], MemoryMarshal.Read<ushort>(_octets[6..]));
    }

    /// <summary>Walks a list.</summary>
    public ref struct Enumerator
    {
        private readonly RecordList _list;
        private int _index;

        internal Enumerator(RecordList list)
        {
            _list = list;
            _index = -1;
        }

        /// <summary>The current record.</summary>
        public readonly ListedRecord Current => _list[_index];

        /// <summary>Moves to the next record.</summary>
        public bool MoveNext() => ++_index < _list.Count;
    }
}
