using System.Text;
using Dns.Testing;

namespace Dns.Dnssec.Tests;

/// <summary>
/// Changes of a source that bring everything that matters for a chain: cuts with glue, empty non-terminals, wildcards,
/// DNAME, and names that are those of NSEC3 records.
/// </summary>
internal static class RandomChange
{
    private static readonly string[] Labels =
    [
        "a", "b", "B", "c", "*", "z", "ns", "\\000", "\\001x", "-", "d\\.e",
        Hash("example."), Hash("a.example."), Hash("z.example."),
    ];

    /// <summary>Changes a few records, without those that the editor refuses.</summary>
    internal static (Zone Next, ZoneDelta Delta) Make(Zone source, Random random)
    {
        while (true)
        {
            ZoneDeltaBuilder builder = new(DomainName.FromOctets(source.Apex), source.Serial);
            for (int i = random.Next(1, 5); i > 0; i--)
                if (random.Next(5) < 2) Remove(source, random, builder);
                else Add(random, builder);
            if (random.Next(3) == 0) ChangeSoa(source, builder);
            ZoneDelta delta = builder.Build();
            if (!delta.IsEmpty && ZoneEditor.From(source).Apply(delta).Zone is { } next) return (next, delta);
        }
    }

    /// <summary>The first label of the NSEC3 record of a name, without salt.</summary>
    internal static string Hash(string name)
    {
        byte[] hash = new byte[Nsec3Hash.LengthOctets], owner = new byte[WireName.MaxOctets];
        Nsec3Hash.Compute(WireOctets.Name(name), [], 0, hash);
        int length = DenialRdata.WriteOwner(hash, WireOctets.Name("example."), owner);
        return Encoding.ASCII.GetString(owner, 1, length - WireOctets.Name("example.").Length - 1);
    }

    private static void Add(Random random, ZoneDeltaBuilder builder)
    {
        DomainName owner = RandomName(random);
        (RRType type, string text) = random.Next(11) switch
        {
            0 or 1 => (RRType.NS, "ns.a.b.example."),
            2 => (RRType.DS, "1 13 2 " + new string('A', 64)),
            3 => (RRType.DNAME, "elsewhere.test."),
            4 => (RRType.CNAME, "Target.Example."),
            5 => (RRType.MX, $"{random.Next(3)} Mail.example."),
            6 => (RRType.TXT, $"\"{random.Next(4)}\""),
            7 => (RRType.URI, "1 1 \"http://example/\""),
            8 => (RRType.ZONEMD, $"1 1 {random.Next(241, 243)} " + new string('A', 96)),
            _ => (RRType.A, $"192.0.2.{random.Next(4)}"),
        };
        builder.Add(owner.Octets, type, (uint)(60 * random.Next(1, 3)), Rdata.Parse(type, text));
    }

    private static DomainName RandomName(Random random)
    {
        string name = "example.";
        for (int labels = random.Next(1, 4); labels > 0; labels--)
            name = $"{Labels[random.Next(Labels.Length)]}.{name}";
        return DomainName.Parse(name);
    }

    private static void Remove(Zone source, Random random, ZoneDeltaBuilder builder)
    {
        int skip = random.Next(Math.Max(1, source.NameCount - 1));
        // In an order that does not hang on the seeds of hashes.
        foreach (ZoneNode node in source.Order)
        {
            if (node.Name.Length == source.Apex.Length || skip-- > 0) continue;
            bool isAll = random.Next(2) == 0;
            foreach (RRset rrset in node)
            {
                foreach (ReadOnlySpan<byte> rdata in rrset) builder.Remove(node.Name, rrset.Type, rdata, rrset.Ttl);
                if (!isAll) return;
            }
            return;
        }
    }

    private static void ChangeSoa(Zone source, ZoneDeltaBuilder builder)
    {
        source.ApexNode.TryFind(RRType.SOA, out RRset soa);
        byte[] rdata = soa.First.ToArray();
        rdata[^17]++;
        if (rdata[^17] == 0) return;
        builder.Remove(source.Apex, RRType.SOA, soa.First, soa.Ttl);
        builder.Add(source.Apex, RRType.SOA, soa.Ttl, rdata);
    }
}
