namespace Dns.Replication.Update;

/// <summary>A record of the prerequisite or the update section of an UPDATE message (RFC 2136 §2.4, §2.5).</summary>
/// <param name="Owner">Its owner, in the zone.</param>
/// <param name="Type">Its type; ANY for all.</param>
/// <param name="Class">IN, ANY or NONE, which selects the operation.</param>
/// <param name="Ttl">TTL in seconds, at most 2^31-1.</param>
/// <param name="Rdata">Valid uncompressed RDATA; empty if the class needs none.</param>
public sealed record UpdateRecord(DomainName Owner, RRType Type, RRClass Class, uint Ttl, byte[] Rdata);
