using Dns.Zones;

namespace Dns.Answering;

/// <summary>Counts answers: each thread in a tally of its own, added up when someone asks.</summary>
public sealed class AnswerCounters
{
    /// <summary>As many zones are counted one by one where nothing else is said.</summary>
    public const int UsualZones = 1000;

    private readonly AnswerTally?[] _tallies = new AnswerTally?[ThreadStripe.Count];
    private readonly ZoneCounterSlots? _slots;
    private readonly long[] _others = new long[ZoneTally.Columns];
    private readonly Dictionary<int, long[]> _counted = [];
    private long _snapshot;

    /// <summary>Counters of zones too, each of which only one instance counts.</summary>
    /// <param name="mostZones">The most zones that are counted one by one.</param>
    public AnswerCounters(int mostZones = UsualZones)
        : this(new ZoneCounterSlots(mostZones))
    {
    }

    private AnswerCounters(ZoneCounterSlots? slots) => _slots = slots;

    /// <summary>Counters that leave zones out.</summary>
    public static AnswerCounters WithoutZones() => new(slots: null);

    /// <summary>The sum over all threads at about this moment.</summary>
    public AnswerTally Read()
    {
        AnswerTally sum = new();
        foreach (AnswerTally? tally in _tallies)
            if (tally is not null) sum.Add(tally);
        return sum;
    }

    /// <summary>
    /// The sums by zone. What was counted for a zone that is not served any more goes on as <c>other</c>, and its slot is given to
    /// the next zone. One caller at a time.
    /// </summary>
    /// <param name="served">The zones served at the moment.</param>
    public IReadOnlyList<ZoneAnswers> ReadZones(ZoneSet served)
    {
        if (_slots is null) return [];
        if (_snapshot != served.Snapshot) ReleaseAllBut(served, _slots);
        _snapshot = served.Snapshot;
        long[] others = SumOf(ZoneCounterSlots.Others);
        for (int i = 0; i < others.Length; i++) others[i] += _others[i];
        List<ZoneAnswers> zones =
        [
            new("none", SumOf(ZoneCounterSlots.None)), new("forwarded", SumOf(ZoneCounterSlots.Forwarded)), new("other", others),
        ];
        for (int slot = ZoneCounterSlots.First; slot < _slots.Count; slot++)
            if (_slots.OwnerOf(slot) is { } zoneSlot) zones.Add(new ZoneAnswers(zoneSlot.Name.ToString(), SumOf(slot)));
        return zones;
    }

    /// <summary>The tally of a thread.</summary>
    internal AnswerTally Of(Worker worker) => _tallies[worker.Stripe] ?? Make(worker.Stripe);

    private AnswerTally Make(int stripe)
    {
        ref AnswerTally? place = ref _tallies[stripe];
        AnswerTally made = new(_slots is null ? null : new ZoneTally(_slots));
        return Interlocked.CompareExchange(ref place, made, null) ?? made;
    }

    private void ReleaseAllBut(ZoneSet served, ZoneCounterSlots slots)
    {
        bool isAnyFree = false;
        for (int slot = ZoneCounterSlots.First; slot < slots.Count; slot++)
        {
            if (slots.OwnerOf(slot) is not { } zoneSlot || ReferenceEquals(served.FindExact(zoneSlot.Name), zoneSlot)) continue;
            long[] sum = SumOf(slot), counted = _counted.TryGetValue(slot, out long[]? before) ? before : new long[sum.Length];
            for (int i = 0; i < sum.Length; i++) (_others[i], counted[i]) = (_others[i] + sum[i], counted[i] + sum[i]);
            _counted[slot] = counted;
            slots.Release(slot);
            isAnyFree = true;
        }
        if (!isAnyFree) return;
        foreach (ZoneSlot zoneSlot in served.Slots) zoneSlot.TrySetCounterSlot(0, ZoneCounterSlots.Others);
    }

    /// <summary>What was counted in a slot since its zone has it.</summary>
    private long[] SumOf(int slot)
    {
        long[] sum = new long[ZoneTally.Columns];
        foreach (AnswerTally? tally in _tallies)
            if (tally?.Zones is { } zones)
                for (int i = 0; i < sum.Length; i++) sum[i] += zones.Read(slot, i);
        if (_counted.TryGetValue(slot, out long[]? before))
            for (int i = 0; i < sum.Length; i++) sum[i] -= before[i];
        return sum;
    }
}
