using Dns.Testing;
using Xunit;

namespace Dns.Zones.Tests.Denial;

/// <summary>The compact denial record: the successor of a name, and its types (RFC 9824 §3, RFC 4471 §3.1.2).</summary>
public sealed class CompactNsecTests
{
    private const string Apex = "example.";

    private static readonly string Label63 = new('a', 63), Label63Ff = string.Concat(Enumerable.Repeat("\\255", 63));

    [Fact]
    public void The_next_name_is_directly_behind_it_and_as_long_as_names_may_be()
    {
        // 255 octets: 9 of the zone, three labels of 64 and one of 54.
        string below = $"{Label63}.{Label63}.{Label63}.{Apex}";
        Assert.Equal("\\000.a.example.", Next("a.example."));
        Assert.Equal($"\\000.{Label63}.example.", Next($"{Label63}.example."));
        Assert.Equal($"\\000.{new string('b', 51)}.{below}", Next($"{new string('b', 51)}.{below}"));
        Assert.Equal($"{new string('b', 52)}\\000.{below}", Next($"{new string('b', 52)}.{below}"));
        Assert.Equal($"{new string('b', 52)}c.{below}", Next($"{new string('b', 53)}.{below}"));
        Assert.Equal($"{new string('b', 52)}[.{below}", Next($"{new string('b', 52)}\\@.{below}"));
        Assert.Equal($"{new string('b', 51)}c.{below}", Next($"{new string('b', 52)}\\255.{below}"));
        string last = string.Concat(Enumerable.Repeat("\\255", 53));
        Assert.Equal($"{new string('a', 62)}b.{Label63}.{Label63}.{Apex}", Next($"{last}.{below}"));
        Assert.Equal(Apex, Next($"{last}.{Label63Ff}.{Label63Ff}.{Label63Ff}.{Apex}"));
        // A label of 63 octets in a name of 254 has no octet more.
        Assert.Equal($"{new string('b', 62)}c.{new string('c', 52)}.{Label63}.{Label63}.{Apex}",
            Next($"{new string('b', 63)}.{new string('c', 52)}.{Label63}.{Label63}.{Apex}"));
    }

    [Fact]
    public void Types_are_those_of_the_node_in_every_window()
    {
        Zone zone = ZoneText.Load("example", """
            @ 60 SOA ns host 1 3600 600 86400 60
            @ NS ns
            ns A 192.0.2.1
            ns TYPE300 \# 0
            ns TYPE65279 \# 0
            ns CAA 0 issue "x"
            deep.ent A 192.0.2.1
            cut NS ns.cut
            cut DS 1 13 2 3AA5AB37EFCE57F737FC1627013FEE07BDF241BD10F3B1964AB55C78E79A304B
            cut NSEC cut NS DS RRSIG NSEC
            """);
        Assert.Equal("\\000.ns.example. A RRSIG NSEC CAA TYPE300 TYPE65279", At(zone, "ns.example."));
        Assert.Equal("\\000.ent.example. RRSIG NSEC", At(zone, "ent.example."));
        Assert.Equal("\\000.cut.example. NS DS RRSIG NSEC", At(zone, "cut.example."));
        byte[] room = new byte[CompactNsec.MaxOctets];
        RRset record = CompactNsec.Read(
            room.AsSpan(0, CompactNsec.WriteNameError(room, 60, DomainName.Parse("no.example.").Octets, zone.Apex)));
        Assert.Equal((RRType.NSEC, 1, 60u), (record.Type, record.Count, record.Ttl));
        Assert.Equal("\\000.no.example. RRSIG NSEC NXNAME", Rdata.Format(RRType.NSEC, record.First));
    }

    private static string At(Zone zone, string text)
    {
        DomainName name = DomainName.Parse(text);
        LookupName lookup = default;
        lookup.Set(name.Octets);
        Assert.True(zone.TryFind(in lookup, 0, out ZoneNode node));
        byte[] room = new byte[CompactNsec.MaxOctets];
        RRset record =
            CompactNsec.Read(room.AsSpan(0, CompactNsec.WriteNoData(room, 60, name.Octets, zone.Apex, node)));
        Assert.True(Rdata.IsValid(RRType.NSEC, record.First));
        return Rdata.Format(RRType.NSEC, record.First);
    }

    private static string Next(string text)
    {
        byte[] name = DomainName.Parse(text).Octets.ToArray(), next = new byte[WireName.MaxOctets];
        int length = CompactNsec.WriteNext(next, name, DomainName.Parse(Apex).Octets);
        Assert.True(WireName.IsValid(next.AsSpan(0, length)));
        return NameText.ToText(next.AsSpan(0, length));
    }
}
