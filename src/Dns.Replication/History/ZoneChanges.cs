namespace Dns.Replication.History;

/// <summary>The deltas from one version of a zone to another.</summary>
/// <param name="Deltas">Consecutive deltas, at least one.</param>
/// <param name="Octets">Their approximate length in a transfer.</param>
/// <param name="ZoneOctets">The approximate length of the whole zone.</param>
public sealed record ZoneChanges(IReadOnlyList<ZoneDelta> Deltas, long Octets, long ZoneOctets);
