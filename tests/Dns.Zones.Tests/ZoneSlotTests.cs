using Dns.Testing;
using Xunit;

namespace Dns.Zones.Tests;

public class ZoneSlotTests
{
    private static readonly DateTimeOffset Noon = new(2000, 1, 1, 12, 0, 0, TimeSpan.Zero);
    private readonly ZoneSlot _slot = new(DomainName.Parse(GeneratedZone.Apex));

    [Fact]
    public void A_zone_is_published_only_under_its_own_name()
    {
        ZoneSlot slot = new(DomainName.Parse("other.test"));
        Assert.Throws<ArgumentException>(() => slot.Publish(GeneratedZone.Build([])));
        Assert.Equal(ZoneState.Loading, slot.State);
    }

    [Fact]
    public void A_failure_keeps_the_last_data_and_a_success_ends_it()
    {
        _slot.Fail("unreadable");
        Assert.Equal(ZoneState.Failed, _slot.State);
        _slot.Publish(GeneratedZone.Build([]));
        Assert.Equal((ZoneState.Serving, null), (_slot.State, _slot.Failure?.Text));
        _slot.Fail("unreadable again");
        Assert.Equal((ZoneState.Stale, "unreadable again"), (_slot.State, _slot.Failure?.Text));
        Assert.NotNull(_slot.Zone);
    }

    [Theory]
    [InlineData(ZoneState.Loading, ZoneState.Serving, ZoneState.Failed, ZoneState.Expired)]
    [InlineData(ZoneState.Serving, ZoneState.Serving, ZoneState.Stale, ZoneState.Expired)]
    [InlineData(ZoneState.Stale, ZoneState.Serving, ZoneState.Stale, ZoneState.Expired)]
    [InlineData(ZoneState.Expired, ZoneState.Serving, ZoneState.Expired, ZoneState.Expired)]
    [InlineData(ZoneState.Failed, ZoneState.Serving, ZoneState.Failed, ZoneState.Expired)]
    public void Each_event_leads_from_each_state_to_one_state(ZoneState from, ZoneState good, ZoneState bad,
        ZoneState old)
    {
        Zone zone = GeneratedZone.Build([]);
        Assert.Equal(good, After(from, slot => slot.Publish(zone)));
        Assert.Equal(bad, After(from, slot => slot.Fail("bad")));
        Assert.Equal(old, After(from, slot => slot.Expire("old")));
    }

    /// <summary>The state of a slot after an event; with its served version.</summary>
    private static ZoneState After(ZoneState from, Action<ZoneSlot> happens)
    {
        ZoneSlot slot = new(DomainName.Parse(GeneratedZone.Apex));
        if (from is ZoneState.Serving or ZoneState.Stale) slot.Publish(GeneratedZone.Build([]));
        if (from is ZoneState.Stale or ZoneState.Failed) slot.Fail("before");
        if (from == ZoneState.Expired) slot.Expire("before");
        Assert.Equal(from, slot.State);
        happens(slot);
        Assert.Equal(slot.State is ZoneState.Serving or ZoneState.Stale, slot.Zone is not null);
        Assert.Equal(slot.State is ZoneState.Loading or ZoneState.Serving, slot.Failure is null);
        return slot.State;
    }

    [Fact]
    public void A_state_knows_since_when_it_is_and_its_reason_is_the_latest()
    {
        Assert.Null(_slot.Since);
        _slot.Fail("first", Noon);
        _slot.Fail("second", Noon.AddHours(1));
        Assert.Equal((Noon, "second"), (_slot.Since, _slot.Failure?.Text));
        _slot.Publish(GeneratedZone.Build([]), Noon.AddHours(2));
        _slot.Publish(GeneratedZone.Build([]), Noon.AddHours(3));
        Assert.Equal(Noon.AddHours(2), _slot.Since);
        _slot.Expire("too old");
        Assert.Equal((null, "too old"), (_slot.Since, _slot.Failure?.Text));
    }
}
