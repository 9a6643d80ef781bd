using Dns.Zones;

namespace Dns.Management;

/// <summary>The current replication policies of zones, implemented by the server's composition. Thread-safe.</summary>
internal interface IReplicationStatus
{
    /// <summary>Adds them to the status of a zone.</summary>
    ZoneStatus AddTo(ZoneStatus status, ZoneSlot slot);
}
