using Dns.Testing;

namespace Dns.Reloading.Tests;

public class PendingChangesTests
{
    private readonly VirtualClock _clock = new();
    private readonly PendingChanges _pending;

    public PendingChangesTests() => _pending = new PendingChanges(_clock);

    private string Written() => string.Join(' ', _pending.TakeWritten().Select(file => file.FileName).Order());

    private string Vanished() => string.Join(' ', _pending.TakeVanished().Select(file => file.FileName).Order());

    [Fact]
    public void Nothing_is_due_when_nothing_happened()
    {
        Assert.Equal(Timeout.InfiniteTimeSpan, _pending.Rest);
        Assert.Equal(("", "", false), (Written(), Vanished(), _pending.TakeScan(out _)));
    }

    [Fact]
    public void A_written_file_is_due_after_a_pause()
    {
        _pending.AddWritten("d", "a");
        Assert.Equal(("", PendingChanges.Pause), (Written(), _pending.Rest));
        _clock.Advance(PendingChanges.Pause);
        Assert.Equal(TimeSpan.Zero, _pending.Rest);
        Assert.Equal("a", Written());
        Assert.Equal((Timeout.InfiniteTimeSpan, ""), (_pending.Rest, Written()));
    }

    [Fact]
    public void A_burst_is_taken_as_one()
    {
        for (int i = 0; i < 5; i++)
        {
            _pending.AddWritten("d", "a" + i % 2);
            _clock.Advance(PendingChanges.Pause / 2);
            Assert.Equal("", Written());
        }
        _clock.Advance(PendingChanges.Pause / 2);
        Assert.Equal("a0 a1", Written());
    }

    [Fact]
    public void A_burst_that_does_not_end_is_taken_all_the_same()
    {
        for (TimeSpan time = TimeSpan.Zero; time < PendingChanges.LongestBurst; time += PendingChanges.Pause / 2)
        {
            Assert.Equal("", Written());
            _pending.AddWritten("d", "a");
            _clock.Advance(PendingChanges.Pause / 2);
        }
        Assert.Equal("a", Written());
    }

    [Fact]
    public void A_burst_long_after_another_has_a_pause_of_its_own()
    {
        _pending.AddWritten("d", "a");
        _clock.Advance(PendingChanges.Pause);
        Assert.Equal("a", Written());
        _clock.Advance(PendingChanges.LongestBurst);
        _pending.AddWritten("d", "b");
        Assert.Equal(("", PendingChanges.Pause), (Written(), _pending.Rest));
    }

    [Fact]
    public void A_file_that_comes_back_in_time_was_never_gone()
    {
        _pending.AddVanished("d", "a");
        _pending.AddVanished("d", "b");
        _pending.AddWritten("d", "a");
        _clock.Advance(PendingChanges.Grace - PendingChanges.Pause);
        Assert.Equal(("a", ""), (Written(), Vanished()));
        _clock.Advance(PendingChanges.Pause);
        Assert.Equal("b", Vanished());
    }

    [Fact]
    public void Listings_leave_ten_times_their_own_time_between_them()
    {
        _pending.RequestScan(false);
        Assert.False(_pending.TakeScan(out _));
        _clock.Advance(PendingChanges.Pause);
        Assert.True(_pending.TakeScan(out _));
        _pending.OnListed(TimeSpan.FromSeconds(1));
        _pending.RequestScan(false);
        _clock.Advance(TimeSpan.FromSeconds(9.9));
        Assert.False(_pending.TakeScan(out _));
        _clock.Advance(TimeSpan.FromSeconds(0.1));
        Assert.Equal(TimeSpan.Zero, _pending.Rest);
        Assert.True(_pending.TakeScan(out _));
    }

    [Fact]
    public void A_thorough_listing_is_not_made_a_light_one()
    {
        _pending.RequestScan(true);
        _pending.RequestScan(false);
        _clock.Advance(PendingChanges.Pause);
        Assert.True(_pending.TakeScan(out bool isThorough));
        Assert.True(isThorough);
        _pending.RequestScan(false);
        _clock.Advance(PendingChanges.Pause);
        Assert.True(_pending.TakeScan(out isThorough));
        Assert.False(isThorough);
    }
}
