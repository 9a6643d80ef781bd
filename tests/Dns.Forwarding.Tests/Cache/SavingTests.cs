using Dns.Testing;
using Xunit;

namespace Dns.Forwarding.Tests;

/// <summary>A saved cache is loaded, aged by the pause; a damaged one is refused as a whole.</summary>
public class SavingTests
{
    private const string Soa = "authority example. 3600 SOA ns.example. host.example. 1 7200 900 86400 300";
    private static readonly DateTimeOffset Saved = new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);

    private static MemoryStream Save()
    {
        using TextCache cache = new();
        cache.Store("www.example. A", "NOERROR", "answer www.example. 300 CNAME a.example.",
            "answer a.example. 200 A 192.0.2.1");
        cache.Store("no.example. A", "NXDOMAIN", Soa);
        cache.Store("s.example. A", ["NOERROR ad", "answer s.example. 100 A 192.0.2.2"], QuestionFlags.DnssecOk);
        cache.Fail("bad.example. A");
        cache.Clock.Advance(TimeSpan.FromSeconds(50));
        MemoryStream stream = new();
        Assert.Equal(3, cache.Cache.Save(stream, Saved));
        stream.Position = 0;
        return stream;
    }

    private static TextCache Load(Stream stream, double pauseSeconds, int expected, CacheOptions? options = null)
    {
        TextCache cache = new(options);
        Assert.True(
            cache.Cache.TryLoad(stream, Saved.AddSeconds(pauseSeconds), out int entries, out CacheFileFault fault),
            $"{fault}");
        Assert.Equal(expected, entries);
        return cache;
    }

    [Fact]
    public void What_somebody_else_has_said_is_not_loaded()
    {
        using TextCache saved = new(), cache = new();
        saved.Store("www.example. A", "NOERROR", "answer www.example. 600 A 192.0.2.1");
        MemoryStream stream = new();
        Assert.Equal(1, saved.Cache.Save(stream, Saved, "his"u8));
        stream.Position = 0;
        Assert.False(cache.Cache.TryLoad(stream, Saved, out int entries, out CacheFileFault fault, "hers"u8));
        Assert.Equal((0, CacheFileFault.Origin), (entries, fault));
        stream.Position = 0;
        Assert.True(cache.Cache.TryLoad(stream, Saved, out entries, out _, "his"u8));
        Assert.Equal(1, entries);
    }

    [Fact]
    public void A_file_of_mutated_entries_with_a_good_checksum_never_throws()
    {
        byte[] good = Save().ToArray();
        const int hash = System.Security.Cryptography.SHA256.HashSizeInBytes;
        for (int seed = 0; seed < 1000; seed++)
        {
            Random random = new(seed);
            byte[] file = [.. good];
            for (int i = random.Next(1, 6); i > 0; i--)
                file[random.Next(CacheFileWriter.HeadBytes, file.Length - hash)] = (byte)random.Next(256);
            System.Security.Cryptography.SHA256.HashData(file.AsSpan(0, file.Length - hash),
                file.AsSpan(file.Length - hash));
            using TextCache cache = new();
            if (!cache.Cache.TryLoad(new MemoryStream(file), Saved, out _, out _)) continue;
            cache.Ask("www.example. A");
            cache.Ask("x.no.example. MX");
            cache.Ask("s.example. A", QuestionFlags.DnssecOk);
            cache.Cache.Lookup(DomainName.Parse("www.example."));
        }
    }

    [Fact]
    public void Answers_are_older_by_the_pause()
    {
        using TextCache cache = Load(Save(), pauseSeconds: 20, expected: 3);
        Assert.Equal("Fresh NOERROR\nanswer www.example. 230 CNAME a.example.\nanswer a.example. 130 A 192.0.2.1",
            cache.Ask("www.example. A"));
        Assert.StartsWith("Fresh NXDOMAIN\nauthority example. 230 SOA", cache.Ask("x.no.example. MX"));
        Assert.StartsWith("Fresh NOERROR ad\nanswer s.example. 30 A",
            cache.Ask("s.example. A", QuestionFlags.DnssecOk));
        Assert.Equal("Miss", cache.Ask("bad.example. A"));
    }

    [Fact]
    public void A_wall_clock_that_went_back_makes_nothing_younger()
    {
        using TextCache cache = Load(Save(), pauseSeconds: -3600, expected: 3);
        Assert.StartsWith("Fresh NOERROR\nanswer www.example. 250 CNAME", cache.Ask("www.example. A"));
    }

    [Fact]
    public void What_is_of_no_use_any_more_is_left_out()
    {
        CacheOptions options = new() { MaxBytes = 1 << 20, ServeStale = TimeSpan.Zero };
        using TextCache cache = Load(Save(), pauseSeconds: 60, expected: 2, options);
        Assert.Equal("Miss", cache.Ask("s.example. A", QuestionFlags.DnssecOk));
    }

    [Fact]
    public void Stale_answers_are_loaded_as_such()
    {
        using TextCache cache = Load(Save(), pauseSeconds: 1000, expected: 3);
        Assert.Equal("Stale", cache.Ask("www.example. A"));
    }

    [Fact]
    public void Any_octet_that_changed_is_found()
    {
        byte[] good = Save().ToArray();
        using TextCache cache = new();
        for (int i = 0; i < good.Length; i++)
        {
            byte[] bad = [.. good];
            bad[i] ^= 0x10;
            Assert.False(cache.Cache.TryLoad(new MemoryStream(bad), Saved, out int entries, out CacheFileFault fault));
            Assert.NotEqual(CacheFileFault.None, fault);
            Assert.Equal(0, entries);
        }
        for (int length = 0; length < good.Length; length++)
            Assert.False(cache.Cache.TryLoad(new MemoryStream(good[..length]), Saved, out _, out _));
        Assert.Equal(0, cache.Cache.Counters.Entries);
    }

    [Theory]
    [InlineData(52)] // the length of the first entry
    [InlineData(80)] // its own lengths
    [InlineData(76)]
    [InlineData(78)]
    [InlineData(87)]
    [InlineData(92)] // a label of its name
    public void A_file_with_a_good_checksum_and_a_bad_entry_is_refused(int offset)
    {
        byte[] bad = Save().ToArray();
        bad[offset] ^= 0x01;
        System.Security.Cryptography.SHA256.HashData(bad.AsSpan(..^32), bad.AsSpan(^32..));
        using TextCache cache = new();
        Assert.False(cache.Cache.TryLoad(new MemoryStream(bad), Saved, out _, out CacheFileFault fault));
        Assert.NotEqual(CacheFileFault.Checksum, fault);
        Assert.Equal(0, cache.Cache.Counters.Entries);
    }

    [Fact]
    public void A_lifetime_that_a_file_makes_longer_than_its_records_counts_no_more_than_they_do()
    {
        byte[] bad = Save().ToArray();
        // The third octet of the first entry's lifetime.
        bad[70] = 1;
        System.Security.Cryptography.SHA256.HashData(bad.AsSpan(..^32), bad.AsSpan(^32..));
        using TextCache cache = new();
        Assert.True(
            cache.Cache.TryLoad(new MemoryStream(bad), Saved, out int entries, out CacheFileFault fault), $"{fault}");
        Assert.Equal(3, entries);
        cache.Clock.Advance(TimeSpan.FromSeconds(400));
        Assert.DoesNotContain("Fresh", cache.Ask("www.example. A"));
        Assert.DoesNotContain("Fresh", cache.Ask("no.example. A"));
        Assert.DoesNotContain("Fresh", cache.Ask("s.example. A", QuestionFlags.DnssecOk));
    }

    [Fact]
    public void Whatever_a_file_says_what_is_loaded_of_it_an_upstream_could_have_said()
    {
        byte[] good = Save().ToArray();
        Random random = new(20260102);
        int loaded = 0, refused = 0;
        for (int i = 0; i < 3000; i++)
        {
            byte[] bad = [.. good];
            for (int j = random.Next(1, 5); j > 0; j--)
                bad[random.Next(52, bad.Length - 32)] ^= (byte)(1 << random.Next(8));
            System.Security.Cryptography.SHA256.HashData(bad.AsSpan(..^32), bad.AsSpan(^32..));
            using TextCache cache = new(new CacheOptions { MaxBytes = 1 << 20 });
            bool isLoaded = cache.Cache.TryLoad(new MemoryStream(bad), Saved, out int entries, out _);
            if (!isLoaded) refused++;
            loaded += entries;
            Assert.True(isLoaded || cache.Cache.Counters.Entries == 0);
            // What was taken over is a fixed point: saved and read again, nothing of it is left out.
            using MemoryStream again = new();
            int saved = cache.Cache.Save(again, Saved);
            again.Position = 0;
            using TextCache other = new(new CacheOptions { MaxBytes = 1 << 20 });
            Assert.True(other.Cache.TryLoad(again, Saved, out int kept, out CacheFileFault fault), $"{fault}");
            Assert.Equal(saved, kept);
        }
        Assert.True(loaded > 1000 && refused > 100, $"{loaded} loaded, {refused} refused");
    }

    [Fact]
    public void A_name_is_shown_with_all_that_is_held_about_it()
    {
        using TextCache cache = new();
        cache.Store("www.example. A", "NOERROR", "answer www.example. 300 A 192.0.2.1");
        cache.Store("www.example. TXT", ["NOERROR", Soa], QuestionFlags.DnssecOk);
        cache.Store("no.example. TXT", "NXDOMAIN", Soa);
        cache.Fail("www.example. MX");
        cache.Clock.Advance(TimeSpan.FromSeconds(100));
        CachedEntry[] entries = [.. cache.Cache.Lookup(DomainName.Parse("WWW.example.")).OrderBy(entry => entry.Type)];
        Assert.Equal([RRType.A, RRType.MX, RRType.TXT], entries.Select(entry => entry.Type));
        Assert.Equal((100, 200), (entries[0].Age.TotalSeconds, entries[0].TimeLeft.TotalSeconds));
        Assert.Equal("NOERROR ra\nanswer www.example. 300 A 192.0.2.1", Reply.Read(entries[0].Message).ToString());
        Assert.True(entries[1].IsFailure);
        Assert.Equal(QuestionFlags.DnssecOk, entries[2].Flags);
        CachedEntry error = Assert.Single(cache.Cache.Lookup(DomainName.Parse("no.example.")));
        Assert.Equal((RRType)0, error.Type);
        Assert.StartsWith("NXDOMAIN ra\nauthority example. 300 SOA", Reply.Read(error.Message).ToString());
    }
}
