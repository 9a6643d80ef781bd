using Dns.Testing;
using Xunit;

namespace Dns.Zones.Tests;

public sealed class ZoneDeltaTests : IDisposable
{
    private const string Text =
        "$TTL 60\n@ SOA ns h 1 2 3 4 5\n@ NS ns\nns A 192.0.2.1\nwww A 192.0.2.2\nwww A 192.0.2.3\nmx MX 1 ns\n";

    private readonly ZoneFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    private static Zone Load(string text) => ZoneText.Load("example.test", text);

    [Theory]
    [InlineData("", "")]
    [InlineData("www A 192.0.2.2\nwww A 192.0.2.3\n", "www A 192.0.2.3\nwww A 192.0.2.2\n")]
    [InlineData("@ NS ns\nns A 192.0.2.1\n", "ns A 192.0.2.1\n@ NS ns\n")]
    public void The_same_records_in_any_order_are_no_difference(string old, string now) =>
        Assert.True(ZoneDelta.Between(Load(Text), Load(old.Length == 0 ? Text : Text.Replace(old, now))).IsEmpty);

    [Theory]
    [InlineData("192.0.2.3", "192.0.2.4", 1, 1)]
    [InlineData("SOA ns h 1", "SOA ns h 2", 1, 1)]
    [InlineData("www A 192.0.2.2\nwww A", "www 59 A 192.0.2.2\nwww 59 A", 2, 2)]
    [InlineData("www", "wwx", 2, 2)]
    [InlineData("mx MX", "mX MX", 1, 1)]
    [InlineData("mx MX 1 ns\n", "", 1, 0)]
    [InlineData("mx MX 1 ns\n", "mx MX 1 ns\nmy MX 1 ns\n", 0, 1)]
    [InlineData("mx MX 1 ns\n", "mx MX 1 ns\nmx.a.b MX 1 NS\n", 0, 1)]
    [InlineData("mx MX 1 ns", "mx MX 1 NS", 1, 1)]
    [InlineData("mx MX 1 ns", "mx RT 1 ns", 1, 1)]
    public void A_difference_is_found_and_leads_from_one_version_to_the_other(string old, string now,
        int removed, int added)
    {
        Zone zone = Load(Text), other = Load(Text.Replace(old, now));
        AssertLeads(zone, other, removed, added);
        AssertLeads(other, zone, added, removed);
    }

    [Fact]
    public void The_difference_of_random_versions_leads_from_one_to_the_other()
    {
        Random random = new(GeneratedZone.Setting("DNS_FUZZ_SEED", 1));
        int applied = 0;
        for (int left = GeneratedZone.Setting("DNS_FUZZ_CASES", 1000); left > 0; left--)
        {
            GeneratedRecord[] records = [.. GeneratedZone.NextRecords(random), .. GeneratedZone.NextRecords(random)];
            random.Shuffle(records);
            PlainZone old = new([PlainZone.Soa(1)]), now = new([PlainZone.Soa(2)]);
            foreach (GeneratedRecord record in records[..(records.Length * 2 / 3)])
                old = old.After([], [record]) ?? old;
            foreach (GeneratedRecord record in records[(records.Length / 3)..]) now = now.After([], [record]) ?? now;
            Zone from = old.Build(), to = now.Build();
            ZoneDelta delta = ZoneDelta.Between(from, to);
            Zone next = ZoneEditor.From(from).Apply(delta).Zone!;
            Assert.Equal(EditedZones.Describe(to), EditedZones.Describe(next));
            Assert.True(ZoneDelta.Between(next, to).IsEmpty);
            Assert.True(ZoneDelta.Between(to, next).IsEmpty);
            applied += delta.Added.Count;
        }
        Assert.InRange(applied, 1000, int.MaxValue);
    }

    [Fact]
    public void A_difference_of_two_zones_is_a_mistake() =>
        Assert.Throws<ArgumentException>(() => ZoneDelta.Between(Load(Text), ZoneText.Load("example.org", Text)));

    [Fact]
    public void A_reload_with_few_differences_keeps_the_memory_of_the_rest()
    {
        Zone served = Reload(null, "x", 5000);
        Assert.Same(served, Reload(served, "x", 5000));
        Zone next = Reload(served, "y", 5000);
        Assert.Same(served.Segments[0], next.Segments[0]);
        Assert.Equal(EditedZones.Describe(Reload(null, "y", 5000)), EditedZones.Describe(next));
        Assert.Same(next, Reload(next, "y", 5000));
    }

    [Fact]
    public void A_reload_with_many_differences_or_of_a_small_zone_is_taken_whole()
    {
        Zone served = Reload(null, "x", 5000);
        Assert.NotSame(served.Segments[0], Reload(served, "x", 2000).Segments[0]);
        Zone small = Reload(null, "x", 500);
        Assert.NotSame(small.Segments[0], Reload(small, "y", 500).Segments[0]);
        Assert.Same(small, Reload(small, "x", 500));
    }

    private Zone Reload(Zone? served, string label, int names)
    {
        string file =
            _folder.Write("zone", ZoneFolder.Start + $"{label} A 192.0.2.1\n$GENERATE 1-{names} h$ A 192.0.2.2\n");
        return ZoneLoader.Load(DomainName.Parse("example.com"), file, served: served).Zone!;
    }

    private static void AssertLeads(Zone old, Zone now, int removed, int added)
    {
        ZoneDelta delta = ZoneDelta.Between(old, now);
        Assert.Equal((removed, added), (delta.Removed.Count, delta.Added.Count));
        Zone next = ZoneEditor.From(old).Apply(delta).Zone!;
        Assert.Equal(EditedZones.Describe(now), EditedZones.Describe(next));
    }
}
