using Dns.Zones;

namespace Dns.Management;

/// <summary>With whom zones are exchanged at this moment. Implemented where the server is put together. Thread-safe.</summary>
internal interface IReplicationStatus
{
    /// <summary>Adds it to what is known of a zone.</summary>
    ZoneStatus AddTo(ZoneStatus status, ZoneSlot slot);
}
