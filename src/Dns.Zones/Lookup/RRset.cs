namespace Dns.Zones.Lookup;

/// <summary>
/// The records of one type at one name (RFC 2181 §5), as a view into its zone. RRSIGs form one RRset for each
/// type they cover, because each has the TTL of the RRset it signs (RFC 4034 §3).
/// </summary>
/// <remarks>Borrows the zone's memory, which is immutable and lives as long as it is referenced.</remarks>
public readonly ref struct RRset
{
    private readonly ReadOnlySpan<byte> _octets;

    internal RRset(ReadOnlySpan<byte> octets) => _octets = octets;

    /// <summary>Whether it is the default value, without an RRset.</summary>
    internal bool IsEmpty => _octets.IsEmpty;

    /// <summary>The type of all records.</summary>
    public RRType Type => (RRType)ZoneMemory.RRsetField<ushort>(_octets, 0);

    /// <summary>Number of records, 1 to 65,535.</summary>
    public int Count => IsList ? ZoneMemory.RRsetField<ushort>(_octets, 6) : 1;

    /// <summary>TTL in seconds, 0 to 2^31-1.</summary>
    public uint Ttl => ZoneMemory.RRsetField<uint>(_octets, 2) & ~unchecked((uint)ZoneMemory.ListBit);

    /// <summary>The stored records: each is two octets of RDATA length, in machine byte order, and the RDATA.</summary>
    internal ReadOnlySpan<byte> Records
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => IsList ? ListRecords : _octets[ZoneMemory.SingleRecordAt..];
    }

    private ReadOnlySpan<byte> ListRecords =>
        _octets[ZoneMemory.ListRecordsAt..(NamesHosts ? ^(sizeof(uint) * Count) : ^0)];

    /// <summary>Whether they name hosts whose addresses an answer may add: NS, MX, SRV, SVCB, HTTPS, NAPTR.</summary>
    public bool NamesHosts => IsList && ZoneMemory.RRsetField<int>(_octets, 8) < 0;

    /// <summary>
    /// A number that identifies the host of a record in this zone, if <see cref="NamesHosts"/>; 0 if the host is not in
    /// the zone. Two names share one with a probability of one in two billion: a collision must be harmless.
    /// </summary>
    /// <param name="index">Which record, from 0.</param>
    public uint HostReference(int index) => MemoryMarshal.Read<uint>(_octets[^(sizeof(uint) * (Count - index))..]);

    private bool IsList => ZoneMemory.RRsetField<int>(_octets, 2) < 0;

    /// <summary>The RDATA of the first record.</summary>
    public ReadOnlySpan<byte> First => Records.Slice(2, MemoryMarshal.Read<ushort>(Records));

    /// <summary>Copies some of the records, in the order of the list, as an RRset of their own.</summary>
    /// <param name="members">Which records, from 0; each once.</param>
    /// <param name="ttl">The TTL of the copy, at most 2^31-1.</param>
    /// <param name="room">Receives the copy, which borrows it.</param>
    /// <returns>False if the list is empty, or the room is too small.</returns>
    public bool TryCopy(scoped ReadOnlySpan<ushort> members, uint ttl, Span<byte> room, out RRset copy)
    {
        copy = default;
        bool isLinked = NamesHosts;
        int end = ZoneMemory.ListRecordsAt;
        foreach (ushort member in members)
        {
            ReadOnlySpan<byte> rdata = this[member];
            if (end + sizeof(ushort) + rdata.Length + sizeof(uint) * members.Length > room.Length) return false;
            MemoryMarshal.Write(room[end..], (ushort)rdata.Length);
            rdata.CopyTo(room[(end + sizeof(ushort))..]);
            end += sizeof(ushort) + rdata.Length;
        }
        for (int i = 0; isLinked && i < members.Length; i++, end += sizeof(uint))
            MemoryMarshal.Write(room[end..], HostReference(members[i]));
        if (members.IsEmpty) return false;
        ZoneMemory.WriteListHeader(room, Type, ttl, members.Length, end - ZoneMemory.ListRecordsAt, isLinked);
        copy = new RRset(room[..end]);
        return true;
    }

    /// <summary>The RDATA of a record. Walks the records before it.</summary>
    /// <param name="index">Which record, from 0 to below <see cref="Count"/>.</param>
    public ReadOnlySpan<byte> this[int index]
    {
        get
        {
            RecordEnumerator records = GetEnumerator();
            for (int i = 0; i <= index; i++) records.MoveNext();
            return records.Current;
        }
    }

    /// <summary>Enumerates the RDATA of each record.</summary>
    public RecordEnumerator GetEnumerator() => new(Records);

    /// <summary>Enumerator of the RDATA of an RRset.</summary>
    public ref struct RecordEnumerator
    {
        private ReadOnlySpan<byte> _left;

        internal RecordEnumerator(ReadOnlySpan<byte> records) => _left = records;

        /// <summary>The RDATA octets, uncompressed.</summary>
        public ReadOnlySpan<byte> Current { get; private set; }

        /// <summary>Moves to the next record.</summary>
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public bool MoveNext()
        {
            if (_left.IsEmpty) return false;
            int length = MemoryMarshal.Read<ushort>(_left);
            Current = _left.Slice(2, length);
            _left = _left[(2 + length)..];
            return true;
        }
    }
}
