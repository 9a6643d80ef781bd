using System.Buffers.Binary;
using Dns.Protocol;

namespace Dns.Zones;

/// <summary>Puts a <see cref="ZoneDelta"/> together, record by record. Makes one delta and is done.</summary>
/// <param name="zone">The zone's name.</param>
/// <param name="serial">The serial of the version that is changed.</param>
public sealed class ZoneDeltaBuilder(DomainName zone, uint serial)
{
    private const int SerialFromEnd = 20;

    private readonly RecordList _removed = new();
    private readonly RecordList _added = new();
    private readonly uint _serialFrom = serial;
    private uint? _serialTo;

    /// <summary>Takes a record out. Removals come before additions, in whatever order they are given.</summary>
    /// <param name="owner">A valid wire name in any spelling.</param>
    /// <param name="type">The type.</param>
    /// <param name="rdata">Valid, uncompressed RDATA; copied.</param>
    /// <param name="ttl">Its TTL in seconds where that is known: for those who read the delta, no condition of the change.</param>
    public void Remove(ReadOnlySpan<byte> owner, RRType type, ReadOnlySpan<byte> rdata, uint ttl = 0) =>
        _removed.Add(owner, type, ttl, rdata);

    /// <summary>Puts a record in. An RRset has the lowest TTL of its records (RFC 2181 §5.2).</summary>
    /// <param name="owner">A valid wire name in any spelling.</param>
    /// <param name="type">The type. That of an SOA sets the serial after the change.</param>
    /// <param name="ttl">TTL in seconds, at most 2^31-1.</param>
    /// <param name="rdata">Valid, uncompressed RDATA; copied.</param>
    public void Add(ReadOnlySpan<byte> owner, RRType type, uint ttl, ReadOnlySpan<byte> rdata)
    {
        _added.Add(owner, type, ttl, rdata);
        if (type == RRType.SOA && rdata.Length > SerialFromEnd)
            _serialTo = BinaryPrimitives.ReadUInt32BigEndian(rdata[^SerialFromEnd..]);
    }

    /// <summary>The delta of what was given.</summary>
    public ZoneDelta Build() => new(zone, _serialFrom, _serialTo ?? _serialFrom, _removed, _added);
}
