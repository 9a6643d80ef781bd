namespace Dns.Dnssec.Service;

/// <summary>Unsigned versions of a formerly signed zone, whose serials continue from the signed ones.</summary>
internal static class UnsignedVersion
{
    private const int SerialFromEnd = 20;

    /// <summary>The source with another serial; null if its SOA cannot be changed.</summary>
    internal static Zone? Of(Zone source, uint serial, ZoneLimits? limits)
    {
        if (!source.ApexNode.TryFind(RRType.SOA, out RRset soa)) return null;
        byte[] rdata = soa.First.ToArray();
        BinaryPrimitives.WriteUInt32BigEndian(rdata.AsSpan(rdata.Length - SerialFromEnd), serial);
        ZoneDeltaBuilder builder = new(DomainName.FromOctets(source.Apex), source.Serial);
        builder.Remove(source.Apex, RRType.SOA, soa.First, soa.Ttl);
        builder.Add(source.Apex, RRType.SOA, soa.Ttl, rdata);
        ZoneEditResult edit = ZoneEditor.From(source, limits).Apply(builder.Build());
        return edit.IsApplied ? edit.Zone : null;
    }

    /// <summary>Whether a version equals the source except for the serial.</summary>
    internal static bool IsSame(Zone source, Zone version)
    {
        if (!ZoneDelta.TryFindBetween(source, version, most: 2, out ZoneDelta? delta)) return false;
        foreach (RecordList.ListedRecord record in delta.Added)
            if (record.Type != RRType.SOA) return false;
        foreach (RecordList.ListedRecord record in delta.Removed)
            if (record.Type != RRType.SOA) return false;
        return true;
    }
}
