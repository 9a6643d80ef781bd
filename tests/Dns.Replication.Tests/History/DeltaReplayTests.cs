namespace Dns.Replication.Tests;

/// <summary>Changes of a journal on the version that it starts from.</summary>
public class DeltaReplayTests
{
    [Theory]
    [InlineData(long.MaxValue, 5)]
    [InlineData(0, 0)]
    [InlineData(2000, 3)]
    public void The_last_changes_are_kept_up_to_a_size(long maxBytes, int kept)
    {
        Zone[] versions = [.. Enumerable.Range(1, 6)
            .Select(serial => ChangingZone.Load((uint)serial, [$"n{serial} 60 A 192.0.2.{serial}"]))];
        ZoneDelta[] deltas = [.. versions.Skip(1).Select((now, index) => ZoneDelta.Between(versions[index], now))];
        if (maxBytes == 2000) maxBytes = kept * deltas[0].MemoryBytes;
        DeltaReplay replay = new(versions[0], ZoneLimits.Default, maxBytes);
        Assert.True(replay.TryApply(deltas, out _));
        Assert.Equal(ChangingZone.TextOf(versions[^1]), ChangingZone.TextOf(replay.Zone));
        Assert.Equal(deltas.TakeLast(kept), replay.Deltas);
    }
}
