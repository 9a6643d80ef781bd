namespace Dns.Dnssec.Signing;

/// <summary>The ZONEMD record of a signed version (RFC 8976), made when all other records are there.</summary>
internal static class ZonemdRecord
{
    /// <summary>Adds, replaces or removes ZONEMD, as the plan requires.</summary>
    /// <param name="signed">The version; it may have the ZONEMD of the previous one.</param>
    /// <param name="delta">The delta from the previous version; null without one.</param>
    /// <param name="whole">The delta from the previous to the returned version; null without a delta.</param>
    internal static Zone Add(
        SigningRun run, Zone signed, ZoneDelta? delta, ZoneLimits? limits, CancellationToken cancellation,
        out ZoneDelta? whole)
    {
        whole = delta;
        if (!run.Plan.Zonemd && !signed.ApexNode.TryFind(RRType.ZONEMD, out _)) return signed;
        RecordBatch batch = new();
        Span<byte> owner = stackalloc byte[WireName.MaxOctets];
        batch.Begin(owner[..signed.ApexNode.CopyOwner(owner)]);
        if (run.Plan.Zonemd)
        {
            signed.ApexNode.TryFind(RRType.SOA, out RRset soa);
            batch.Add(RRType.ZONEMD, soa.Ttl, ZoneDigester.MakeRdata(signed, cancellation));
            RRsetSigner signer = new(run);
            signer.Sign(batch, 0, run.Previous is { } previous ? previous.ApexNode : default, run.Previous is not null);
            signer.Report();
        }
        SignedDelta change = new(signed);
        change.Compare(signed.Apex, batch, 0, DeltaScope.Digest);
        ZoneEditResult edit = ZoneEditor.From(signed, SignedLimits.Of(limits)).Apply(change.Build());
        if (!edit.IsApplied) throw new SigningException(edit.Error.Message);
        if (delta is not null) whole = Joined(delta, change.Build());
        return edit.Zone;
    }

    // The second changes nothing of what the first does.
    private static ZoneDelta Joined(ZoneDelta first, ZoneDelta second)
    {
        ZoneDeltaBuilder joined = new(first.Zone, first.SerialFrom);
        foreach (ZoneDelta delta in (ReadOnlySpan<ZoneDelta>)[first, second])
        {
            foreach (RecordList.ListedRecord record in delta.Removed)
                joined.Remove(record.Owner, record.Type, record.Rdata, record.Ttl);
            foreach (RecordList.ListedRecord record in delta.Added)
                joined.Add(record.Owner, record.Type, record.Ttl, record.Rdata);
        }
        return joined.Build();
    }
}
