namespace Dns.Management.Status;

/// <summary>The current replication policies of zones, implemented by the server's composition. Thread-safe.</summary>
internal interface IReplicationStatus
{
    ZoneStatus AddTo(ZoneStatus status, ZoneSlot slot);
}
