using Dns.Protocol;
using Dns.Zones;

namespace Dns.Replication;

/// <summary>
/// About how many octets records take in a transfer: enough to compare two forms of one. The end of each owner is taken for a
/// pointer, RDATA for uncompressed.
/// </summary>
internal static class TransferOctets
{
    private const int PointerOctets = 2;

    /// <summary>Names of a zone that are looked at; the others are taken to be like them.</summary>
    internal const int SampledNames = 1024;

    /// <summary>The octets of a whole zone.</summary>
    public static long Of(Zone zone)
    {
        ZoneCursor cursor = default;
        long octets = 0, records = 0;
        for (int names = 0; names < SampledNames && zone.TryNext(ref cursor, out ZoneNode node); names++)
        {
            foreach (RRset rrset in node)
                foreach (ReadOnlySpan<byte> rdata in rrset)
                {
                    octets += PointerOctets + RecordReader.FixedOctets + rdata.Length;
                    records++;
                }
            octets += node.Name[0];
        }
        return records == 0 ? 0 : (long)((double)octets / records * zone.RecordCount);
    }

    /// <summary>The octets of the records that go and come.</summary>
    public static long Of(ZoneDelta delta) => Of(delta.Removed) + Of(delta.Added);

    private static long Of(RecordList records)
    {
        long octets = 0;
        ReadOnlySpan<byte> before = default;
        foreach (RecordList.ListedRecord record in records)
        {
            ReadOnlySpan<byte> owner = record.Owner;
            octets += PointerOctets + RecordReader.FixedOctets + record.Rdata.Length + (owner.SequenceEqual(before) ? 0 : owner[0]);
            before = owner;
        }
        return octets;
    }
}
