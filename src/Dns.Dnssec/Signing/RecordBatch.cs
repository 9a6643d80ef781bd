namespace Dns.Dnssec.Signing;

/// <summary>Records for a signed zone, name by name, in two reused arrays.</summary>
internal sealed class RecordBatch
{
    private const int FirstOctets = 4 << 10;
    private const int FirstEntries = 32;

    private Entry[] _entries = new Entry[FirstEntries];
    private byte[] _octets = new byte[FirstOctets];
    private int _used;
    private int _ownerAt;
    private int _ownerOctets;

    internal int Count { get; private set; }

    /// <summary>NSEC3 chain members that the names of this batch add.</summary>
    internal List<HashedName> Hashes { get; } = [];

    /// <summary>Number of visited names.</summary>
    internal int Names { get; set; }

    internal void Clear()
    {
        (Count, _used, Names) = (0, 0, 0);
        Hashes.Clear();
    }

    /// <summary>Sets the owner of the following records: a valid wire name, in its final letter case.</summary>
    internal void Begin(ReadOnlySpan<byte> owner)
    {
        (_ownerAt, _ownerOctets) = (_used, owner.Length);
        owner.CopyTo(Take(owner.Length));
    }

    internal void Add(RRType type, uint ttl, ReadOnlySpan<byte> rdata) => rdata.CopyTo(Add(type, ttl, rdata.Length));

    /// <summary>Adds a record whose RDATA the caller writes.</summary>
    internal Span<byte> Add(RRType type, uint ttl, int rdataOctets)
    {
        if (Count == _entries.Length) Array.Resize(ref _entries, 2 * Count);
        int at = _used;
        Span<byte> rdata = Take(rdataOctets);
        _entries[Count++] = new Entry(_ownerAt, _ownerOctets, type, ttl, at, rdataOctets);
        return rdata;
    }

    internal RRType TypeOf(int index) => _entries[index].Type;

    internal uint TtlOf(int index) => _entries[index].Ttl;

    internal ReadOnlySpan<byte> RdataOf(int index) =>
        _octets.AsSpan(_entries[index].RdataAt, _entries[index].RdataOctets);

    internal ReadOnlySpan<byte> OwnerOf(int index) =>
        _octets.AsSpan(_entries[index].OwnerAt, _entries[index].OwnerOctets);

    /// <summary>Passes all records to a builder.</summary>
    internal void AddTo(ZoneBuilder builder)
    {
        int ownerAt = -1;
        for (int i = 0; i < Count; i++)
        {
            ref readonly Entry entry = ref _entries[i];
            builder.Add(OwnerOf(i), entry.OwnerAt == ownerAt, entry.Type, entry.Ttl, RdataOf(i));
            ownerAt = entry.OwnerAt;
        }
    }

    private Span<byte> Take(int octets)
    {
        if (_octets.Length - _used < octets) Array.Resize(ref _octets, Math.Max(2 * _octets.Length, _used + octets));
        _used += octets;
        return _octets.AsSpan(_used - octets, octets);
    }

    private readonly record struct Entry(int OwnerAt, int OwnerOctets, RRType Type, uint Ttl, int RdataAt,
        int RdataOctets);
}
