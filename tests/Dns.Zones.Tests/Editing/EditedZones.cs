using Dns.Testing;

namespace Dns.Zones.Tests;

/// <summary>What tests of edited zones share: deltas of records, and all that two zones say, side by side.</summary>
internal static class EditedZones
{
    public static ZoneDelta Delta(uint serial, IEnumerable<GeneratedRecord> removed, IEnumerable<GeneratedRecord> added)
    {
        ZoneDeltaBuilder builder = new(DomainName.Parse(GeneratedZone.Apex), serial);
        foreach (GeneratedRecord record in removed)
            builder.Remove(WireOctets.Name(record.Owner), record.Type, record.Rdata);
        foreach (GeneratedRecord record in added)
            builder.Add(WireOctets.Name(record.Owner), record.Type, record.Ttl, record.Rdata);
        return builder.Build();
    }

    public static ZoneEditResult Edit(Zone zone, GeneratedRecord[] removed, GeneratedRecord[] added) =>
        ZoneEditor.From(zone).Apply(Delta(zone.Serial, removed, added));

    /// <summary>The zone with a change that fits.</summary>
    public static Zone Edited(Zone zone, GeneratedRecord[] removed, GeneratedRecord[] added)
    {
        ZoneEditResult result = Edit(zone, removed, added);
        return result.Zone ?? throw new InvalidOperationException(result.Error!.Message);
    }

    /// <summary>
    /// All that a zone says, one RRset a line, in an order that does not depend on how it was made. What a node of an
    /// edited zone may not know of itself is left to the lookups.
    /// </summary>
    public static string Describe(Zone zone)
    {
        List<string> lines =
            [$"serial {zone.Serial} negative {zone.NegativeTtl} {zone.NegativeSoa?.Length} {zone.IsSigned}"];
        lines.Add($"names {zone.NameCount} records {zone.RecordCount}");
        foreach (ZoneNode node in zone) AddNode(zone, node, lines);
        lines.Sort(StringComparer.Ordinal);
        return string.Join('\n', lines);
    }

    /// <summary>What a lookup of a name says.</summary>
    public static string Look(Zone zone, ReadOnlySpan<byte> octets, RRType type)
    {
        LookupName name = default;
        name.Set(octets);
        LookupResult found = zone.Lookup(in name, name.LabelCount - WireName.CountLabels(zone.Apex), type);
        return $"{found.Outcome} {NameText.ToText(found.Node.Name)} {found.SkippedLabels} {found.Node.HasData}";
    }

    private static void AddNode(Zone zone, ZoneNode node, List<string> lines)
    {
        Span<byte> owner = stackalloc byte[WireName.MaxOctets];
        string name = NameText.ToText(owner[..node.CopyOwner(owner)]);
        NodeFlags flags = node.Flags & ~(NodeFlags.OriginalCase | NodeFlags.Occluded | NodeFlags.Unmarked);
        int children = node.Name.SequenceEqual(zone.Apex) ? 0 : node.Children;
        lines.Add($"{name} {flags} {children} {Look(zone, node.Name, RRType.A)} {Look(zone, node.Name, RRType.DS)}");
        foreach (RRset rrset in node)
        {
            List<string> rdata = [];
            int index = 0;
            foreach (ReadOnlySpan<byte> record in rrset)
            {
                string host = "";
                if (rrset.NamesHosts && zone.TryFindHost(rrset, index, record, out ZoneNode found))
                    host = NameText.ToText(found.Name);
                rdata.Add(Convert.ToHexString(record) + host);
                index++;
            }
            rdata.Sort(StringComparer.Ordinal);
            lines.Add($"{name} {rrset.Type} {rrset.Ttl} {rrset.Count} {string.Join(' ', rdata)}");
        }
    }
}
