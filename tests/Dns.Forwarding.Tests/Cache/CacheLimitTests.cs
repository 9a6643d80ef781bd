using Dns.Protocol;
using Xunit;

namespace Dns.Forwarding.Tests;

public class CacheLimitTests
{
    [Fact]
    public void An_answer_is_found_however_often_it_is_asked_for()
    {
        using TextCache cache = new();
        cache.Store("www.example. A", "NOERROR", "answer www.example. 60 A 192.0.2.1");
        for (int i = 0; i < 20; i++) Assert.StartsWith("Fresh", cache.Ask("www.example. A"));
        Assert.Equal(20, cache.Cache.Counters.Hits);
    }

    /// <summary>Type 0 has the key of the name error of its name, but for what kind of entry it is.</summary>
    [Fact]
    public void Data_of_type_0_is_no_name_error()
    {
        using TextCache cache = new();
        cache.Fail("other.example. A");
        cache.Store("www.example. TYPE0", "NOERROR", "authority example. 3600 SOA ns.example. host.example. 1 7200 900 86400 300");
        Assert.StartsWith("Fresh", cache.Ask("www.example. TYPE0"));
        Assert.Equal("Miss", cache.Ask("www.example. A"));
    }

    [Fact]
    public void A_name_error_above_is_a_hit_and_no_miss()
    {
        using TextCache cache = new();
        cache.Store("no.example. A", "NXDOMAIN", "authority example. 3600 SOA ns.example. host.example. 1 7200 900 86400 300");
        Assert.StartsWith("Fresh NXDOMAIN", cache.Ask("www.no.example. A"));
        CacheCounters counters = cache.Cache.Counters;
        Assert.Equal((1, 0), (counters.Hits, counters.Misses));
    }

    [Fact]
    public void A_refresh_is_claimed_once()
    {
        (CacheShard shard, CacheRead read) = Stored(EntryTraits.None);
        Assert.True(shard.TryMarkRefresh(in read));
        Assert.False(shard.TryMarkRefresh(in read));
    }

    [Fact]
    public void Failures_are_counted_until_they_are_removed()
    {
        (CacheShard shard, _) = Stored(EntryTraits.Failure);
        Assert.Equal(1, shard.Special);
        Assert.Equal(1, shard.RemoveWhere(_ => true));
        Assert.Equal((0, 0), (shard.Special, shard.Entries));
    }

    private static (CacheShard Shard, CacheRead Read) Stored(EntryTraits kind)
    {
        CacheShard shard = new(CacheLayout.Divide(1 << 20));
        LookupName name = default;
        name.Set(DomainName.Parse("www.example.").Octets);
        Question question = new(in name, RRType.A, RRClass.IN, QuestionFlags.None);
        EntryKey key = kind == EntryTraits.Failure ? EntryKey.OfFailure(in question) : EntryKey.Of(in question);
        Assert.True(shard.TryStore(in key, new EntryHeader { LifetimeSeconds = 60 }, [], [], 0));
        Assert.True(shard.TryRead(in key, 0, 0, default, out CacheRead read));
        return (shard, read);
    }
}
