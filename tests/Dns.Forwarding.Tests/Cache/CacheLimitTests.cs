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
        cache.Store("www.example. TYPE0", "NOERROR",
            "authority example. 3600 SOA ns.example. host.example. 1 7200 900 86400 300");
        Assert.StartsWith("Fresh", cache.Ask("www.example. TYPE0"));
        Assert.Equal("Miss", cache.Ask("www.example. A"));
    }

    [Fact]
    public void A_name_error_above_is_a_hit_and_no_miss()
    {
        using TextCache cache = new();
        cache.Store("no.example. A", "NXDOMAIN",
            "authority example. 3600 SOA ns.example. host.example. 1 7200 900 86400 300");
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

    /// <summary>
    /// An entry leaves the last slot of the index; those behind it, at the start, have their homes before and behind
    /// the gap.
    /// </summary>
    [Theory]
    [InlineData(1, 0)]
    [InlineData(2, 1, 1)]
    [InlineData(1, 1, 0)]
    [InlineData(2, 1, 2, 0, 1)]
    public void Entries_are_found_when_one_before_them_leaves_the_end_of_the_index(int gap, params int[] fromEnd)
    {
        CacheLayout layout = CacheLayout.Divide(1 << 20);
        CacheShard shard = new(layout);
        // Homes are counted from the end of the index: 1 is the last slot, 0 the first one.
        byte[][] names = [NameAt(layout.Slots, gap, 0),
            .. fromEnd.Select((home, i) => NameAt(layout.Slots, home, i + 1))];
        foreach (byte[] name in names)
            With(name, key => Assert.True(shard.TryStore(in key, new EntryHeader { LifetimeSeconds = 60 }, [], [], 0)));
        With(names[0], key => Assert.True(shard.Remove(in key)));
        Assert.Equal(fromEnd.Length, shard.Entries);
        With(names[0], key => Assert.False(shard.TryRead(in key, 0, 0, default, out _)));
        foreach (byte[] name in names[1..]) With(name, key => Assert.True(shard.TryRead(in key, 0, 0, default, out _)));
    }

    private delegate void About(scoped EntryKey key);

    private static void With(byte[] octets, About action)
    {
        LookupName name = default;
        name.Set(octets);
        Question question = new(in name, RRType.A, RRClass.IN, QuestionFlags.None);
        action(EntryKey.Of(in question));
    }

    /// <summary>
    /// A name whose entry belongs in a slot of the index, counted from its end; another one for each number.
    /// </summary>
    private static byte[] NameAt(int slots, int fromEnd, int number)
    {
        for (int i = 0; ; i++)
        {
            byte[] octets = DomainName.Parse($"n{i}.{number}.example.").Octets.ToArray();
            int home = -1;
            With(octets, key => home = (int)((ulong)(uint)key.Hash * (uint)slots >> 32));
            if (home == (slots - fromEnd) % slots) return octets;
        }
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
