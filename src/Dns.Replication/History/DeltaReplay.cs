namespace Dns.Replication.History;

/// <summary>
/// Applies the changes of a journal in blocks: each change alone would write the records of its names again, and a
/// large name may have any number of changes.
/// </summary>
/// <param name="zone">The version before the first change.</param>
/// <param name="maxDeltaBytes">Memory of the changes that are kept: of no more, one is of use to the history.</param>
internal sealed class DeltaReplay(Zone zone, ZoneLimits limits, long maxDeltaBytes)
{
    private readonly List<ZoneDelta> _block = [];
    private readonly Queue<ZoneDelta> _deltas = [];
    private long _deltaBytes;

    /// <summary>The version after the blocks that were applied.</summary>
    public Zone Zone { get; private set; } = zone;

    /// <summary>The changes of these blocks, oldest first; the last ones that the history may keep.</summary>
    public IReadOnlyList<ZoneDelta> Deltas => [.. _deltas];

    /// <summary>Applies consecutive changes; false with the reason if a block does not fit.</summary>
    /// <exception cref="IOException">The journal cannot be read.</exception>
    public bool TryApply(IEnumerable<ZoneDelta> changes, [NotNullWhen(false)] out ZoneEditError? error)
    {
        error = null;
        long bytes = 0;
        foreach (ZoneDelta delta in changes)
        {
            _block.Add(delta);
            bytes += delta.MemoryBytes;
            if (bytes < CondensedDelta.BlockBytes) continue;
            if (!TryApplyBlock(out error)) return false;
            bytes = 0;
        }
        return TryApplyBlock(out error);
    }

    private bool TryApplyBlock([NotNullWhen(false)] out ZoneEditError? error)
    {
        error = null;
        if (_block.Count == 0) return true;
        ZoneDelta all = _block.Count == 1 ? _block[0] : CondensedDelta.Of(_block, long.MaxValue)!;
        if (!all.IsEmpty)
        {
            ZoneEditResult edited = ZoneEditor.From(Zone, limits).Apply(all);
            if (!edited.IsApplied)
            {
                _block.Clear();
                error = edited.Error;
                return false;
            }
            Zone = edited.Zone;
        }
        foreach (ZoneDelta delta in _block) Keep(delta);
        _block.Clear();
        return true;
    }

    private void Keep(ZoneDelta delta)
    {
        _deltas.Enqueue(delta);
        _deltaBytes += delta.MemoryBytes;
        while (_deltaBytes > maxDeltaBytes && _deltas.TryDequeue(out ZoneDelta? oldest))
            _deltaBytes -= oldest.MemoryBytes;
    }
}
