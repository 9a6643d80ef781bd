using Dns.Testing;
using Xunit;

namespace Dns.Zones.Tests;

public class LookupTests(ITestOutputHelper output)
{
    [Fact, Trait("RFC", "1034 4.3.2")]
    public void Look_up_agrees_with_the_plain_oracle()
    {
        int seed = GeneratedZone.Setting("DNS_FUZZ_SEED", Environment.TickCount);
        output.WriteLine($"DNS_FUZZ_SEED={seed}");
        Random random = new(seed);
        for (int left = GeneratedZone.Setting("DNS_FUZZ_CASES", 1000); left > 0; left--)
        {
            List<GeneratedRecord> records = GeneratedZone.NextRecords(random);
            Zone zone = GeneratedZone.Build(records);
            LookupOracle oracle = new(GeneratedZone.Apex, records);
            Assert.Equal(oracle.Names.Count, zone.NameCount);
            foreach (string name in oracle.Names
                .Concat(Enumerable.Range(0, 30).Select(_ => GeneratedZone.NextName(random))))
            {
                foreach (RRType type in (RRType[])[RRType.A, RRType.DS])
                {
                    var expected = oracle.Lookup(name, type);
                    var found = Lookup(zone, name, type);
                    Assert.True(expected == found,
                        $"DNS_FUZZ_SEED={seed} {name} {type}: {found}, expected {expected}, in\n" +
                            $"{GeneratedZone.Describe(zone)}");
                }
            }
        }
    }

    [Fact, Trait("RFC", "4592 2.2.2")]
    public void Names_between_a_deep_name_and_the_apex_exist()
    {
        Zone zone = GeneratedZone.Build([Address("a.b.c.z.test")]);
        Assert.Equal(4, zone.NameCount);
        Assert.Equal((LookupOutcome.Found, "b.c.z.test", 0), Lookup(zone, "b.c.z.test", RRType.A));
        Assert.Equal((LookupOutcome.NameError, "b.c.z.test", 1), Lookup(zone, "x.b.c.z.test", RRType.A));
    }

    [Fact, Trait("RFC", "1034 4.2.1")]
    public void The_topmost_cut_is_the_one_that_counts()
    {
        GeneratedRecord Cut(string owner) => new(owner, RRType.NS, 60, WireOctets.Name("ns.other.test"));
        Zone zone = GeneratedZone.Build([Cut("a.b.z.test"), Cut("b.z.test"), Address("x.a.b.z.test")]);
        Assert.Equal((LookupOutcome.Delegation, "b.z.test", 2), Lookup(zone, "x.a.b.z.test", RRType.A));
        Assert.Equal((LookupOutcome.Delegation, "b.z.test", 1), Lookup(zone, "a.b.z.test", RRType.DS));
        Assert.Equal((LookupOutcome.Found, "b.z.test", 0), Lookup(zone, "b.z.test", RRType.DS));
    }

    [Fact, Trait("RFC", "6672 2.3")]
    public void A_dname_at_the_apex_redirects_all_but_the_apex()
    {
        Zone zone = GeneratedZone.Build([new(GeneratedZone.Apex, RRType.DNAME, 60, WireOctets.Name("other.test"))]);
        Assert.Equal((LookupOutcome.Redirection, "z.test", 2), Lookup(zone, "x.y.z.test", RRType.A));
        Assert.Equal((LookupOutcome.Found, "z.test", 0), Lookup(zone, "z.test", RRType.A));
    }

    [Fact]
    public void The_root_zone_is_a_zone_like_any_other()
    {
        ZoneBuilder builder = new([0]);
        builder.Add(WireOctets.Name("www.test"), false, RRType.A, 60, [192, 0, 2, 1]);
        Zone zone = builder.Build();
        Assert.Equal(3, zone.NameCount);
        LookupName name = default;
        name.Set(WireOctets.Name("x.www.test"));
        Assert.Equal(LookupOutcome.NameError, zone.Lookup(in name, 3, RRType.A).Outcome);
    }

    [Fact]
    public void A_hint_for_another_name_is_ignored()
    {
        Zone zone = GeneratedZone.Build([Address("a.z.test")]);
        LookupName asked = default, hinted = default;
        asked.Set(WireOctets.Name("a.z.test"));
        hinted.Set(WireOctets.Name("z.test"));
        NodeHint hint = zone.PrefetchNode(in hinted);
        Assert.True(zone.TryFind(in asked, in hint, out ZoneNode node));
        Assert.Equal("a.z.test.", NameText.ToText(node.Name));
    }

    internal static GeneratedRecord Address(string owner, byte last = 1) => new(owner, RRType.A, 60, [192, 0, 2, last]);

    private static (LookupOutcome Outcome, string Node, int Skipped) Lookup(Zone zone, string text, RRType type)
    {
        LookupName name = default;
        name.Set(WireOctets.Name(text));
        LookupResult found = zone.Lookup(in name, name.LabelCount - WireName.CountLabels(zone.Apex), type);
        return (found.Outcome, NameText.ToText(found.Node.Name).TrimEnd('.'), found.SkippedLabels);
    }
}
