namespace Dns.Dnssec.Policies;

/// <summary>A <see cref="KeySlot"/> by the ids of its keys.</summary>
/// <param name="Zsks">Its ZSKs in the order in which they sign.</param>
/// <param name="Ksks">Its KSKs, all of which sign it.</param>
public sealed record SlotKeys(DateTimeOffset Start, DateTimeOffset End, IReadOnlyList<KeyId> Zsks,
    KeyIds Ksks, KeyIds Cds)
{
    /// <summary>All keys.</summary>
    public KeyIds Keys => Ksks.With(Zsks);

    /// <summary>Converts a slot.</summary>
    public static SlotKeys Of(KeySlot slot) => new(
        slot.Start, slot.End, [.. slot.Zsks.Select(KeySlot.IdOf)], KeyIds.Of(slot.Ksks.Select(KeySlot.IdOf)),
        slot.CdsKeys);
}
