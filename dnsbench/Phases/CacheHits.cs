using BenchmarkDotNet.Attributes;

namespace Dns.Bench;

/// <summary>
/// Phase 4: the forwarder's cache, full of 5,000 names: a hit, a miss, an answer stored over another.
/// </summary>
public class CacheHits
{
    private const int Names = 5_000;

    private readonly AnswerCache _cache = new(new CacheOptions { MaxBytes = 1 << 20 }, TimeProvider.System);
    private CachedNames _names = null!;
    private int _next;

    /// <summary>Stores the names repeatedly, until all memory of the cache has been used once.</summary>
    [GlobalSetup]
    public void SetUp()
    {
        _names = new CachedNames(_cache);
        for (int i = 0; i < Names * 6; i++) _names.Store(i % Names);
    }

    /// <summary>Releases the memory.</summary>
    [GlobalCleanup]
    public void CleanUp() => _cache.Dispose();

    /// <summary>The name read and hashed, the records copied, TTLs counted down.</summary>
    [Benchmark]
    public bool Hit() => _names.Ask(Next());

    /// <summary>A miss.</summary>
    [Benchmark]
    public bool Miss() => _names.Ask(Names + Next());

    /// <summary>A reply read, and stored over the one before.</summary>
    [Benchmark]
    public void Store() => _names.Store(Next());

    private int Next() => _next = (_next + 7919) % Names;
}
