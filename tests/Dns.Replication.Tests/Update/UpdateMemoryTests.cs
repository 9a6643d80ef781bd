using Dns.Testing;

namespace Dns.Replication.Tests;

/// <summary>Measures of the whole heap, without the allocations of other tests.</summary>
[CollectionDefinition("alone", DisableParallelization = true)]
public class AloneCollection;

/// <summary>The memory of updates that wait.</summary>
[Collection("alone")]
public class UpdateMemoryTests
{
    private const int MaxOctets = 2 << 20;

    private readonly FaultyFiles _files = new();

    [Fact]
    public async Task Updates_that_wait_take_the_octets_of_their_messages_however_long_their_names()
    {
        UpdatedServer server = new(_files, new UpdateOptions { MaxWaitingOctets = MaxOctets });
        using ManualResetEventSlim begun = new(), goOn = new();
        _files.BeforeFlush = () =>
        {
            begun.Set();
            Assert.True(goOn.Wait(TimeSpan.FromMinutes(1)));
        };
        List<Task<byte[]>> all = [server.SendRawAsync(UpdateText.Message("z.test", "add first 60 A 192.0.2.9"))];
        Assert.True(begun.Wait(TimeSpan.FromMinutes(1)));
        byte[] message = LongNames();
        Assert.InRange(message.Length, 60_000, 65_535);
        long before = GC.GetTotalMemory(forceFullCollection: true);
        for (int i = 0; i < 100; i++) all.Add(server.SendRawAsync(message, $"192.0.2.{i % 10 + 1}"));
        long held = GC.GetTotalMemory(forceFullCollection: true) - before;
        Assert.InRange(server.Zones.Waiting * message.Length, MaxOctets / 2, MaxOctets + message.Length);
        // Parsed, each takes 3.5 MB. A collection may meanwhile free what pools kept of other tests.
        Assert.True(held < 2 * MaxOctets, $"{held}");
        goOn.Set();
        await Task.WhenAll(all).WaitAsync(TimeSpan.FromMinutes(1));
        Assert.Equal(0, server.Zones.Waiting);
        Assert.True(server.Zones.Counters.Of(UpdateResult.Overloaded) >= 60);
        Assert.Equal(Rcode.NoError, (await server.SendAsync(message)).Rcode);
    }

    [Fact]
    public async Task An_update_without_room_is_not_parsed()
    {
        byte[] malformed = UpdateText.Message("z.test", "yxdomain other.", "add first 60 A 192.0.2.9");
        UpdatedServer server = new(_files, new UpdateOptions { MaxWaitingOctets = malformed.Length - 1 });
        Assert.Equal(Rcode.ServFail, (await server.SendAsync(malformed)).Rcode);
        Assert.Equal(1, server.Zones.Counters.Of(UpdateResult.Overloaded));
        server = new(_files, new UpdateOptions { MaxWaitingOctets = malformed.Length });
        Assert.Equal(Rcode.NotZone, (await server.SendAsync(malformed)).Rcode);
    }

    // MINFO records of 16 octets: owner and both names are pointers to a name of 255 octets.
    private static byte[] LongNames()
    {
        string label = new('a', 61);
        string name = $"{label}.{label}.{label}.{label[..59]}";
        return UpdateText.Message(
            "z.test", [.. Enumerable.Range(0, 4000).Select(i => $"add {name} {i} MINFO {name} {name}")]);
    }
}
