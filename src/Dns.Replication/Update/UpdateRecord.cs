using Dns.Protocol;

namespace Dns.Replication;

/// <summary>A record of the prerequisite or the update section of an UPDATE message (RFC 2136 §2.4, §2.5).</summary>
/// <param name="Owner">Its owner, in the zone.</param>
/// <param name="Type">Its type; ANY stands for all.</param>
/// <param name="Class">IN, ANY or NONE: what is meant by it.</param>
/// <param name="Ttl">TTL in seconds, at most 2^31-1.</param>
/// <param name="Rdata">Its RDATA, uncompressed and valid for the type; empty where the class does not ask for any.</param>
public sealed record UpdateRecord(DomainName Owner, RRType Type, RRClass Class, uint Ttl, byte[] Rdata);
