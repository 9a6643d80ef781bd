namespace Dns.Replication.History;

/// <summary>
/// Applies the changes of a journal in blocks: each change alone would write the records of its names again, and a
/// large name may have any number of changes.
/// </summary>
/// <param name="zone">The version before the first change.</param>
internal sealed class DeltaReplay(Zone zone, ZoneLimits limits)
{
    private const long BlockBytes = 16 << 20;

    private int _applied;

    /// <summary>The version after the blocks that were applied.</summary>
    public Zone Zone { get; private set; } = zone;

    /// <summary>The changes of these blocks, oldest first.</summary>
    public List<ZoneDelta> Deltas { get; } = [];

    /// <summary>Applies consecutive changes; false with the reason if a block does not fit.</summary>
    /// <exception cref="IOException">The journal cannot be read.</exception>
    public bool TryApply(IEnumerable<ZoneDelta> changes, [NotNullWhen(false)] out string? error)
    {
        error = null;
        long bytes = 0;
        foreach (ZoneDelta delta in changes)
        {
            Deltas.Add(delta);
            bytes += delta.MemoryBytes;
            if (bytes < BlockBytes) continue;
            if (!TryApplyBlock(out error)) return false;
            bytes = 0;
        }
        return TryApplyBlock(out error);
    }

    private bool TryApplyBlock([NotNullWhen(false)] out string? error)
    {
        error = null;
        if (_applied == Deltas.Count) return true;
        ZoneDelta all = CondensedDelta.Of(Deltas[_applied..], long.MaxValue)!;
        if (!all.IsEmpty)
        {
            ZoneEditResult edited = ZoneEditor.From(Zone, limits).Apply(all);
            if (!edited.IsApplied)
            {
                Deltas.RemoveRange(_applied, Deltas.Count - _applied);
                error = edited.Error.Message;
                return false;
            }
            Zone = edited.Zone;
        }
        _applied = Deltas.Count;
        return true;
    }
}
