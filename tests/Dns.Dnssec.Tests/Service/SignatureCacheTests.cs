using System.Security.Cryptography;

namespace Dns.Dnssec.Tests;

/// <summary>The cache of signatures made for answers: its bound, who evicts whom, and threads.</summary>
public sealed class SignatureCacheTests
{
    private const uint Now = 1_800_000_000, End = Now + 1000;

    private readonly byte[] _room = new byte[64];

    [Theory]
    [InlineData(1)]
    [InlineData(100_000)]
    [InlineData(10_000_000)]
    public void It_takes_the_octets_that_it_may_and_not_more(long octets)
    {
        SignatureCache cache = new(octets, 64);
        long least = 8 * (32 + 64);
        Assert.InRange(cache.MemoryBytes, least, Math.Max(octets, least));
        for (int i = 0; i < 2 * cache.Capacity; i++) Add(cache, i, isOfAnyName: i % 2 == 0);
        int found = Enumerable.Range(0, (int)(2 * cache.Capacity)).Count(i => Find(cache, i));
        Assert.InRange(found, cache.Capacity / 2, cache.Capacity);
    }

    [Fact]
    public void Names_that_clients_make_up_evict_only_each_other()
    {
        SignatureCache cache = new(100_000, 64);
        int own = (int)cache.Capacity / 4;
        for (int i = 0; i < own; i++) Add(cache, i, isOfAnyName: false);
        int before = Enumerable.Range(0, own).Count(i => Find(cache, i));
        for (int i = own; i < own + 100 * cache.Capacity; i++) Add(cache, i, isOfAnyName: true);
        Assert.Equal(before, Enumerable.Range(0, own).Count(i => Find(cache, i)));
        Assert.InRange(before, own * 9 / 10, own);
    }

    [Fact]
    public void What_has_expired_goes_first_and_the_same_again_takes_no_other_place()
    {
        SignatureCache cache = new(1, 64);
        for (int i = 0; i < 6; i++)
            cache.Add(Digest(i), Signature(i), Now - 100 + (uint)i, i == 3 ? Now - 1 : End, false, Now - 200);
        Add(cache, 6, isOfAnyName: false);
        Assert.Equal([true, true, true, false, true, true, true], Enumerable.Range(0, 7).Select(i => Find(cache, i)));
        for (int i = 0; i < 10; i++) Add(cache, 6, isOfAnyName: false);
        Assert.Equal(6, Enumerable.Range(0, 7).Count(i => Find(cache, i)));
        // Then the oldest.
        Add(cache, 7, isOfAnyName: false);
        Assert.False(Find(cache, 0));
        Assert.True(Find(cache, 7));
    }

    [Fact]
    public void No_thread_reads_half_of_what_another_writes()
    {
        SignatureCache cache = new(1, 64);
        long found = 0, torn = 0;
        Parallel.For(0, 4, worker =>
        {
            byte[] room = new byte[64];
            for (int i = 0; i < 50_000; i++)
            {
                int which = (i * 7 + worker * 13) % 24;
                if (worker < 2) Add(cache, which, isOfAnyName: which % 2 == 0);
                else if (cache.TryFind(Digest(which), room, out uint inception, out uint expiration))
                {
                    Interlocked.Increment(ref found);
                    if (!room.AsSpan().SequenceEqual(Signature(which)) ||
                        (inception, expiration) != (Now + (uint)which, End)) Interlocked.Increment(ref torn);
                }
            }
        });
        Assert.Equal(0, torn);
        Assert.InRange(found, 1, long.MaxValue);
    }

    private bool Find(SignatureCache cache, int which)
    {
        bool isFound = cache.TryFind(Digest(which), _room, out _, out _);
        if (isFound) Assert.Equal(Signature(which), _room);
        return isFound;
    }

    private static void Add(SignatureCache cache, int which, bool isOfAnyName) =>
        cache.Add(Digest(which), Signature(which), Now + (uint)which % 24, End, isOfAnyName, Now + 50);

    private static byte[] Digest(int which) => SHA256.HashData(BitConverter.GetBytes(which));

    private static byte[] Signature(int which) => SHA512.HashData(BitConverter.GetBytes(which));
}
