using Xunit;

namespace Dns.Forwarding.Tests;

/// <summary>The cache is bounded in bytes, and popular answers stay.</summary>
public class EvictionTests
{
    private readonly AddressAnswers _answers = new();

    [Fact]
    public void Popular_names_stay_while_a_flood_passes()
    {
        using AnswerCache cache = new(new CacheOptions { MaxBytes = 1 << 20 }, _answers.Clock);
        for (int round = 0; round < 3; round++)
            for (int i = 0; i < 500; i++) _answers.AskOrStore(cache, $"popular{i}.example.");
        int lost = 0;
        for (int i = 0; i < 100_000; i++)
        {
            _answers.Store(cache, $"flood{i}.victim.example.");
            if (i % 100 == 0 && !_answers.AskOrStore(cache, $"popular{i / 100 % 500}.example.")) lost++;
        }
        Assert.InRange(cache.Counters.Evicted, 80_000, 100_000);
        Assert.InRange(lost, 0, 5);
    }

    [Fact]
    public void Under_a_flood_more_is_hit_than_with_least_recently_used()
    {
        using AnswerCache cache = new(new CacheOptions { MaxBytes = 1 << 20 }, _answers.Clock);
        double[] sums = new double[50_000];
        double sum = 0;
        for (int i = 0; i < sums.Length; i++) sums[i] = sum += 1 / Math.Pow(i + 1, 0.95);
        int Hits(Func<string, bool> askOrStore)
        {
            Random random = new(20260101);
            int hits = 0;
            for (int i = 0; i < 400_000; i++)
            {
                bool isFlood = random.Next(2) == 0;
                int found = isFlood ? 0 : Array.BinarySearch(sums, random.NextDouble() * sum);
                bool isHit =
                    askOrStore(isFlood ? $"f{i}.victim.example." : $"n{(found < 0 ? ~found : found)}.example.");
                if (isHit && i >= 100_000) hits++;
            }
            return hits;
        }
        int ours = Hits(name => _answers.AskOrStore(cache, name));
        // As many entries as ours holds, for nothing: a real one would need more memory for each.
        long capacity = cache.Counters.Entries;
        Dictionary<string, LinkedListNode<string>> nodes = [];
        LinkedList<string> order = new();
        int theirs = Hits(name =>
        {
            bool isHit = nodes.TryGetValue(name, out LinkedListNode<string>? node);
            if (isHit) order.Remove(node!);
            else if (nodes.Count == capacity)
            {
                nodes.Remove(order.Last!.Value);
                order.RemoveLast();
            }
            nodes[name] = order.AddFirst(name);
            return isHit;
        });
        Assert.True(ours > theirs * 1.1, $"{ours} hits of ours, {theirs} of theirs, {capacity} entries");
    }

    [Fact]
    public void What_was_asked_for_once_long_ago_leaves_the_main_queue_after_one_round()
    {
        using AnswerCache cache = new(new CacheOptions { MaxBytes = 1 << 20 }, _answers.Clock);
        _answers.Store(cache, "old.example.");
        Assert.True(_answers.Ask(cache, "old.example."));
        Flood(0, 3_000);
        // It is in the main queue by now; this is its one hit there.
        Assert.True(_answers.Ask(cache, "old.example."));
        Flood(3_000, 60_000);
        Assert.False(_answers.Ask(cache, "old.example."));

        void Flood(int from, int to)
        {
            for (int i = from; i < to; i++)
            {
                _answers.Store(cache, $"n{i}.example.");
                _answers.Ask(cache, $"n{i}.example.");
            }
        }
    }

    [Fact]
    public void A_cache_that_is_not_full_keeps_everything()
    {
        using AnswerCache cache = new(new CacheOptions { MaxBytes = 1 << 20 }, _answers.Clock);
        for (int i = 0; i < 7_000; i++) _answers.Store(cache, $"n{i}.example.");
        Assert.Equal(0, cache.Counters.Evicted);
        for (int i = 0; i < 7_000; i++) Assert.True(_answers.Ask(cache, $"n{i}.example."));
    }

    [Fact]
    public void Expired_entries_leave_before_fresh_ones()
    {
        using AnswerCache cache =
            new(new CacheOptions { MaxBytes = 1 << 20, ServeStale = TimeSpan.Zero }, _answers.Clock);
        for (int i = 0; i < 30_000; i++) _answers.Store(cache, $"old{i}.example.");
        long evicted = cache.Counters.Evicted;
        _answers.Clock.Advance(TimeSpan.FromSeconds(100_000));
        for (int i = 0; i < 7_000; i++) _answers.Store(cache, $"n{i}.example.");
        int found = 0;
        for (int i = 0; i < 7_000; i++) found += _answers.Ask(cache, $"n{i}.example.") ? 1 : 0;
        Assert.InRange(found, 6_800, 7_000);
        // Expired and evicted entries are counted separately.
        Assert.Equal(7_000 - found, cache.Counters.Evicted - evicted);
    }

    [Fact]
    public void Expired_answers_that_were_asked_for_do_not_give_way_to_names_asked_for_once()
    {
        using AnswerCache cache = new(new CacheOptions { MaxBytes = 1 << 20 }, _answers.Clock);
        for (int i = 0; i < 12_000; i++)
        {
            _answers.Store(cache, $"n{i}.example.");
            _answers.Ask(cache, $"n{i}.example.");
        }
        // All that stay are in the main queue from here on, each with hits.
        for (int i = 0; i < 3_000; i++) _answers.Store(cache, $"first{i}.victim.example.");
        string[] kept =
            [.. Enumerable.Range(0, 12_000).Select(i => $"n{i}.example.").Where(name => _answers.Ask(cache, name))];
        Assert.InRange(kept.Length, 3_000, 12_000);
        _answers.Clock.Advance(TimeSpan.FromSeconds(100_000));
        for (int i = 0; i < 20_000; i++) _answers.Store(cache, $"flood{i}.victim.example.");
        Assert.Equal(kept.Length, kept.Count(name => _answers.AskStale(cache, name)));
    }

    [Fact]
    public void Memory_is_taken_as_it_is_needed()
    {
        using AnswerCache cache = new(new CacheOptions { MaxBytes = 256 << 20 }, _answers.Clock);
        _answers.Store(cache, "a.example.");
        Assert.InRange(cache.Counters.Bytes, 0, 40 << 20);
    }

    [Fact]
    public void Long_and_short_answers_share_the_cache()
    {
        using AnswerCache cache = new(new CacheOptions { MaxBytes = 1 << 20 }, _answers.Clock);
        Random random = new(1);
        for (int i = 0; i < 20_000; i++)
            _answers.Store(cache, $"n{i}.example.", random.Next(10) == 0 ? random.Next(1, 900) : 1);
        // The last stored entry is found, whatever its length.
        for (int i = 0; i < 20; i++)
        {
            _answers.Store(cache, $"last{i}.example.", i * 40);
            if (i > 0) Assert.True(_answers.Ask(cache, $"last{i}.example."));
        }
        Assert.InRange(cache.Counters.Entries, 100, 10_000);
    }

    [Fact]
    public void An_answer_longer_than_a_segment_is_not_kept()
    {
        using AnswerCache cache = new(new CacheOptions { MaxBytes = 1 << 20 }, _answers.Clock);
        _answers.Store(cache, "a.example.", 4_000);
        Assert.False(_answers.Ask(cache, "a.example."));
        using AnswerCache large = new(new CacheOptions { MaxBytes = 64 << 20 }, _answers.Clock);
        _answers.Store(large, "a.example.", 3_600);
        Assert.True(_answers.Ask(large, "a.example."));
    }
}
