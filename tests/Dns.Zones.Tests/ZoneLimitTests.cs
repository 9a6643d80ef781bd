using Dns.Testing;
using Xunit;

namespace Dns.Zones.Tests;

public class ZoneLimitTests
{
    [Fact]
    public void A_name_below_a_zone_is_no_zone()
    {
        ZoneSet set = ZoneSet.Create([new ZoneSlot(DomainName.Parse("example.test"))]);
        Assert.NotNull(set.FindExact(DomainName.Parse("Example.test")));
        Assert.Null(set.FindExact(DomainName.Parse("www.example.test")));
        Assert.Null(set.FindExact(DomainName.Parse("test")));
    }

    [Fact]
    public void A_zone_is_not_published_under_a_name_of_the_same_length()
    {
        ZoneSlot slot = new(DomainName.Parse("y.test"));
        Assert.Throws<ArgumentException>(() => slot.Publish(GeneratedZone.Build([])));
        Assert.Null(slot.Zone);
    }

    /// <summary>
    /// The table of names keeps 32 bits of a hash: among 500,000 names some thirty pairs share them, and some sixty of
    /// as many absent names share them with one that is there. Fewer names are merged than would have the table made
    /// anew.
    /// </summary>
    [Fact]
    public void Names_that_share_the_kept_bits_of_their_hashes_are_told_apart()
    {
        const int names = 500_000;
        ZoneBuilder builder = new(WireOctets.Name(GeneratedZone.Apex));
        for (int i = 0; i < names; i++) builder.Add(NameOf(i), false, RRType.A, 60, [192, 0, 2, 1]);
        for (int i = 0; i < names; i++)
            if (IsMerged(i)) builder.Add(NameOf(i), false, RRType.A, 60, [192, 0, 2, 2]);
        Zone zone = builder.Build();
        Assert.Equal(names + 1, zone.NameCount);
        LookupName name = default;
        for (int i = 0; i < names; i++)
        {
            name.Set(NameOf(i));
            Assert.True(zone.TryFind(in name, 0, out ZoneNode node) && node.TryFind(RRType.A, out RRset rrset)
                && rrset.Count == (IsMerged(i) ? 2 : 1));
            name.Set(NameOf(i + names));
            Assert.False(zone.TryFind(in name, 0, out _));
        }

        static bool IsMerged(int i) => i % 10 < 3;
        static byte[] NameOf(int i) =>
            [.. "\u0007"u8, .. System.Text.Encoding.ASCII.GetBytes($"{i:D7}"), .. "\u0001z\u0004test\0"u8];
    }

    [Fact]
    public void Signatures_of_a_type_above_255_are_its_own()
    {
        byte[] Covers(int type) => [(byte)(type >> 8), (byte)type, 8, 2, .. new byte[14], 0, 1];
        Zone zone = GeneratedZone.Build(
        [
            new("a.z.test", RRType.RRSIG, 30, Covers((int)RRType.CAA)),
            new("a.z.test", RRType.RRSIG, 60, Covers((int)RRType.A)),
        ]);
        LookupName name = default;
        name.Set(WireOctets.Name("a.z.test"));
        Assert.True(zone.TryFind(in name, 0, out ZoneNode node));
        Assert.True(node.TryFindSignatures(RRType.A, out RRset ofAddress));
        Assert.Equal(60u, ofAddress.Ttl);
        Assert.True(node.TryFindSignatures(RRType.CAA, out RRset ofAuthority));
        Assert.Equal(30u, ofAuthority.Ttl);
    }

    [Theory]
    [InlineData(32)]
    [InlineData(33)]
    [InlineData(200)]
    public void Records_keep_the_order_they_came_in(int records)
    {
        ZoneBuilder builder = new(WireOctets.Name(GeneratedZone.Apex));
        for (int i = 0; i < records; i++)
            builder.Add(WireOctets.Name("a.z.test"), i > 0, i % 3 == 0 ? RRType.TXT : RRType.A, 60,
                i % 3 == 0 ? [1, (byte)i] : [192, 0, 2, (byte)i]);
        LookupName name = default;
        name.Set(WireOctets.Name("a.z.test"));
        Assert.True(builder.Build().TryFind(in name, 0, out ZoneNode node));
        List<(RRType, byte)> found = [];
        foreach (RRset rrset in node)
            foreach (ReadOnlySpan<byte> rdata in rrset) found.Add((rrset.Type, rdata[^1]));
        Assert.Equal(
            Enumerable.Range(0, records).Select(i => (i % 3 == 0 ? RRType.TXT : RRType.A, (byte)i))
                .OrderBy(record => record.Item1 == RRType.A), found);
    }

    [Fact]
    public void Too_many_records_are_noted_behind_any_number_of_warnings()
    {
        ZoneBuilder builder = new(WireOctets.Name(GeneratedZone.Apex));
        for (int i = 0; i <= ZoneBuilder.MaxWarnings + 1; i++)
            builder.Add(WireOctets.Name("a.z.test"), true, RRType.A, 60, [192, 0, 2, 1]);
        for (int i = 0; i <= ushort.MaxValue; i++)
            builder.Add(WireOctets.Name("b.z.test"), i > 0, RRType.A, 60, [10, 0, (byte)(i >> 8), (byte)i]);
        Zone zone = builder.Build();
        Assert.Equal(ZoneBuilder.MaxWarnings + 1, builder.Notes.Count);
        Assert.Equal(ZoneBuildDiagnosticKind.TooManyRecords, builder.Notes[^1].Kind);
        Assert.Equal(1 + ushort.MaxValue, zone.RecordCount);
    }
}
