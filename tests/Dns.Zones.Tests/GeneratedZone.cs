using System.Globalization;
using Dns.Testing;

namespace Dns.Zones.Tests;

/// <summary>Small zones full of cuts, wildcards, DNAMEs and empty non-terminals, from random numbers.</summary>
internal static class GeneratedZone
{
    public const string Apex = "z.test";

    private static readonly string[] Labels = ["a", "b", "c", "*"];
    private static readonly RRType[] Types =
        [RRType.A, RRType.A, RRType.TXT, RRType.NS, RRType.DNAME, RRType.CNAME, RRType.DS, (RRType)65280];

    public static int Setting(string name, int fallback) =>
        int.TryParse(Environment.GetEnvironmentVariable(name), CultureInfo.InvariantCulture, out int value)
            ? value : fallback;

    public static string NextName(Random random)
    {
        string name = Apex;
        for (int depth = random.Next(6); depth > 0; depth--) name = $"{Labels[random.Next(Labels.Length)]}.{name}";
        return name;
    }

    public static List<GeneratedRecord> NextRecords(Random random)
    {
        List<GeneratedRecord> records = [];
        for (int left = random.Next(1, 40); left > 0; left--)
        {
            RRType type = Types[random.Next(Types.Length)];
            byte[] rdata = type switch
            {
                RRType.A => [192, 0, 2, (byte)random.Next(4)],
                RRType.TXT => [1, (byte)('a' + random.Next(4))],
                RRType.DS => [0, 1, 8, 2, .. new byte[32]],
                RRType.NS or RRType.CNAME or RRType.DNAME => WireOctets.Name(NextName(random)),
                _ => new byte[random.Next(4)],
            };
            records.Add(new GeneratedRecord(NextName(random), type, (uint)random.Next(1, 4), rdata));
        }
        return records;
    }

    public static Zone Build(IEnumerable<GeneratedRecord> records, string apex = Apex)
    {
        ZoneBuilder builder = new(WireOctets.Name(apex));
        foreach (GeneratedRecord record in records)
            builder.Add(WireOctets.Name(record.Owner), false, record.Type, record.Ttl, record.Rdata);
        return builder.Build();
    }

    /// <summary>All that a zone says, one RRset a line, in an order that does not depend on how it was built.</summary>
    public static string Describe(Zone zone)
    {
        List<string> lines = [$"names {zone.NameCount} records {zone.RecordCount}"];
        foreach (ZoneNode node in zone)
        {
            string name = NameText.ToText(node.Name);
            lines.Add($"{name} {node.Flags & ~NodeFlags.OriginalCase} {node.RRsetCount}");
            foreach (RRset rrset in node)
            {
                List<string> rdata = [];
                foreach (ReadOnlySpan<byte> record in rrset) rdata.Add(Convert.ToHexString(record));
                lines
                    .Add(
                        $"{name} {rrset.Type} {rrset.Ttl} {rrset.Count} " +
                            $"{string.Join(' ', rdata.Order(StringComparer.Ordinal))}");
            }
        }
        return string.Join('\n', lines.Order(StringComparer.Ordinal));
    }
}
