using System.Buffers;

namespace Dns.Zones.MasterFiles;

/// <content>Served versions, as master files.</content>
public static partial class ZoneDump
{
    // The index of the names takes memory as long as the zone is served.
    private const int MostSorted = 100_000;

    /// <summary>
    /// Writes a version as a master file without directives: the SOA first, then a record a line, in canonical order if
    /// the zone has at most 100,000 names.
    /// </summary>
    /// <param name="output">Receives ASCII text with LF; stays open. Its exceptions are passed on.</param>
    /// <param name="isSorted">Whether to use canonical order for any number of names.</param>
    /// <param name="generic">Whether to write the RDATA as <c>\# LENGTH HEX</c> (RFC 3597 §5).</param>
    public static void Write(Zone zone, Stream output, bool isSorted = false, bool generic = false)
    {
        ArrayBufferWriter<byte> lines = new(2 * FlushOctets);
        Write(zone.ApexNode, lines, output, generic, isSoa: true);
        if (isSorted || zone.NameCount <= MostSorted)
        {
            foreach (ZoneNode node in zone.Order) WriteBesideSoa(zone, node, lines, output, generic);
        }
        else
        {
            foreach (ZoneNode node in zone) WriteBesideSoa(zone, node, lines, output, generic);
        }
        output.Write(lines.WrittenSpan);
        output.Flush();
    }

    private static void WriteBesideSoa(
        Zone zone, ZoneNode node, ArrayBufferWriter<byte> lines, Stream output, bool generic) =>
        Write(node, lines, output, generic, isSoa: node.Name.SequenceEqual(zone.Apex) ? false : null);

    /// <param name="isSoa">Whether only the SOA, or all except it; null = all.</param>
    private static void Write(
        ZoneNode node, ArrayBufferWriter<byte> lines, Stream output, bool generic, bool? isSoa)
    {
        Span<byte> owner = stackalloc byte[WireName.MaxOctets];
        owner = owner[..node.CopyOwner(owner)];
        foreach (RRset rrset in node)
        {
            if (isSoa is { } only && only != (rrset.Type == RRType.SOA)) continue;
            foreach (ReadOnlySpan<byte> rdata in rrset)
            {
                WriteRecord(owner, rrset.Ttl, RRClass.IN, rrset.Type, rdata, generic, lines);
                Flush(lines, output);
            }
        }
    }
}
