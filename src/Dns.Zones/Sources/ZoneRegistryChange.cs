namespace Dns.Zones;

/// <summary>What a change of claims has come to.</summary>
/// <param name="Added">Slots that are served now, and were not.</param>
/// <param name="Removed">Slots that were served, and are not now.</param>
/// <param name="Conflicts">Claims that have to wait for another, or made another wait, since this change.</param>
public sealed record ZoneRegistryChange(
    IReadOnlyList<ZoneSlot> Added, IReadOnlyList<ZoneSlot> Removed, IReadOnlyList<ZoneConflict> Conflicts);
