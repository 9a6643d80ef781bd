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
    public void Cells_stand_in_several_sets_at_once()
    {
        ZoneCell[] cells = [.. Enumerable.Range(0, 100).Select(i => new ZoneCell(DomainName.Parse($"z{i}.test")))];
        ZoneSet all = ZoneSet.Create(cells), some = ZoneSet.Create(cells.Take(50).Reverse());
        Assert.All(cells, cell => Assert.Same(cell, all.FindExact(cell.Name)));
        Assert.All(cells, (cell, i) => Assert.Same(i < 50 ? cell : null, some.FindExact(cell.Name)));
    }

    [Fact]
    public void A_zone_is_published_only_under_its_own_name()
    {
        ZoneCell cell = new(DomainName.Parse("other.test"));
        Assert.Throws<ArgumentException>(() => cell.Publish(GeneratedZone.Build([])));
        Assert.Equal(ZoneState.Loading, cell.State);
    }

    [Fact]
    public void A_failure_keeps_the_last_data_and_a_success_ends_it()
    {
        ZoneCell cell = new(DomainName.Parse(GeneratedZone.Apex));
        cell.Fail("unreadable");
        Assert.Equal(ZoneState.Failed, cell.State);
        cell.Publish(GeneratedZone.Build([]));
        Assert.Equal((ZoneState.Serving, null), (cell.State, cell.Failure));
        cell.Fail("unreadable again");
        Assert.Equal((ZoneState.Serving, "unreadable again"), (cell.State, cell.Failure));
    }

    private static ZoneSet SetOf(params string[] names) =>
        ZoneSet.Create(names.Select(name => new ZoneCell(DomainName.Parse(name))));
}
