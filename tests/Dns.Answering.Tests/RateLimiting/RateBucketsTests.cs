using Xunit;

namespace Dns.Answering.Tests;

public class RateBucketsTests
{
    [Fact]
    public void A_bucket_gives_its_rate_each_second_and_never_more()
    {
        RateBuckets buckets = new(1000);
        foreach (uint second in new uint[] { 0, 1, 2, 7, 1000 })
            Assert.Equal(5, Taken(buckets, 42, second, 20, rate: 5));
    }

    [Fact]
    public void Tokens_that_are_left_do_not_add_up_beyond_the_rate()
    {
        RateBuckets buckets = new(1000);
        Assert.Equal(1, Taken(buckets, 42, 0, 1, rate: 5));
        Assert.Equal(5, Taken(buckets, 42, 1, 20, rate: 5));
    }

    [Theory]
    [InlineData(0, "......")]
    [InlineData(1, "TTTTTT")]
    [InlineData(2, ".T.T.T")]
    [InlineData(3, "..T..T")]
    [InlineData(10, "......")]
    public void The_slip_counts_refusals_across_seconds(int slip, string expected)
    {
        RateBuckets buckets = new(1000);
        string outcome = "";
        for (uint second = 0; second < 3; second++)
        {
            Assert.True(buckets.TryTake(42, 1, second, slip, out bool slips) && !slips);
            for (int i = 0; i < 2; i++)
            {
                Assert.False(buckets.TryTake(42, 1, second, slip, out slips));
                outcome += slips ? 'T' : '.';
            }
        }
        Assert.Equal(expected, outcome);
    }

    [Fact]
    public void Different_hashes_have_different_buckets()
    {
        RateBuckets buckets = new(100_000);
        Random random = new(1);
        for (int i = 0; i < 20_000; i++)
            Assert.True(buckets.TryTake((ulong)random.NextInt64(), 1, 1, 0, out _), $"hash {i} shares a bucket");
    }

    [Fact]
    public void The_table_never_grows_and_a_flood_does_not_wash_out_a_bucket_that_is_empty()
    {
        RateBuckets buckets = new(1000);
        long bytes = buckets.MemoryBytes;
        Random random = new(1);
        Assert.Equal(5, Taken(buckets, 42, 1, 20, rate: 5));
        int leaked = 0;
        for (int i = 0; i < 1_000_000; i++)
        {
            buckets.TryTake((ulong)random.NextInt64(), 5, 1, 0, out _);
            if (i % 1000 == 0 && buckets.TryTake(42, 5, 1, 0, out _)) leaked++;
        }
        Assert.Equal(0, leaked);
        Assert.Equal(bytes, buckets.MemoryBytes);
    }

    [Fact]
    public void The_seconds_wrap_around()
    {
        RateBuckets buckets = new(1000);
        for (uint second = (1 << 18) - 3; second < (1 << 18) + 3; second++)
            Assert.Equal(5, Taken(buckets, 42, second, 20, rate: 5));
        Assert.Equal(5, Taken(buckets, 42, uint.MaxValue, 20, rate: 5));
        Assert.Equal(5, Taken(buckets, 42, 0, 20, rate: 5));
    }

    [Fact]
    public void A_thread_that_is_a_moment_behind_gives_nothing_back()
    {
        RateBuckets buckets = new(1000);
        Assert.Equal(5, Taken(buckets, 42, 11, 20, rate: 5));
        Assert.Equal(0, Taken(buckets, 42, 10, 20, rate: 5));
    }

    [Fact]
    public void Threads_together_take_no_more_than_the_rate()
    {
        RateBuckets buckets = new(1000);
        const int rate = 20_000, threads = 4;
        int taken = 0;
        Thread[] all = [.. Enumerable.Range(0, threads).Select(_ => new Thread(() =>
        {
            int mine = 0;
            for (int i = 0; i < rate; i++)
                if (buckets.TryTake(42, rate, 1, 2, out bool _)) mine++;
            Interlocked.Add(ref taken, mine);
        }))];
        Array.ForEach(all, thread => thread.Start());
        Array.ForEach(all, thread => thread.Join());
        Assert.Equal(rate, taken);
    }

    private static int Taken(RateBuckets buckets, ulong hash, uint second, int attempts, int rate)
    {
        int taken = 0;
        for (int i = 0; i < attempts; i++)
            if (buckets.TryTake(hash, rate, second, 2, out _)) taken++;
        return taken;
    }
}
