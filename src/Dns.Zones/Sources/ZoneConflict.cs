namespace Dns.Zones.Sources;

/// <summary>Two claims on one name.</summary>
/// <param name="Winner">The served one.</param>
/// <param name="Loser">The one that waits until the other is withdrawn.</param>
public readonly record struct ZoneConflict(ZoneSlot Winner, ZoneSlot Loser)
{
    /// <inheritdoc/>
    public override string ToString() =>
        $"zone {Winner.Name} comes from {OriginOf(Winner)}; that of {OriginOf(Loser)} is not served as long as it does";

    private static string OriginOf(ZoneSlot slot) => slot.Source?.OriginOf(slot).ToString() ?? "nowhere";
}
