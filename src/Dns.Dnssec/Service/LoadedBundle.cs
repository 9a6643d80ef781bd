namespace Dns.Dnssec.Service;

/// <summary>
/// The bundle of a zone with an offline KSK: key sets with their signatures. Belongs to the thread that works on the
/// zone.
/// </summary>
internal sealed class LoadedBundle(ZoneSlot slot, ZoneSigning owner)
{
    private static readonly TimeSpan WarnEvery = TimeSpan.FromDays(1);

    private string? _loadFault;

    /// <summary>The key sets; null = none.</summary>
    internal KeySets? Sets { get; private set; }

    /// <summary>The keys of the slots.</summary>
    internal IReadOnlyList<SlotKeys> Slots { get; private set; } = [];

    /// <summary>What is missing, as text; null if complete.</summary>
    internal string? Fault { get; private set; }

    /// <summary>When the next warning about its end is due.</summary>
    internal DateTimeOffset? WarnDue { get; private set; }

    /// <summary>When the last signature expires; null = no bundle.</summary>
    internal DateTimeOffset? End => Sets is { Slots.Count: > 0 } ? Sets.End : null;

    internal void Load()
    {
        try
        {
            Use(owner.Keys.LoadBundle(slot.Name));
        }
        catch (IOException error)
        {
            // The version served before has the signatures of its slot.
            _loadFault = error.Message;
        }
    }

    internal void Use(KeySets? bundle)
    {
        (Sets, _loadFault, WarnDue) = (bundle, null, null);
        Slots = [.. (bundle?.Slots ?? []).Select(SlotKeys.Of)];
    }

    /// <summary>Warns again when due, since the clock was set.</summary>
    internal void Reset() => WarnDue = null;

    /// <summary>Notes what is missing after a step, and reports when the last signatures will expire.</summary>
    internal void Check(KeyStep step)
    {
        Fault = step.Fault is null ? null : _loadFault ?? KeyText.Of(step.Fault);
        if (Sets is not { Slots.Count: > 0 } bundle || !step.Keys.Policy!.OfflineKsk || !step.Plan.IsSigned) return;
        WarnDue ??= bundle.WarnFrom;
        if (owner.Now < WarnDue) return;
        WarnDue = owner.Now + WarnEvery;
        owner.Observer.OnBundleEnding(slot.Name, bundle.End);
    }

    /// <summary>A plan's slot; if the bundle is lost, that of the version served now or before the start.</summary>
    internal KeySlot SlotOf(DateTimeOffset start, KeyPlan plan, Zone? signed)
    {
        if (Sets?.Slots.FirstOrDefault(slot => slot.Start == start) is { } found) return found;
        if (signed is not null && KeySlot.Of(signed, start) is { Signatures.Count: > 0 } served
            && KeyIds.Of(served.Keys.Select(KeySlot.IdOf)).Equals(plan.Published)) return served;
        throw new SigningFailedException(
            _loadFault ?? $"the bundle has no slot {start:u} any more: expected it back from a copy");
    }
}
