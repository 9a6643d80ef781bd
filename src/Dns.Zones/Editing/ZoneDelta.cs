using Dns.Protocol;

namespace Dns.Zones;

/// <summary>
/// What makes one version of a zone of another: the records that go and those that come, and the serials before and after.
/// The only form of a change of a zone. Made by <see cref="ZoneDeltaBuilder"/>, immutable.
/// </summary>
public sealed partial class ZoneDelta
{
    internal ZoneDelta(DomainName zone, uint serialFrom, uint serialTo, RecordList removed, RecordList added) =>
        (Zone, SerialFrom, SerialTo, Removed, Added) = (zone, serialFrom, serialTo, removed, added);

    /// <summary>The zone's name.</summary>
    public DomainName Zone { get; }

    /// <summary>The serial of the version that it changes (RFC 1982).</summary>
    public uint SerialFrom { get; }

    /// <summary>The serial of the version that it makes; the same where the SOA stays.</summary>
    public uint SerialTo { get; }

    /// <summary>
    /// The records that go, the SOA among them where it changes. Their TTLs are 0 where who made the delta did not know them.
    /// </summary>
    public RecordList Removed { get; }

    /// <summary>The records that come, the SOA among them where it changes.</summary>
    public RecordList Added { get; }

    /// <summary>Whether nothing changes.</summary>
    public bool IsEmpty => Removed.Count == 0 && Added.Count == 0;
}
