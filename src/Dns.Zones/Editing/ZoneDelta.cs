namespace Dns.Zones.Editing;

/// <summary>
/// The delta between two versions of a zone: removed and added records, and the serials before and after. The only form
/// of a change of a zone. Made by <see cref="ZoneDeltaBuilder"/>, immutable.
/// </summary>
public sealed partial class ZoneDelta
{
    internal ZoneDelta(DomainName zone, uint serialFrom, uint serialTo, RecordList removed, RecordList added,
        bool isExact) => (Zone, SerialFrom, SerialTo, Removed, Added, IsExact) =
        (zone, serialFrom, serialTo, removed, added, isExact);

    /// <summary>The zone's name.</summary>
    public DomainName Zone { get; }

    /// <summary>The serial of the version before (RFC 1982).</summary>
    public uint SerialFrom { get; }

    /// <summary>The serial of the version after; the same if the SOA stays.</summary>
    public uint SerialTo { get; }

    /// <summary>The removed records, including a changed SOA. TTLs are 0 if unknown to the delta's creator.</summary>
    public RecordList Removed { get; }

    /// <summary>The added records, including a changed SOA.</summary>
    public RecordList Added { get; }

    /// <summary>
    /// Whether each removed record has its TTL, and each RRset whose TTL changes is removed and added whole; false if
    /// unknown.
    /// </summary>
    public bool IsExact { get; }

    /// <summary>Bytes of memory that its records take.</summary>
    public long MemoryBytes => Removed.MemoryBytes + Added.MemoryBytes;

    /// <summary>Whether it is empty.</summary>
    public bool IsEmpty => Removed.Count == 0 && Added.Count == 0;
}
