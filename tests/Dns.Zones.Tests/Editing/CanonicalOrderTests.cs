using Dns.Testing;
using Xunit;

namespace Dns.Zones.Tests;

[Trait("RFC", "4034 6.1")]
public class CanonicalOrderTests(ITestOutputHelper output)
{
    [Fact]
    public void Names_are_in_the_order_of_the_example()
    {
        byte[][] names =
            [.. ((string[])["a", "yljkjljk.a", "Z.a", "zABC.a", @"a\000", "z", @"\001.z", @"\002.z", "*.z",
                @"\200.z"]).Select(
            name => WireOctets.Name($"{name}.example"))];
        ZoneBuilder builder = new(WireOctets.Name("example"));
        foreach (byte[] name in names.Reverse()) builder.Add(name, false, RRType.A, 60, [192, 0, 2, 1]);
        Assert.Equal(
            ["example.", "a.example.", "yljkjljk.a.example.", "z.a.example.", "zabc.a.example.", @"a\000.example.",
                "z.example.", @"\001.z.example.", @"\002.z.example.", "*.z.example.", @"\200.z.example."],
            Names(builder.Build().Order.GetEnumerator()));
    }

    [Fact]
    public void A_long_walk_of_edits_keeps_the_order_of_a_plain_sort()
    {
        int seed = GeneratedZone.Setting("DNS_FUZZ_SEED", Environment.TickCount);
        output.WriteLine($"DNS_FUZZ_SEED={seed}");
        Random random = new(seed);
        HashSet<string> names = [];
        Zone zone = GeneratedZone.Build([PlainZone.Soa(1)]);
        Assert.Equal(["z.test."], Names(zone.Order.GetEnumerator()));
        for (int round = 0; round < 40; round++)
        {
            // First mostly new names, so that pages split, then mostly old ones, so that they are joined.
            for (int edit = 0; edit < 8; edit++) zone = Change(zone, names, random, 400, round < 20 ? 0.8 : 0.2);
            AssertOrdered(zone, names, seed);
        }
    }

    [Fact]
    public void Names_that_begin_alike_are_sorted_to_their_ends()
    {
        HashSet<string> names = [];
        for (int i = 0; i < 2000; i++)
            names.Add($"{(i % 3 == 0 ? "below." : "")}a-long-beginning-that-all-have-{i * 7919 % 2000}.z.test");
        Zone zone = GeneratedZone.Build([PlainZone.Soa(1), .. names.Select(name => LookupTests.Address(name))]);
        foreach (string name in names.Where(name => name.StartsWith("below.", StringComparison.Ordinal)).ToArray())
            names.Add(name["below.".Length..]);
        string[] expected = [.. names.Append("z.test").OrderBy(
            name => string.Join('\0', name.Split('.').Reverse()), StringComparer.Ordinal)];
        Assert.Equal(expected, Names(zone.Order.GetEnumerator()).Select(name => name.TrimEnd('.')));
    }

    [Fact]
    public void A_name_that_does_not_exist_is_behind_the_one_before_it()
    {
        Zone zone = GeneratedZone.Build([PlainZone.Soa(1), .. ((string[])["b", "d.b", "f"]).Select(Address)]);
        foreach ((string name, string expected) in ((string, string)[])
            [("a", ""), ("b", "b"), ("c.b", "b"), ("z.d.b", "d.b"), ("e.B", "d.b"), ("c", "d.b"), ("F", "f"),
                ("g", "f")])
        {
            string found = NameText.ToText(zone.Order.AtOrBefore(WireOctets.Name($"{name}.z.test")).Name);
            Assert.Equal(expected.Length == 0 ? "z.test." : $"{expected}.z.test.", found);
        }
    }

    [Fact]
    public void What_is_below_a_name_stands_together()
    {
        Zone zone =
            GeneratedZone.Build([PlainZone.Soa(1), .. ((string[])["b", "a.b", "x.a.b", "ab", "c.c"]).Select(Address)]);
        string[] Below(string name) => Names(zone.Order.Below(WireOctets.Name(name)).GetEnumerator());
        Assert.Equal(["b.z.test.", "a.b.z.test.", "x.a.b.z.test."], Below("B.z.test"));
        Assert.Equal(["c.c.z.test."], Below("c.c.z.test"));
        Assert.Empty(Below("a.z.test"));
        Assert.Equal(zone.NameCount, Below("z.test").Length);
    }

    private static GeneratedRecord Address(string label) => LookupTests.Address($"{label}.z.test");

    private static Zone Change(Zone zone, HashSet<string> names, Random random, int most, double additions)
    {
        ZoneDeltaBuilder builder = new(DomainName.Parse(GeneratedZone.Apex), zone.Serial);
        HashSet<string> touched = [];
        for (int left = random.Next(most); left > 0; left--)
        {
            string name = $"{(char)('a' + random.Next(26))}{random.Next(30)}.p{random.Next(40)}.z.test";
            if (!touched.Add(name)) continue;
            if (names.Contains(name) != random.NextDouble() > additions) continue;
            if (names.Add(name)) builder.Add(WireOctets.Name(name), RRType.A, 60, [192, 0, 2, 1]);
            else if (names.Remove(name)) builder.Remove(WireOctets.Name(name), RRType.A, [192, 0, 2, 1]);
        }
        return ZoneEditor.From(zone).Apply(builder.Build()).Zone!;
    }

    private static void AssertOrdered(Zone zone, HashSet<string> names, int seed)
    {
        IEnumerable<string> all = names.Concat(names.Select(name => name[(name.IndexOf('.') + 1)..]).Distinct())
            .Append("z.test");
        string[] expected =
            [.. all.OrderBy(name => string.Join('\0', name.Split('.').Reverse()), StringComparer.Ordinal)];
        string[] found = [.. Names(zone.Order.GetEnumerator()).Select(name => name.TrimEnd('.'))];
        Assert.True(expected.SequenceEqual(found),
            $"DNS_FUZZ_SEED={seed}: {found.Length} names, expected {expected.Length}");
        Assert.Equal(expected.Length, zone.NameCount);
    }

    private static string[] Names(CanonicalOrder.Enumerator nodes)
    {
        List<string> names = [];
        while (nodes.MoveNext()) names.Add(NameText.ToText(nodes.Current.Name));
        return [.. names];
    }
}
