using Dns.Testing;
using Xunit;

namespace Dns.Zones.Tests;

/// <summary>Zones whose table of names has outgrown the cache: names are closed several at a time.</summary>
public class LargeZoneTests
{
    private const int Names = 30_000;
    private const int Late = 1_000;

    [Fact]
    public void Names_that_return_among_their_neighbours_are_merged()
    {
        Zone zone = Build(partRead: null);
        Assert.Equal(Names + 2 * Late, zone.RecordCount);
        Assert.Equal(Names + 1, zone.NameCount);
        for (int i = 0; i < Names; i++)
        {
            LookupName name = default;
            name.Set(WireOctets.Name($"h{i}.z.test"));
            Assert.True(zone.TryFind(in name, 0, out ZoneNode node), $"h{i} is missing");
            Assert.True(node.TryFind(RRType.A, out RRset rrset));
            Assert.Equal(i < Names - Late ? 1 : 3, rrset.Count);
        }
    }

    [Theory, InlineData(0.0, 1), InlineData(0.001, 1), InlineData(0.02, 2), InlineData(0.5, 2), InlineData(1.0, 1)]
    public void What_is_expected_of_its_size_does_not_change_a_zone(double part, int tables)
    {
        Zone zone = Build(() => part), plain = Build(partRead: null);
        Assert.Equal(GeneratedZone.Describe(plain), GeneratedZone.Describe(zone));
        // 30,001 names need a table of 65,536 places of eight octets.
        Assert.Equal(plain.MemoryBytes + (tables - 1) * 65_536 * 8, zone.MemoryBytes);
    }

    [Fact]
    public void A_file_that_includes_another_is_read_whole()
    {
        using ZoneFolder folder = new();
        folder.Write("more",
            string.Concat(Enumerable.Range(0, Names).Select(i => $"h{i} A 10.0.{i >> 8 & 255}.{i & 255}\n")));
        ZoneLoadResult result =
            folder.Load(ZoneFolder.Start + "$INCLUDE more\n$GENERATE 1-30000 g$ A 192.0.2.1\nlast A 192.0.2.2\n");
        Assert.Empty(result.Diagnostics);
        Assert.Equal(2 + Names + 30_000 + 1, result.Zone!.RecordCount);
    }

    /// <summary>
    /// Each name once; the last thousand three times, with one or three names between, in other spellings.
    /// </summary>
    private static Zone Build(Func<double>? partRead)
    {
        ZoneBuilder builder = new(WireOctets.Name(GeneratedZone.Apex), partRead);
        for (int i = 0; i < Names - Late; i++) Add(builder, $"h{i}", 1);
        for (int i = Names - Late; i < Names; i += 2)
        {
            Add(builder, $"h{i}", 1);
            Add(builder, $"h{i + 1}", 1);
            Add(builder, $"H{i}", 2);
            Add(builder, $"H{i + 1}", 2);
            Add(builder, $"h{i}", 3);
            Add(builder, $"h{i + 1}", 3);
        }
        return builder.Build();
    }

    private static void Add(ZoneBuilder builder, string label, byte last) =>
        builder.Add(WireOctets.Name($"{label}.z.test"), false, RRType.A, 60, [192, 0, 2, last]);
}
