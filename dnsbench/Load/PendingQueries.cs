using System.Diagnostics;

namespace Dns.Bench;

/// <summary>The queries in flight of one client: a ring by ID.</summary>
internal sealed class PendingQueries
{
    private struct Entry
    {
        internal long SentAt;
        internal int Query;
        internal ushort Id;
        internal bool IsPending;
        internal bool IsHeeded;
    }

    private readonly Entry[] _ring;
    private int _sequence;

    /// <param name="capacity">A power of two, at most 32,768.</param>
    internal PendingQueries(int capacity) => _ring = new Entry[capacity];

    internal int Count { get; private set; }

    /// <summary>Takes the next ID. A query that still has it is lost.</summary>
    internal ushort Add(QuerySet queries, int query, long sentAt, LoadResult result)
    {
        ushort id = (ushort)_sequence++;
        ref Entry entry = ref _ring[id & (_ring.Length - 1)];
        if (entry.IsPending) GiveUp(ref entry, result);
        Count++;
        bool isHeeded = queries.Expectation(query) != Expectation.Unheeded;
        entry = new Entry { SentAt = sentAt, Query = query, Id = id, IsPending = true, IsHeeded = isHeeded };
        return id;
    }

    /// <summary>Takes an answer: counts it, checks it, and notes how long it took.</summary>
    internal void Take(ReadOnlySpan<byte> answer, QuerySet queries, long now, LoadResult result)
    {
        int id = answer.Length < 2 ? -1 : answer[0] << 8 | answer[1];
        ref Entry entry = ref _ring[Math.Max(id, 0) & (_ring.Length - 1)];
        if (!entry.IsPending || entry.Id != id)
        {
            result.Stray++;
            return;
        }
        entry.IsPending = false;
        Count--;
        if (!entry.IsHeeded) return;
        result.Answered++;
        result.Latency.Add((long)((now - entry.SentAt) * (1e9 / Stopwatch.Frequency)));
        if (!queries.IsExpected(entry.Query, answer)) result.Wrong++;
    }

    /// <summary>Gives up queries sent before a moment.</summary>
    internal void GiveUp(long sentBefore, LoadResult result)
    {
        for (int i = 0; i < _ring.Length && Count > 0; i++)
        {
            ref Entry entry = ref _ring[i];
            if (entry.IsPending && entry.SentAt < sentBefore) GiveUp(ref entry, result);
        }
    }

    private void GiveUp(ref Entry entry, LoadResult result)
    {
        entry.IsPending = false;
        Count--;
        if (entry.IsHeeded) result.Lost++;
    }
}
