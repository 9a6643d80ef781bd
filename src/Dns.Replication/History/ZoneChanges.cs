using Dns.Zones;

namespace Dns.Replication;

/// <summary>What leads from one version of a zone to another.</summary>
/// <param name="Deltas">The changes in their order, one at least; each starts from the serial at which the one before ends.</param>
/// <param name="Octets">About how many octets they take in a transfer.</param>
/// <param name="ZoneOctets">About how many the whole zone takes.</param>
public sealed record ZoneChanges(IReadOnlyList<ZoneDelta> Deltas, long Octets, long ZoneOctets);
