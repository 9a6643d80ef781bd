namespace Dns.Zones.Sources;

/// <summary>A published version of a zone.</summary>
/// <param name="Before">The version served before; null if none.</param>
/// <param name="Now">The version served now.</param>
/// <param name="Delta">The delta between them; null if unknown.</param>
public readonly record struct ZoneVersionChange(Zone? Before, Zone Now, ZoneDelta? Delta);
