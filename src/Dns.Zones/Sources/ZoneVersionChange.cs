namespace Dns.Zones;

/// <summary>A version of a zone that was published.</summary>
/// <param name="Before">The version that queries were answered from until then; null if there was none.</param>
/// <param name="Now">The version that they are answered from.</param>
/// <param name="Delta">What makes the one of the other; null where that is not known.</param>
public readonly record struct ZoneVersionChange(Zone? Before, Zone Now, ZoneDelta? Delta);
