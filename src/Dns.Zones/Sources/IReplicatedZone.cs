namespace Dns.Zones.Sources;

/// <summary>The slot of a zone whose data comes from other servers. Thread-safe.</summary>
public interface IReplicatedZone
{
    /// <summary>Its status.</summary>
    ZoneReplica Replica { get; }

    /// <summary>The primary named first; null if it has none. Zones of one share its turns of slow work.</summary>
    IPEndPoint? MainPrimary { get; }

    /// <summary>Expiry in seconds since 1970; 0 = never. For EXPIRE (RFC 7314 §3.2).</summary>
    long ExpiresAt { get; }
}
