using Dns.Protocol;
using Dns.Testing;
using Xunit;

namespace Dns.Zones.Tests;

public class ZoneSetTests
{
    [Theory]
    [InlineData("www.example.test", "example.test.", 1)]
    [InlineData("example.test", "example.test.", 0)]
    [InlineData("EXAMPLE.Test", "example.test.", 0)]
    [InlineData("a.b.sub.example.test", "sub.example.test.", 2)]
    [InlineData("other.test", ".", 2)]
    public void The_longest_name_at_or_above_wins(string text, string zone, int apexSkip)
    {
        ZoneSet set = SetOf(".", "example.test", "sub.example.test");
        LookupName name = default;
        name.Set(WireOctets.Name(text));
        Assert.Equal(zone, set.Find(in name, 0, out int skip)?.Name.ToString());
        Assert.Equal(apexSkip, skip);
    }

    [Fact]
    public void Without_a_zone_above_nothing_is_found()
    {
        LookupName name = default;
        name.Set(WireOctets.Name("example.test"));
        Assert.Null(SetOf("sub.example.test", "other.test").Find(in name, 0, out _));
        Assert.Null(ZoneSet.Empty.Find(in name, 0, out _));
    }

    [Theory]
    [InlineData(62)]
    [InlineData(63)]
    [InlineData(64)]
    [InlineData(65)]
    [InlineData(126)]
    public void A_zone_of_many_labels_is_found(int labels)
    {
        string zone = string.Join('.', Enumerable.Repeat("k", labels));
        ZoneSet set = SetOf(zone);
        LookupName name = default;
        name.Set(WireOctets.Name(zone));
        Assert.NotNull(set.Find(in name, 0, out int skip));
        Assert.Equal(0, skip);
        name.Set(WireOctets.Name("w." + zone));
        Assert.NotNull(set.Find(in name, 0, out skip));
        Assert.Equal(1, skip);
        name.Set(WireOctets.Name(zone[2..]));
        Assert.Null(set.Find(in name, 0, out _));
    }

    [Fact]
    public void Two_zones_of_one_name_are_refused() =>
        Assert.Throws<ArgumentException>(() => SetOf("example.test", "Example.TEST"));

    [Fact]
    public void Slots_stand_in_several_sets_at_once()
    {
        ZoneSlot[] slots = [.. Enumerable.Range(0, 100).Select(i => new ZoneSlot(DomainName.Parse($"z{i}.test")))];
        ZoneSet all = ZoneSet.Create(slots), some = ZoneSet.Create(slots.Take(50).Reverse());
        Assert.All(slots, slot => Assert.Same(slot, all.FindExact(slot.Name)));
        Assert.All(slots, (slot, i) => Assert.Same(i < 50 ? slot : null, some.FindExact(slot.Name)));
    }

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
        ZoneSlot slot = new(DomainName.Parse(GeneratedZone.Apex));
        slot.Fail("unreadable");
        Assert.Equal(ZoneState.Failed, slot.State);
        slot.Publish(GeneratedZone.Build([]));
        Assert.Equal((ZoneState.Serving, null), (slot.State, slot.Failure));
        slot.Fail("unreadable again");
        Assert.Equal((ZoneState.Serving, "unreadable again"), (slot.State, slot.Failure));
    }

    private static ZoneSet SetOf(params string[] names) =>
        ZoneSet.Create(names.Select(name => new ZoneSlot(DomainName.Parse(name))));
}
