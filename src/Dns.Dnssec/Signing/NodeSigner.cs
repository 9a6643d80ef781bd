namespace Dns.Dnssec.Signing;

/// <summary>Makes the signed records of each name of the source. For one thread.</summary>
internal sealed class NodeSigner(SigningRun run)
{
    private readonly byte[] _owner = new byte[WireName.MaxOctets];
    private byte[] _bitmap = new byte[1024];

    internal RRsetSigner RRsets { get; } = new(run);

    /// <summary>The types of the last name for NSEC and NSEC3, except these themselves.</summary>
    internal TypeList Types { get; } = new();

    /// <summary>Adds the records of a name with their signatures, except NSEC and NSEC3.</summary>
    /// <param name="isHidden">Whether it is below a cut or a DNAME: its data is copied and not signed.</param>
    /// <param name="batch">Receives the records.</param>
    internal void Sign(ZoneNode node, bool isHidden, RecordBatch batch)
    {
        Types.Clear();
        batch.Begin(_owner.AsSpan(0, node.CopyOwner(_owner)));
        bool hasPrevious = TryFindPrevious(node.Name, out ZoneNode previous);
        bool isApex = node.Name.Length == run.Apex.Length, isSigned = false;
        foreach (RRset rrset in node)
        {
            if (SourceNames.IsMade(rrset.Type) || isApex && ApexRecords.IsSettled(rrset.Type)) continue;
            int start = batch.Count;
            foreach (ReadOnlySpan<byte> rdata in rrset) batch.Add(rrset.Type, rrset.Ttl, rdata);
            if (isHidden || node.IsCut && rrset.Type is not (RRType.NS or RRType.DS)) continue;
            Types.Add(rrset.Type);
            if (node.IsCut && rrset.Type == RRType.NS || run.Plan.Denial.IsCompact) continue;
            RRsets.Sign(batch, start, previous, hasPrevious);
            isSigned = true;
        }
        if (isApex) SignApex(batch, previous, hasPrevious);
        if (isSigned || isApex) Types.Add(RRType.RRSIG);
    }

    private void SignApex(RecordBatch batch, ZoneNode previous, bool hasPrevious)
    {
        var records = run.ApexRecords.Records;
        for (int i = 0; i < records.Count;)
        {
            int start = batch.Count;
            RRType type = records[i].Type;
            for (; i < records.Count && records[i].Type == type; i++) batch.Add(type, records[i].Ttl, records[i].Rdata);
            Types.Add(type);
            RRsets.Sign(batch, start, previous, hasPrevious);
        }
        if (run.Plan.Zonemd) Types.Add(RRType.ZONEMD);
    }

    /// <summary>Adds the NSEC record of the last name, and its signatures.</summary>
    internal void AddNsec(ReadOnlySpan<byte> name, ReadOnlySpan<byte> next, RecordBatch batch)
    {
        if (!Types.Contains(RRType.RRSIG)) Types.Add(RRType.RRSIG);
        Types.Add(RRType.NSEC);
        AddNsec(name, next, Bitmap(), batch);
    }

    /// <summary>Adds an NSEC record and its signatures to the current name of the batch.</summary>
    internal void AddNsec(ReadOnlySpan<byte> name, ReadOnlySpan<byte> next, ReadOnlySpan<byte> bitmap,
        RecordBatch batch)
    {
        int start = batch.Count;
        Span<byte> rdata = batch.Add(RRType.NSEC, run.DenialTtl, next.Length + bitmap.Length);
        next.CopyTo(rdata);
        bitmap.CopyTo(rdata[next.Length..]);
        SignLast(name, batch, start);
    }

    /// <summary>Adds the NSEC3 record of a hash, and its signatures.</summary>
    internal void AddHashed(HashedName name, HashedName next, ReadOnlySpan<byte> bitmap, RecordBatch batch)
    {
        Span<byte> hash = stackalloc byte[Nsec3Hash.LengthOctets], rdata = stackalloc byte[DenialRdata.MaxHashedOctets];
        name.Write(hash);
        ReadOnlySpan<byte> owner = _owner.AsSpan(0, DenialRdata.WriteOwner(hash, run.Apex, _owner));
        batch.Begin(owner);
        next.Write(hash);
        int length = DenialRdata.WriteHashed(run.Plan.Denial, hash, rdata), start = batch.Count;
        Span<byte> whole = batch.Add(RRType.NSEC3, run.DenialTtl, length + bitmap.Length);
        rdata[..length].CopyTo(whole);
        bitmap.CopyTo(whole[length..]);
        SignLast(owner, batch, start);
    }

    /// <summary>The bitmap of <see cref="Types"/>, valid until the next call.</summary>
    internal ReadOnlySpan<byte> Bitmap()
    {
        if (_bitmap.Length < Types.MaxOctets) _bitmap = new byte[Types.MaxOctets];
        return _bitmap.AsSpan(0, Types.Write(_bitmap));
    }

    private void SignLast(ReadOnlySpan<byte> name, RecordBatch batch, int start)
    {
        bool hasPrevious = TryFindPrevious(name, out ZoneNode previous);
        RRsets.Sign(batch, start, previous, hasPrevious);
    }

    private bool TryFindPrevious(ReadOnlySpan<byte> name, out ZoneNode node)
    {
        node = default;
        return run.Previous is { } previous && SourceNames.TryFind(previous, name, out node);
    }
}
