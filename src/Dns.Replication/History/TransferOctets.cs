namespace Dns.Replication.History;

/// <summary>
/// Estimates the length of records in a transfer, to compare two forms. Assumes a pointer for the end of each owner,
/// and uncompressed RDATA.
/// </summary>
internal static class TransferOctets
{
    private const int PointerOctets = 2;

    /// <summary>The number of names sampled; others are extrapolated.</summary>
    internal const int SampledNames = 1024;

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

    public static long Of(ZoneDelta delta) => Of(delta.Removed) + Of(delta.Added);

    private static long Of(RecordList records)
    {
        long octets = 0;
        ReadOnlySpan<byte> before = default;
        foreach (RecordList.ListedRecord record in records)
        {
            ReadOnlySpan<byte> owner = record.Owner;
            octets += PointerOctets + RecordReader.FixedOctets + record.Rdata.Length +
                (owner.SequenceEqual(before) ? 0 : owner[0]);
            before = owner;
        }
        return octets;
    }
}
