using Dns.Testing;

namespace Dns.Providers.Tests;

public class InMemoryZoneSourceTests
{
    private static readonly DomainName Name = DomainName.Parse("example.com");
    private readonly ZoneRegistry _registry = new(new PublishedZones());
    private readonly InMemoryZoneSource _source = new();

    private static Zone Version(int serial) =>
        ZoneText.Load("example.com", $"@ 60 SOA ns h {serial} 2 3 4 5\n@ 60 NS ns.x.\n");

    [Fact]
    public async Task Zones_put_there_before_the_start_are_served_from_it()
    {
        _source.Publish(Version(1));
        _source.Claim(DomainName.Parse("later.example"));
        ZoneLoadSummary summary = await _source.StartAsync(_registry, new SilentObserver(), default);
        Assert.Equal((1, 2L), (summary.Loaded, summary.Records));
        Assert.Equal(1u, _registry.Find(Name)!.Zone!.Serial);
        Assert.Equal(ZoneState.Loading, _registry.Find(DomainName.Parse("later.example"))!.State);
    }

    [Fact]
    public async Task A_zone_goes_through_its_states_in_one_slot()
    {
        await _source.StartAsync(_registry, new SilentObserver(), default);
        _source.Fail(Name, "unreachable");
        ZoneSlot slot = _registry.Find(Name)!;
        Assert.Equal((ZoneState.Failed, "unreachable"), (slot.State, slot.Failure?.Text));
        _source.Publish(Version(1));
        Assert.Equal(ZoneState.Serving, slot.State);
        _source.Fail(Name, "refused");
        Assert.Equal((ZoneState.Stale, 1u), (slot.State, slot.Zone!.Serial));
        _source.Expire(Name, "a week old");
        Assert.Equal((ZoneState.Expired, null), (slot.State, slot.Zone));
        _source.Publish(Version(2));
        Assert.Same(slot, _registry.Find(Name));
        Assert.Equal((ZoneState.Serving, 2u), (slot.State, slot.Zone!.Serial));
    }

    [Fact]
    public async Task A_removed_zone_is_claimed_no_more()
    {
        await _source.StartAsync(_registry, new SilentObserver(), default);
        _source.Publish(Version(1));
        Assert.True(_source.Remove(Name));
        Assert.False(_source.Remove(Name));
        Assert.Null(_registry.Find(Name));
    }
}
