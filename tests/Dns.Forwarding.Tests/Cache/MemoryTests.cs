using Xunit;

namespace Dns.Forwarding.Tests;

/// <summary>Nothing else may run, and allocate, beside these tests.</summary>
[CollectionDefinition("memory", DisableParallelization = true)]
public class MemoryCollection;

/// <summary>What the cache says it takes is what it takes.</summary>
[Collection("memory")]
public class MemoryTests
{
    [Theory]
    [InlineData(4, 1)]
    [InlineData(4, 30)]
    [InlineData(24, 3)]
    public void The_memory_of_the_process_is_what_the_cache_accounts_for(int megabytes, int addresses)
    {
        long limit = (long)megabytes << 20;
        AddressAnswers? answers = new();
        GC.Collect();
        GC.WaitForPendingFinalizers();
        long before = GC.GetTotalMemory(forceFullCollection: true);
        using AnswerCache cache = new(new CacheOptions { MaxBytes = limit }, TimeProvider.System);
        for (int i = 0; i < limit / (64 + addresses * 16) * 2; i++) answers!.Store(cache, $"n{i}.example.", addresses);
        answers = null;
        long used = GC.GetTotalMemory(forceFullCollection: true) - before, accounted = cache.Counters.Bytes;
        Assert.True(cache.Counters.Evicted > 0);
        Assert.InRange(accounted, limit * 0.95, limit);
        Assert.InRange(used, accounted * 0.9, accounted * 1.1);
    }
}
