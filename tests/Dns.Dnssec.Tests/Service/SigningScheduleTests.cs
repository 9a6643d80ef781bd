namespace Dns.Dnssec.Tests;

/// <summary>When zones are due.</summary>
public sealed class SigningScheduleTests : IDisposable
{
    private readonly SigningRig _rig = new();
    private readonly SigningSchedule _schedule;
    private readonly SignedZone _zone;

    public SigningScheduleTests()
    {
        _schedule = new SigningSchedule(_rig.Clock, static () => { });
        _zone = new SignedZone(_rig.Slot, null, _rig.Signing);
    }

    public void Dispose()
    {
        _schedule.Dispose();
        _rig.Dispose();
    }

    private void SetIn(int seconds) => _schedule.Set(_zone, _rig.Clock.GetUtcNow() + TimeSpan.FromSeconds(seconds));

    private IReadOnlyList<SignedZone> After(int seconds)
    {
        _rig.Clock.Advance(TimeSpan.FromSeconds(seconds));
        return _schedule.Take();
    }

    [Fact]
    public void A_zone_is_due_once_at_the_time_that_was_set_last()
    {
        SetIn(10);
        SetIn(20);
        Assert.Empty(After(10));
        Assert.Empty(After(9));
        Assert.Same(_zone, Assert.Single(After(1)));
        SetIn(20);
        SetIn(10);
        Assert.Same(_zone, Assert.Single(After(10)));
        Assert.Empty(After(100));
        SetIn(10);
        _schedule.Set(_zone, null);
        Assert.Empty(After(100));
    }

    [Fact]
    public void Superseded_times_are_forgotten_now_and_then()
    {
        for (int seconds = 1000; seconds > 0; seconds--) SetIn(seconds);
        Assert.InRange(_schedule.Times, 1, 100);
        Assert.Same(_zone, Assert.Single(After(1)));
        Assert.Empty(After(1000));
        Assert.Equal(0, _schedule.Times);
    }
}
