namespace Dns.Answering.Counting;

/// <summary>Counters of answers, sharded by thread and summed when read.</summary>
public sealed class AnswerCounters
{
    /// <summary>The default number of zones with counters of their own.</summary>
    public const int UsualZones = 1000;

    private readonly AnswerCounts?[] _shards = new AnswerCounts?[CounterShard.Count];
    private readonly ZoneCounterSlots? _slots;
    private readonly long[] _others = new long[ZoneCounts.Columns];
    private readonly Dictionary<int, long[]> _counted = [];
    private long _snapshot;

    /// <summary>Counters that include zones; each zone is counted by one instance only.</summary>
    public AnswerCounters(int mostZones = UsualZones)
        : this(new ZoneCounterSlots(mostZones))
    {
    }

    private AnswerCounters(ZoneCounterSlots? slots) => _slots = slots;

    /// <summary>Counters without zones.</summary>
    public static AnswerCounters WithoutZones() => new(slots: null);

    /// <summary>The sum over all threads.</summary>
    public AnswerCounts Read()
    {
        AnswerCounts sum = new();
        foreach (AnswerCounts? counts in _shards)
            if (counts is not null) sum.Add(counts);
        return sum;
    }

    /// <summary>
    /// Sums by zone; zones no longer served move to <c>other</c>, and their slots are reused. Not thread-safe.
    /// </summary>
    public IReadOnlyList<ZoneAnswers> ReadZones(ZoneSet served)
    {
        if (_slots is null) return [];
        if (_snapshot != served.Snapshot) ReleaseAllBut(served, _slots);
        _snapshot = served.Snapshot;
        long[] others = SumOf(ZoneCounterSlots.Others);
        for (int i = 0; i < others.Length; i++) others[i] += _others[i];
        List<ZoneAnswers> zones =
        [
            new("none", SumOf(ZoneCounterSlots.None)), new("forwarded", SumOf(ZoneCounterSlots.Forwarded)),
            new("other", others),
        ];
        for (int slot = ZoneCounterSlots.First; slot < _slots.Count; slot++)
            if (_slots.OwnerOf(slot) is { } zoneSlot) zones.Add(new ZoneAnswers(zoneSlot.Name.ToString(), SumOf(slot)));
        return zones;
    }

    internal AnswerCounts Of(Worker worker) => _shards[worker.Shard] ?? Make(worker.Shard);

    private AnswerCounts Make(int shard)
    {
        ref AnswerCounts? slot = ref _shards[shard];
        AnswerCounts made = new(_slots is null ? null : new ZoneCounts(_slots));
        return Interlocked.CompareExchange(ref slot, made, null) ?? made;
    }

    private void ReleaseAllBut(ZoneSet served, ZoneCounterSlots slots)
    {
        bool isAnyFree = false;
        for (int slot = ZoneCounterSlots.First; slot < slots.Count; slot++)
        {
            if (slots.OwnerOf(slot) is not { } zoneSlot || ReferenceEquals(served.FindExact(zoneSlot.Name), zoneSlot))
                continue;
            long[] sum = SumOf(slot),
                counted = _counted.TryGetValue(slot, out long[]? before) ? before : new long[sum.Length];
            for (int i = 0; i < sum.Length; i++) (_others[i], counted[i]) = (_others[i] + sum[i], counted[i] + sum[i]);
            _counted[slot] = counted;
            slots.Release(slot);
            isAnyFree = true;
        }
        if (!isAnyFree) return;
        foreach (ZoneSlot zoneSlot in served.Slots) zoneSlot.TrySetCounterSlot(0, ZoneCounterSlots.Others);
    }

    /// <summary>The counts of a slot since its current zone got it.</summary>
    private long[] SumOf(int slot)
    {
        long[] sum = new long[ZoneCounts.Columns];
        foreach (AnswerCounts? counts in _shards)
            if (counts?.Zones is { } zones)
                for (int i = 0; i < sum.Length; i++) sum[i] += zones.Read(slot, i);
        if (_counted.TryGetValue(slot, out long[]? before))
            for (int i = 0; i < sum.Length; i++) sum[i] -= before[i];
        return sum;
    }
}
