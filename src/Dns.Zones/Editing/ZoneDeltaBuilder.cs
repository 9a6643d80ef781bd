namespace Dns.Zones.Editing;

/// <summary>Builds one <see cref="ZoneDelta"/>, record by record.</summary>
/// <param name="serial">The serial of the version before.</param>
public sealed class ZoneDeltaBuilder(DomainName zone, uint serial)
{
    private const int SerialFromEnd = 20;

    private readonly RecordList _removed = new();
    private readonly RecordList _added = new();
    private readonly uint _serialFrom = serial;
    private uint? _serialTo;

    /// <summary>Removes a record. Removals precede additions, in any order of calls.</summary>
    /// <param name="owner">A valid wire name in any letter case.</param>
    /// <param name="rdata">Valid, uncompressed RDATA; copied.</param>
    /// <param name="ttl">Its TTL in seconds, if known; informative, not a condition of the change.</param>
    public void Remove(ReadOnlySpan<byte> owner, RRType type, ReadOnlySpan<byte> rdata, uint ttl = 0) =>
        _removed.Add(owner, type, ttl, rdata);

    /// <summary>Adds a record. An RRset has the lowest TTL of its records (RFC 2181 §5.2).</summary>
    /// <param name="owner">A valid wire name in any letter case.</param>
    /// <param name="type">The type. An SOA sets the serial after the change.</param>
    /// <param name="ttl">TTL in seconds, at most 2^31-1.</param>
    /// <param name="rdata">Valid, uncompressed RDATA; copied.</param>
    public void Add(ReadOnlySpan<byte> owner, RRType type, uint ttl, ReadOnlySpan<byte> rdata)
    {
        _added.Add(owner, type, ttl, rdata);
        if (type == RRType.SOA && rdata.Length > SerialFromEnd)
            _serialTo = BinaryPrimitives.ReadUInt32BigEndian(rdata[^SerialFromEnd..]);
    }

    /// <summary>Builds the delta.</summary>
    /// <param name="isExact">Its <see cref="ZoneDelta.IsExact"/>.</param>
    public ZoneDelta Build(bool isExact = false) =>
        new(zone, _serialFrom, _serialTo ?? _serialFrom, _removed, _added, isExact);
}
