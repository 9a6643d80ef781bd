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
