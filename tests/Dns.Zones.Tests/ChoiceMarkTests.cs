using Dns.Testing;
using Xunit;

namespace Dns.Zones.Tests;

/// <summary>The mark on names whose RRsets are chosen from, and copies of some members of an RRset.</summary>
public class ChoiceMarkTests
{
    private static readonly byte[] Pool = [3, .. "web"u8];

    private static Zone Load(string more = "") => ZoneText.Load("z.test",
        $"$TTL 60\n@ SOA ns h 1 2 3 4 5\n@ NS ns\nns A 192.0.2.1\nWWW A 192.0.2.2\nwww A 192.0.2.3\n{more}");

    [Fact]
    public void A_record_of_the_type_marks_its_name_also_where_it_comes_late()
    {
        Zone zone = Load("ns AAAA 2001:db8::1\nwww TYPE65410 \\# 4 03776562\n");
        Assert.True(IsChosen(zone, "www.z.test"));
        Assert.False(IsChosen(zone, "ns.z.test"));
    }

    [Fact]
    public void The_mark_comes_and_goes_with_the_record_in_edited_versions()
    {
        Zone zone = Load();
        Assert.False(IsChosen(zone, "www.z.test"));
        zone = Apply(zone, changes => changes.Add(WireOctets.Name("www.z.test"), ChoiceMark.Type, 60, Pool));
        Assert.True(IsChosen(zone, "www.z.test"));
        zone = Apply(zone, changes => changes.Add(WireOctets.Name("www.z.test"), RRType.A, 60, [192, 0, 2, 9]));
        Assert.True(IsChosen(zone, "www.z.test"));
        zone = Apply(zone, changes => changes.Remove(WireOctets.Name("www.z.test"), ChoiceMark.Type, Pool));
        Assert.False(IsChosen(zone, "www.z.test"));
    }

    [Fact]
    public void Members_are_copied_in_their_order_with_the_links_of_their_hosts()
    {
        Zone zone = Load("www MX 1 ns\nwww MX 2 www\nwww MX 3 mx.other.test.\n");
        LookupName name = default;
        name.Set(WireOctets.Name("www.z.test"));
        Assert.True(zone.TryFind(in name, 0, out ZoneNode node));
        Assert.True(node.TryFind(RRType.MX, out RRset rrset));
        byte[] room = new byte[512];
        Assert.True(rrset.TryCopy([2, 0], 7, room, out RRset copy));
        Assert.Equal((RRType.MX, 2, 7u, true), (copy.Type, copy.Count, copy.Ttl, copy.NamesHosts));
        Assert.Equal([0, 3], copy[0][..2].ToArray());
        Assert.Equal([0, 1], copy[1][..2].ToArray());
        Assert.Equal((rrset.HostReference(2), rrset.HostReference(0)), (copy.HostReference(0), copy.HostReference(1)));
        Assert.False(rrset.TryCopy([], 7, room, out _));
        Assert.False(rrset.TryCopy([0, 1, 2], 7, new byte[40], out _));
    }

    private static bool IsChosen(Zone zone, string owner)
    {
        LookupName name = default;
        name.Set(WireOctets.Name(owner));
        Assert.True(zone.TryFind(in name, 0, out ZoneNode node));
        Assert.Equal(!node.IsChosen, node.AnswersItself);
        return node.IsChosen;
    }

    private static Zone Apply(Zone zone, Action<ZoneDeltaBuilder> change)
    {
        ZoneDeltaBuilder changes = new(DomainName.Parse("z.test"), zone.Serial);
        change(changes);
        ZoneEditResult result = ZoneEditor.From(zone).Apply(changes.Build());
        Assert.True(result.IsApplied, result.Error?.Message);
        return result.Zone!;
    }
}
