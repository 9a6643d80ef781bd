using Dns.Testing;
using Xunit;

namespace Dns.Zones.Tests.Denial;

/// <summary>The index of a chain beside a sorted list, while names come and go by the thousand.</summary>
public class DenialIndexTests(ITestOutputHelper output)
{
    [Theory, InlineData(false), InlineData(true), Trait("RFC", "4034 6.1")]
    public void A_long_walk_of_edits_keeps_the_chain_of_a_plain_sort(bool isHashed)
    {
        int seed = GeneratedZone.Setting("DNS_FUZZ_SEED", Environment.TickCount);
        output.WriteLine($"DNS_FUZZ_SEED={seed}");
        Random random = new(seed);
        SortedSet<string> names = new(NameOrder.Canonical);
        Zone zone = GeneratedZone
            .Build([PlainZone.Soa(1), .. Link("z.test", isHashed: false), .. Parameters(isHashed), .. First(isHashed)]);
        if (isHashed) names.Add(First(true)[0].Owner);
        else names.Add("z.test");
        for (int round = 0; round < 24; round++)
        {
            // First mostly new names, so that pages split, then mostly old ones, so that they are joined.
            for (int edit = 0; edit < 6; edit++)
                zone = Change(zone, names, random, 500, round < 12 ? 0.8 : 0.2, isHashed);
            AssertFound(zone, names, random, isHashed, seed);
        }
        zone = Change(zone, names, random, int.MaxValue, 0, isHashed);
        AssertFound(zone, names, random, isHashed, seed);
    }

    private static GeneratedRecord[] First(bool isHashed) =>
        isHashed ? Link(new string('0', 32) + ".z.test", true) : [];

    private static GeneratedRecord[] Parameters(bool isHashed) =>
        isHashed ? [new GeneratedRecord("z.test", RRType.NSEC3PARAM, 0, [1, 0, 0, 0, 0])] : [];

    private static GeneratedRecord[] Link(string owner, bool isHashed) => isHashed
        ? [new GeneratedRecord(owner, RRType.NSEC3, 60, [1, 0, 0, 0, 0, 20, .. new byte[20]])]
        : [new GeneratedRecord(owner, RRType.NSEC, 60, [.. WireOctets.Name("z.test"), 0, 1, 0x40])];

    private static string NextName(Random random, bool isHashed) => isHashed
        ? SignedZone.Hash(random.Next().ToString(System.Globalization.CultureInfo.InvariantCulture), 0, []) + ".z.test"
        : string.Concat(Enumerable.Range(0, random.Next(1, 4))
            .Select(_ => $"{(random.Next(2) == 0 ? "host" : "a-long-beginning-")}{random.Next(40)}."))
            + "z.test";

    private static Zone Change(Zone zone, SortedSet<string> names, Random random, int most, double additions,
        bool isHashed)
    {
        List<GeneratedRecord> added = [], removed = [];
        string[] old = [.. names];
        random.Shuffle(old);
        int additionsLeft = (int)(Math.Min(most, 500) * additions), removalsLeft = Math.Min(most, 500 - additionsLeft);
        if (most == int.MaxValue) (additionsLeft, removalsLeft) = (0, old.Length);
        foreach (string name in old.Where(name => name != "z.test" && name != First(true)[0].Owner).Take(removalsLeft))
        {
            removed.AddRange(Link(name, isHashed));
            names.Remove(name);
        }
        for (; additionsLeft > 0; additionsLeft--)
        {
            string name = NextName(random, isHashed);
            if (!old.Contains(name) && names.Add(name)) added.AddRange(Link(name, isHashed));
        }
        return EditedZones.Edited(zone, [.. removed], [.. added]);
    }

    private static void AssertFound(Zone zone, SortedSet<string> names, Random random, bool isHashed, int seed)
    {
        Assert.Equal(names.Count, zone.Denial!.Count);
        string[] sorted = [.. names];
        for (int i = 0; i < 300; i++)
        {
            string asked = i % 3 == 0 ? sorted[random.Next(sorted.Length)] : NextName(random, isHashed);
            int found = Array.BinarySearch(sorted, asked, NameOrder.Canonical);
            int expected = found >= 0 ? found : ~found - 1;
            Assert.True(Find(zone, asked, isHashed) == sorted[expected < 0 ? sorted.Length - 1 : expected],
                $"DNS_FUZZ_SEED={seed}: {asked}");
        }
    }

    private static string Find(Zone zone, string name, bool isHashed)
    {
        byte[] wire = WireOctets.Name(name), key = new byte[CanonicalKey.MaxOctets];
        uint found;
        if (isHashed)
        {
            Assert.True(Nsec3Owner.TryRead(wire, zone.Apex.Length, key));
            found = ((Nsec3Denial)zone.Denial!).FindAtOrBefore(zone, key.AsSpan(0, Nsec3Hash.LengthOctets));
        }
        else found = ((NsecDenial)zone.Denial!).FindAtOrBefore(zone, wire);
        return NameText.ToText(new ZoneNode(ZoneMemory.Node(zone.Segments, found)).Name).TrimEnd('.');
    }
}
