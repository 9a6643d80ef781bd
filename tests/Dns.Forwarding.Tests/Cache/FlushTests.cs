using Xunit;

namespace Dns.Forwarding.Tests;

/// <summary>Flushing all, a name, a subtree.</summary>
public class FlushTests
{
    private const string Soa = "authority example. 3600 SOA ns.example. host.example. 1 7200 900 86400 300";

    private static TextCache Filled()
    {
        TextCache cache = new(new CacheOptions { MaxBytes = 64 << 20 });
        foreach (string name in (string[])["a.example.", "x.a.example.", "y.x.a.example.", "ba.example.", "b.example."])
        {
            cache.Store($"{name} A", "NOERROR", $"answer {name} 60 A 192.0.2.1");
            cache.Store($"{name} A", ["NOERROR", $"answer {name} 60 A 192.0.2.1"], QuestionFlags.DnssecOk);
            cache.Store($"{name} TXT", "NOERROR", $"answer {name} 60 TXT \"x\"");
            cache.Fail($"{name} MX");
        }
        cache.Store("no.a.example. A", "NXDOMAIN", Soa);
        Assert.Equal(21, cache.Cache.Counters.Entries);
        return cache;
    }

    [Fact]
    public void A_name_is_flushed_with_all_types_and_flags()
    {
        using TextCache cache = Filled();
        Assert.Equal(4, cache.Cache.Flush(DomainName.Parse("A.Example.")));
        Assert.Equal("Miss", cache.Ask("a.example. A"));
        Assert.Equal("Miss", cache.Ask("a.example. A", QuestionFlags.DnssecOk));
        Assert.Equal("Miss", cache.Ask("a.example. MX"));
        Assert.StartsWith("Fresh", cache.Ask("x.a.example. A"));
    }

    [Fact]
    public void A_subtree_is_flushed_whole_and_alone()
    {
        using TextCache cache = Filled();
        Assert.Equal(13, cache.Cache.FlushBelow(DomainName.Parse("a.EXAMPLE.")));
        Assert.Equal("Miss", cache.Ask("y.x.a.example. A"));
        Assert.Equal("Miss", cache.Ask("no.a.example. A"));
        Assert.StartsWith("Fresh", cache.Ask("ba.example. A"));
        Assert.StartsWith("Fresh", cache.Ask("b.example. A"));
    }

    [Fact]
    public void Several_subtrees_are_flushed_at_once()
    {
        using TextCache cache = Filled();
        Assert.Equal(0, cache.Cache.FlushBelow([]));
        Assert.Equal(8,
            cache.Cache.FlushBelow([DomainName.Parse("X.a.example."), DomainName.Parse("no.such.example.")]));
        Assert.Equal(8, cache.Cache.FlushBelow([DomainName.Parse("BA.example."), DomainName.Parse("b.example.")]));
        Assert.StartsWith("Fresh", cache.Ask("a.example. A"));
        Assert.Equal(5, cache.Cache.FlushBelow([DomainName.Root, DomainName.Parse("b.example.")]));
    }

    [Fact]
    public void Everything_is_flushed()
    {
        using TextCache cache = Filled();
        Assert.Equal(21, cache.Cache.Flush());
        Assert.Equal(0, cache.Cache.Counters.Entries);
        Assert.Equal("Miss", cache.Ask("b.example. A"));
        cache.Store("b.example. A", "NOERROR", "answer b.example. 60 A 192.0.2.1");
        Assert.StartsWith("Fresh", cache.Ask("b.example. A"));
    }

    [Fact]
    public void A_reader_that_comes_after_the_end_finds_nothing()
    {
        TextCache cache = Filled();
        cache.Dispose();
        Assert.Equal("Miss", cache.Ask("a.example. A"));
    }

    [Fact]
    public void Most_of_many_entries_are_flushed_and_the_rest_is_still_found()
    {
        using TextCache cache = new(new CacheOptions { MaxBytes = 1 << 20 });
        for (int i = 0; i < 4000; i++)
        {
            string name = $"n{i}.{(i % 3 == 0 ? "keep" : "drop")}.example.";
            cache.Store($"{name} A", "NOERROR", $"answer {name} 60 A 192.0.2.1");
        }
        Assert.Equal(2666, cache.Cache.FlushBelow(DomainName.Parse("drop.example.")));
        for (int i = 0; i < 4000; i++)
            Assert.StartsWith(i % 3 == 0 ? "Fresh" : "Miss",
                cache.Ask($"n{i}.{(i % 3 == 0 ? "keep" : "drop")}.example. A"));
    }
}
