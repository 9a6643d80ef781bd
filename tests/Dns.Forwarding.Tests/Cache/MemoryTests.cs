using Xunit;

namespace Dns.Forwarding.Tests;

/// <summary>
/// The reported size of the cache is its real size: it allocates on the storing thread, and frees nothing.
/// </summary>
public class MemoryTests
{
    [Theory]
    [InlineData(4, 1)]
    [InlineData(4, 30)]
    [InlineData(8, 3)]
    public void The_memory_that_is_allocated_is_what_the_cache_accounts_for(int megabytes, int addresses)
    {
        long limit = (long)megabytes << 20;
        AddressAnswers answers = new();
        long before = GC.GetAllocatedBytesForCurrentThread();
        using AnswerCache cache = new(new CacheOptions { MaxBytes = limit }, TimeProvider.System);
        long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        long rounds = limit / (64 + addresses * 16) * 2;
        for (int i = 0; i < rounds; i++) allocated += answers.Store(cache, $"n{i}.example.", addresses);
        long accounted = cache.Counters.Bytes;
        Assert.True(cache.Counters.Evicted > 0);
        Assert.InRange(accounted, limit * 0.95, limit);
        Assert.InRange(allocated, accounted * 0.9, accounted * 1.1);
        long later = 0;
        for (int i = 0; i < rounds; i++) later += answers.Store(cache, $"m{i}.example.", addresses);
        // Segments of the last twentieth may come now.
        Assert.InRange(allocated + later, accounted * 0.9, limit * 1.1);
    }
}
