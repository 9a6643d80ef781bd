namespace Dns.Zones.Sources;

/// <summary>The effect of a change of claims.</summary>
/// <param name="Added">Slots that are newly served.</param>
/// <param name="Removed">Slots that are no longer served.</param>
/// <param name="Conflicts">New conflicts between claims.</param>
public sealed record ZoneRegistryChange(
    IReadOnlyList<ZoneSlot> Added, IReadOnlyList<ZoneSlot> Removed, IReadOnlyList<ZoneConflict> Conflicts);
