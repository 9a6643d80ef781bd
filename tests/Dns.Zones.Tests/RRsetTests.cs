using System.Buffers.Binary;
using Dns.Testing;
using Xunit;

namespace Dns.Zones.Tests;

/// <summary>RRsets of one record and lists of records.</summary>
public class RRsetTests
{
    [Theory]
    [InlineData(RRType.A, 1, 0u), InlineData(RRType.A, 1, 2_147_483_647u)]
    [InlineData(RRType.A, 2, 0u), InlineData(RRType.A, 2, 2_147_483_647u)]
    [InlineData(RRType.A, 65_535, 60u)]
    [InlineData(RRType.NS, 1, 0u), InlineData(RRType.NS, 1, 2_147_483_647u)]
    [InlineData(RRType.NS, 200, 60u)]
    public void An_RRset_reads_as_it_was_added(RRType type, int count, uint ttl)
    {
        List<byte[]> added = [.. Enumerable.Range(0, count).Select(i => type == RRType.NS ? Host(i) : Address(i))];
        ZoneBuilder builder = new(WireOctets.Name(GeneratedZone.Apex));
        builder.Add(WireOctets.Name("a.z.test"), false, RRType.TXT, 1, [0]);
        foreach (byte[] rdata in added) builder.Add(WireOctets.Name("a.z.test"), true, type, ttl, rdata);
        builder.Add(WireOctets.Name("a.z.test"), true, (RRType)65280, 2, []);
        builder.Add(WireOctets.Name("ns0.z.test"), false, RRType.A, 60, [192, 0, 2, 1]);
        Zone zone = builder.Build();
        ZoneNode node = Find(zone, "a");
        Assert.Equal(3, node.RRsetCount);
        Assert.True(node.TryFind(type, out RRset rrset));
        Assert.Equal((type, count, ttl), (rrset.Type, rrset.Count, rrset.Ttl));
        Assert.Equal(type == RRType.NS, rrset.NamesHosts);
        int index = 0;
        foreach (ReadOnlySpan<byte> rdata in rrset) Assert.Equal(added[index++], rdata.ToArray());
        Assert.Equal(count, index);
        Assert.Equal(type == RRType.NS, rrset.NamesHosts && zone.TryFindHost(rrset, 0, added[0], out _));
        Assert.True(node.TryFind((RRType)65280, out RRset last));
        Assert.Equal((1, 2u, 0), (last.Count, last.Ttl, last.First.Length));
    }

    [Fact]
    public void A_record_alone_takes_eight_octets_beside_its_RDATA()
    {
        const int names = 100_000;
        ZoneBuilder builder = new(WireOctets.Name(GeneratedZone.Apex));
        for (int i = 0; i < names; i++)
            builder.Add(WireOctets.Name($"{i:000000}.z.test"), false, RRType.A, 60, Address(i));
        // 8 octets of node, 15 of name, 12 of RRset and one of padding, and the apex; beside the table of names.
        Assert.InRange(builder.Build().MemoryBytes - 262_144 * 8, names * 36, names * 36 + 64);
    }

    [Fact]
    public void A_record_that_is_left_alone_takes_no_more_than_one_that_was_added_alone()
    {
        Assert.Equal(OctetsOf(add: 1, twice: false), OctetsOf(add: 1, twice: true));
        Assert.Equal(OctetsOf(add: 1, twice: false), OctetsOf(add: 2, twice: false, new ZoneLimits(1, 100)));

        // Many names, since memory is allocated in units.
        static long OctetsOf(int add, bool twice, ZoneLimits? limits = null)
        {
            ZoneBuilder builder = new(WireOctets.Name(GeneratedZone.Apex), limits: limits);
            for (int i = 0; i < 1000; i++)
            {
                byte[] owner = WireOctets.Name($"{i:0000}.z.test");
                builder.Add(owner, false, RRType.TXT, 60, [1, (byte)'x']);
                for (int record = 0; record < add; record++)
                    for (int copy = twice ? 0 : 1; copy < 2; copy++)
                        builder.Add(owner, true, RRType.A, 60, Address(record));
            }
            Zone zone = builder.Build();
            Assert.Equal(2000, zone.RecordCount);
            Assert.Equal(2, Find(zone, "0007").RRsetCount);
            return zone.MemoryBytes;
        }
    }

    [Theory, InlineData(RRType.A), InlineData(RRType.NS)]
    public void An_edit_makes_a_list_of_one_record_and_one_record_of_a_list(RRType type)
    {
        byte[][] rdata = [type == RRType.NS ? Host(0) : Address(0), type == RRType.NS ? Host(1) : Address(1)];
        ZoneBuilder builder = new(WireOctets.Name(GeneratedZone.Apex));
        builder.Add(WireOctets.Name(GeneratedZone.Apex), false, RRType.SOA, 60, Soa(1));
        builder.Add(WireOctets.Name("a.z.test"), false, type, 60, rdata[0]);
        Zone one = builder.Build();
        Zone two = Edit(one, 2, delta => delta.Add(WireOctets.Name("a.z.test"), type, 60, rdata[1]));
        Zone again = Edit(two, 3, delta => delta.Remove(WireOctets.Name("a.z.test"), type, rdata[0], 60));
        Assert.Equal(["00"], Records(one));
        Assert.Equal(["00", "01"], Records(two));
        Assert.Equal(["01"], Records(again));

        string[] Records(Zone zone)
        {
            ZoneNode node = Find(zone, "a");
            Assert.True(node.TryFind(type, out RRset rrset));
            Assert.Equal((1, type, 60u), (node.RRsetCount, rrset.Type, rrset.Ttl));
            List<string> found = [];
            foreach (ReadOnlySpan<byte> octets in rrset)
                found.Add(octets.SequenceEqual(rdata[0]) ? "00" : octets.SequenceEqual(rdata[1]) ? "01" : "?");
            Assert.Equal(found.Count, rrset.Count);
            return [.. found];
        }
    }

    private static Zone Edit(Zone zone, uint serial, Action<ZoneDeltaBuilder> change)
    {
        ZoneDeltaBuilder delta = new(DomainName.FromOctets(zone.Apex), serial - 1);
        delta.Remove(zone.Apex, RRType.SOA, Soa(serial - 1), 60);
        delta.Add(zone.Apex, RRType.SOA, 60, Soa(serial));
        change(delta);
        ZoneEditResult result = ZoneEditor.From(zone).Apply(delta.Build());
        Assert.True(result.IsApplied, result.Error?.Message);
        return result.Zone;
    }

    private static byte[] Soa(uint serial) =>
        [.. Host(0), .. Host(0), .. BitConverter.GetBytes(serial).Reverse(), .. new byte[16]];

    private static byte[] Address(int number)
    {
        byte[] address = new byte[4];
        BinaryPrimitives.WriteInt32BigEndian(address, number);
        return address;
    }

    private static byte[] Host(int number) => WireOctets.Name($"ns{number}.z.test");

    private static ZoneNode Find(Zone zone, string relative)
    {
        LookupName name = default;
        name.Set(WireOctets.Name($"{relative}.z.test"));
        Assert.True(zone.TryFind(in name, 0, out ZoneNode node), relative);
        return node;
    }
}
