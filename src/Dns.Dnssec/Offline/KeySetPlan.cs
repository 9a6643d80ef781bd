namespace Dns.Dnssec.Offline;

/// <summary>Plans the ZSKs of future DNSKEY RRsets: by their lifetime, and without a gap in the signatures.</summary>
internal sealed class KeySetPlan(DnssecPolicy policy, TimeSpan dnskeyTtl, TimeSpan longestTtl)
{
    // The time to sign a large zone with another key.
    private static readonly TimeSpan Signing = TimeSpan.FromHours(1);

    private readonly List<Entry> _entries = [];

    /// <summary>How long a key is published before it signs.</summary>
    internal TimeSpan Lead => dnskeyTtl + policy.PropagationDelay + policy.RetireSafety;

    private TimeSpan Tail => longestTtl + policy.PropagationDelay + policy.RetireSafety + Signing;

    /// <summary>Adds a key published before the first slot, active since <paramref name="since"/>.</summary>
    internal void Add(Dnskey key, DateTimeOffset since)
    {
        if (_entries.Count > 0) _entries[^1].Remove = since + Tail;
        _entries.Add(new Entry(key, DateTimeOffset.MinValue, since));
    }

    /// <summary>Makes the slots; null if there are more than <see cref="KeySets.MaxSlots"/>.</summary>
    /// <param name="from">The start of the first one.</param>
    /// <param name="until">The latest start of the last one.</param>
    /// <param name="makeKey">Makes a ZSK; not called if there are too many slots.</param>
    /// <param name="replacesZsk">Whether the first slot publishes the next ZSK, whatever the age of the others.</param>
    internal List<KeySlot>? Make(
        DateTimeOffset from, DateTimeOffset until, Func<Dnskey> makeKey, bool replacesZsk = false)
    {
        if (policy.ZskLifetime != TimeSpan.Zero && (until - from) / policy.ZskLifetime > KeySets.MaxSlots) return null;
        if (_entries.Count == 0) _entries.Add(new Entry(null, DateTimeOffset.MinValue, from));
        else if (replacesZsk) Replace(from);
        while (policy.ZskLifetime != TimeSpan.Zero)
        {
            Entry last = _entries[^1];
            DateTimeOffset begin = last.Activate + policy.ZskLifetime;
            if (begin < from + Lead) begin = from + Lead;
            if (begin - Lead >= until) break;
            last.Remove = begin + Tail;
            _entries.Add(new Entry(null, begin - Lead, begin));
        }
        DateTimeOffset[] starts = [.. StartsOf(from, until).Take(KeySets.MaxSlots + 1)];
        if (starts.Length > KeySets.MaxSlots) return null;
        foreach (Entry entry in _entries) entry.Key ??= makeKey();
        return [.. starts.Select(SlotAt)];
    }

    /// <summary>Replaces all known keys as soon as caches know the next one.</summary>
    private void Replace(DateTimeOffset from)
    {
        DateTimeOffset begin = from + Lead, end = begin + Tail;
        // One that was to be replaced by then has left; one that a key not active yet was to replace signs until then.
        foreach (Entry entry in _entries)
            if (entry.Remove > begin) entry.Remove = end;
        _entries.Add(new Entry(null, from, begin));
    }

    private KeySlot SlotAt(DateTimeOffset start) => new(start, (uint)dnskeyTtl.TotalSeconds)
    {
        Keys = [.. _entries.Where(entry => entry.IsAt(start)).Select(entry => entry.Key!)],
    };

    /// <summary>Every moment at which the keys change, and more, to replace signatures before they expire.</summary>
    private IEnumerable<DateTimeOffset> StartsOf(DateTimeOffset from, DateTimeOffset until)
    {
        SortedSet<DateTimeOffset> changes = [from];
        // The slot for CDS of a KSK that is new in the first one: whether there is one, only the signer knows.
        if (from + Lead < until) changes.Add(from + Lead);
        foreach (Entry entry in _entries)
            foreach (DateTimeOffset at in (DateTimeOffset[])[entry.Publish, entry.Remove])
                if (at > from && at < until) changes.Add(at);
        DateTimeOffset[] starts = [.. changes];
        TimeSpan step = policy.SignatureLifetime - policy.Refresh;
        for (int i = 0; i < starts.Length; i++)
        {
            DateTimeOffset end = i + 1 < starts.Length ? starts[i + 1] : until;
            for (DateTimeOffset at = starts[i]; at < end; at += step) yield return at;
        }
    }

    private sealed class Entry(Dnskey? key, DateTimeOffset publish, DateTimeOffset activate)
    {
        /// <summary>The key; null until it is made.</summary>
        internal Dnskey? Key { get; set; } = key;

        internal DateTimeOffset Publish => publish;

        internal DateTimeOffset Activate => activate;

        internal DateTimeOffset Remove { get; set; } = DateTimeOffset.MaxValue;

        internal bool IsAt(DateTimeOffset at) => Publish <= at && at < Remove;
    }
}
