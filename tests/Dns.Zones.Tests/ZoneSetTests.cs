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

    [Theory]
    [InlineData(0, "sub.example.test.", 0)]
    [InlineData(1, "example.test.", 1)]
    [InlineData(2, ".", 3)]
    [InlineData(3, ".", 3)]
    [InlineData(4, null, 4)]
    public void Labels_left_out_are_those_of_no_zone(int skipped, string? zone, int apexSkip)
    {
        LookupName name = default;
        name.Set(WireOctets.Name("sub.example.test"));
        Assert.Equal(zone,
            SetOf(".", "example.test", "sub.example.test").Find(in name, skipped, out int skip)?.Name.ToString());
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
    public void A_set_with_other_zones_leaves_the_first_as_it_is()
    {
        ZoneSlot[] slots = SlotsOf(2000);
        ZoneSet before = ZoneSet.Create(slots.Take(1500)), after = before.With(slots.Take(500), slots.Skip(1500));
        Assert.All(slots, (slot, i) => Assert.Same(i < 1500 ? slot : null, before.FindExact(slot.Name)));
        Assert.All(slots, (slot, i) => Assert.Same(i >= 500 ? slot : null, after.FindExact(slot.Name)));
        Assert.Equal((1500, 1500), (before.Count, after.Count));
        Assert.Equal(slots.Skip(500).ToHashSet(), after.Slots.ToHashSet());
        Assert.NotEqual(before.Snapshot, after.Snapshot);
    }

    [Fact]
    public void Random_changes_give_what_a_dictionary_gives()
    {
        Random random = new(9432);
        ZoneSlot[] all = SlotsOf(3000);
        HashSet<ZoneSlot> there = [];
        ZoneSet set = ZoneSet.Empty;
        for (int round = 0; round < 400; round++)
        {
            // It grows to all zones, and falls to none in the end.
            double share = Math.Sin(Math.PI * round / 399);
            ZoneSlot[] removed = [.. there.Where(_ => random.NextDouble() > share)];
            there.ExceptWith(removed);
            ZoneSlot[] added = [.. all.Where(slot => !there.Contains(slot) && random.NextDouble() < share / 10)];
            there.UnionWith(added);
            set = set.With(removed, added);
            Assert.Equal(there.Count, set.Slots.Count());
            if (round % 20 == 0)
                Assert.All(all, slot => Assert.Same(there.Contains(slot) ? slot : null, set.FindExact(slot.Name)));
        }
        Assert.Equal(0, set.Count);
    }

    [Fact]
    public void A_name_is_given_to_another_slot_in_one_step()
    {
        ZoneSlot one = new(DomainName.Parse("example.test")), other = new(DomainName.Parse("EXAMPLE.test"));
        ZoneSet set = ZoneSet.Create([one]).With([one], [other]);
        Assert.Same(other, set.FindExact(one.Name));
        Assert.Throws<ArgumentException>(() => set.With([one], []));
        Assert.Throws<ArgumentException>(() => set.With([], [one]));
    }

    [Fact]
    public void A_number_of_labels_that_no_zone_has_any_more_is_not_looked_up()
    {
        ZoneSlot deep = new(DomainName.Parse("a.b.test")), twin = new(DomainName.Parse("c.b.test"));
        ZoneSet set = ZoneSet.Create([deep, twin]);
        Assert.Same(twin, set.With([deep], []).FindExact(twin.Name));
        Assert.Null(set.With([deep, twin], []).FindExact(twin.Name));
    }

    [Fact]
    [Trait("Size", "large")]
    public void One_of_a_million_zones_comes_and_goes_with_a_copy_of_a_few_kilobytes()
    {
        const int count = 1_000_000;
        ZoneSet set = ZoneSet.Create(SlotsOf(count));
        ZoneSlot[] more = SlotsOf(64, "more");
        _ = set.With([], more).With(more, []);
        long before = GC.GetAllocatedBytesForCurrentThread();
        foreach (ZoneSlot slot in more) set = set.With([], [slot]);
        foreach (ZoneSlot slot in more) set = set.With([slot], []);
        long octets = (GC.GetAllocatedBytesForCurrentThread() - before) / (2 * more.Length);
        // The directory, 32 or 64 KB, and a page or two.
        Assert.InRange(octets, 8 << 10, 100 << 10);
        Assert.Equal(count, set.Count);
    }

    private static ZoneSlot[] SlotsOf(int count, string kind = "z") =>
        [.. Enumerable.Range(0, count).Select(i => new ZoneSlot(DomainName.Parse($"{kind}{i}.test")))];

    private static ZoneSet SetOf(params string[] names) =>
        ZoneSet.Create(names.Select(name => new ZoneSlot(DomainName.Parse(name))));
}
