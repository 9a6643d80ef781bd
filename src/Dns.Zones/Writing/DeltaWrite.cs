namespace Dns.Zones.Writing;

/// <summary>A write of a delta, which continues with whatever serial the zone has.</summary>
internal sealed class DeltaWrite(ZoneDelta delta, ZoneAuthor author) : ZoneWrite(delta.Zone, author)
{
    private const int SerialFromEnd = 20;

    public override ZoneProposal Propose(Zone? now) => new()
    {
        Delta = now is null || delta.SerialFrom == now.Serial
            && SerialNumber.IsGreater(delta.SerialTo, delta.SerialFrom) ? delta : Continue(now),
    };

    private ZoneDelta Continue(Zone now)
    {
        ZoneDeltaBuilder builder = new(delta.Zone, now.Serial);
        now.ApexNode.TryFind(RRType.SOA, out RRset soa);
        (uint ttl, byte[] rdata) = (soa.Ttl, soa.First.ToArray());
        bool isEmpty = true;
        foreach (RecordList.ListedRecord record in delta.Removed)
        {
            if (record.Type == RRType.SOA) continue;
            builder.Remove(record.Owner, record.Type, record.Rdata, record.Ttl);
            isEmpty = false;
        }
        foreach (RecordList.ListedRecord record in delta.Added)
        {
            isEmpty = false;
            if (record.Type == RRType.SOA) (ttl, rdata) = (record.Ttl, record.Rdata.ToArray());
            else builder.Add(record.Owner, record.Type, record.Ttl, record.Rdata);
        }
        if (isEmpty) return builder.Build();
        Span<byte> serial = rdata.AsSpan(rdata.Length - SerialFromEnd);
        if (!SerialNumber.IsGreater(BinaryPrimitives.ReadUInt32BigEndian(serial), now.Serial))
            BinaryPrimitives.WriteUInt32BigEndian(serial, SerialNumber.Next(now.Serial));
        builder.Remove(now.Apex, RRType.SOA, soa.First, soa.Ttl);
        builder.Add(now.Apex, RRType.SOA, ttl, rdata);
        return builder.Build();
    }
}
