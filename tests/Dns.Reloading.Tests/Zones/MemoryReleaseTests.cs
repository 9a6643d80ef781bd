using Dns.Testing;

namespace Dns.Reloading.Tests;

public sealed class MemoryReleaseTests : IDisposable
{
    private readonly VirtualClock _clock = new();
    private readonly MemoryRelease _memory;
    private int _collections;

    public MemoryReleaseTests() => _memory = new MemoryRelease(_clock, () => _collections++);

    public void Dispose() => _memory.Dispose();

    private void Change(long bytes) => _memory.OnChanged(new ZoneLoadSummary(1, 0, 10, bytes));

    [Fact]
    public void A_large_zone_that_was_replaced_is_collected_when_nothing_changes_any_more()
    {
        Change(MemoryRelease.LeastBytes);
        _clock.Advance(MemoryRelease.Quiet / 2);
        Change(MemoryRelease.LeastBytes);
        _clock.Advance(MemoryRelease.Quiet * 0.9);
        Assert.Equal(0, _collections);
        _clock.Advance(MemoryRelease.Quiet * 0.1);
        Assert.Equal(1, _collections);
        _clock.Advance(MemoryRelease.QuietTime);
        Assert.Equal(1, _collections);
    }

    [Fact]
    public void Small_changes_are_collected_once_they_are_many()
    {
        for (int i = 0; i < 100; i++)
        {
            Change(1000);
            _clock.Advance(MemoryRelease.Quiet * 2);
        }
        Assert.Equal(0, _collections);
        for (int i = 0; i < 1000; i++) Change(1000);
        _clock.Advance(MemoryRelease.Quiet);
        Assert.Equal(1, _collections);
    }

    [Fact]
    public void Changes_that_never_end_are_collected_meanwhile()
    {
        for (TimeSpan passed = default; passed < MemoryRelease.QuietTime * 3; passed += MemoryRelease.Quiet / 4)
        {
            Change(MemoryRelease.LeastBytes);
            _clock.Advance(MemoryRelease.Quiet / 4);
        }
        Assert.InRange(_collections, 2, 3);
    }

    [Fact]
    public void The_first_loading_is_collected_at_once_unless_it_was_small()
    {
        _memory.OnLoaded(new ZoneLoadSummary(4, 0, 100, 10_000));
        Assert.Equal(0, _collections);
        _memory.OnLoaded(new ZoneLoadSummary(2000, 0, 16_000, 1_000_000));
        Assert.Equal(1, _collections);
    }
}
