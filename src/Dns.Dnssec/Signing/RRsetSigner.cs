namespace Dns.Dnssec.Signing;

/// <summary>Makes the signatures of RRsets, or keeps valid ones. For one thread.</summary>
internal sealed class RRsetSigner(SigningRun run)
{
    private readonly CanonicalRRset _canonical = new();
    private readonly CanonicalRRset _other = new();
    private readonly byte[] _prefix = new byte[RrsigFields.MaxPrefixOctets];
    private readonly byte[] _lower = new byte[WireName.MaxOctets];
    private long _made;
    private long _kept;
    private long _firstDue = long.MaxValue;

    /// <summary>Appends signatures to the records of one RRset in a batch.</summary>
    /// <param name="batch">The records; those from <paramref name="start"/> on are the RRset.</param>
    /// <param name="previous">The name in the previous signed version, or default.</param>
    internal void Sign(RecordBatch batch, int start, ZoneNode previous, bool hasPrevious)
    {
        (RRType type, uint ttl, int end) = (batch.TypeOf(start), batch.TtlOf(start), batch.Count);
        ReadOnlySpan<byte> owner = Lower(batch.OwnerOf(start));
        bool isKeySet = type is RRType.DNSKEY or RRType.CDS or RRType.CDNSKEY && owner.Length == run.Apex.Length;
        bool isCanonical = false;
        RRset signatures = default;
        bool mayKeep = hasPrevious && previous.TryFind(type, out RRset before) && before.Ttl == ttl
            && previous.TryFindSignatures(type, out signatures) && signatures.Ttl == ttl
            && IsSame(batch, start, end, before, ref isCanonical);
        foreach (SigningKey key in isKeySet ? run.KeySigners : run.ZoneSigners)
        {
            // The owner is in the batch, whose memory may move when a record is added.
            owner = _lower.AsSpan(0, batch.OwnerOf(start).Length);
            if (mayKeep && TryKeep(batch, start, end, signatures, key, ref isCanonical)) continue;
            if (!isCanonical) Canonicalize(batch, start, end);
            isCanonical = true;
            Make(batch, key, owner, type, ttl);
        }
        if (isKeySet) AddReady(batch, type, ttl);
    }

    /// <summary>Adds its counts to the run.</summary>
    internal void Report()
    {
        run.Count(_made, _kept, _firstDue);
        (_made, _kept, _firstDue) = (0, 0, long.MaxValue);
    }

    private void Make(RecordBatch batch, SigningKey key, ReadOnlySpan<byte> owner, RRType type, uint ttl)
    {
        uint expiration = run.Times.ExpirationOf(owner, type);
        int length = RrsigFields.WritePrefix(
            _prefix, type, key.Public, CanonicalRRset.LabelsOf(owner), ttl, run.Times.Inception, expiration, run.Apex);
        ReadOnlySpan<byte> prefix = _prefix.AsSpan(0, length);
        Span<byte> rdata = batch.Add(RRType.RRSIG, ttl, length + key.SignatureOctets);
        prefix.CopyTo(rdata);
        if (!TrySign(key, prefix, rdata[length..]))
            throw new SigningException(
                $"the key {key} made no signature over {RRTypeText.Format(type)} at {NameText.ToText(owner)}");
        _made++;
        Note(expiration);
    }

    private bool TrySign(SigningKey key, ReadOnlySpan<byte> prefix, Span<byte> signature)
    {
        try
        {
            return key.TrySign(_canonical.SignedData(prefix), signature, out int octets) &&
                octets == key.SignatureOctets;
        }
        catch (ObjectDisposedException)
        {
            // The key was removed from the server meanwhile; the next plan is without it.
            return false;
        }
    }

    private bool TryKeep(RecordBatch batch, int start, int end, RRset signatures, SigningKey key, ref bool isCanonical)
    {
        foreach (ReadOnlySpan<byte> rdata in signatures)
        {
            if (!RrsigFields.TryRead(rdata, out RrsigFields fields) || !IsOf(fields, key) || !run.Times.IsGood(fields))
                continue;
            if (fields.OriginalTtl != batch.TtlOf(start) || !WireName.EqualsIgnoreCase(fields.Signer, run.Apex))
                continue;
            if (fields.Labels != CanonicalRRset.LabelsOf(batch.OwnerOf(start))) continue;
            if (run.VerifiesPrevious || HasSameTag(key))
            {
                if (!isCanonical) Canonicalize(batch, start, end);
                isCanonical = true;
                if (!key.Public.Verify(_canonical.SignedData(fields.Prefix), fields.Signature)) continue;
            }
            batch.Add(RRType.RRSIG, signatures.Ttl, rdata);
            _kept++;
            Note(fields.Expiration);
            return true;
        }
        return false;
    }

    private void AddReady(RecordBatch batch, RRType type, uint ttl)
    {
        foreach (byte[] ready in run.Plan.KeySetSignatures)
        {
            if (!RrsigFields.TryRead(ready, out RrsigFields fields) || fields.TypeCovered != type) continue;
            // Its renewal is the task of the other signer.
            batch.Add(RRType.RRSIG, ttl, ready);
        }
    }

    /// <summary>Whether another key of the plan has the tag and algorithm of this one.</summary>
    private bool HasSameTag(SigningKey key)
    {
        foreach (Dnskey other in run.Plan.Published)
            if (other.Tag == key.Public.Tag && other.Algorithm == key.Public.Algorithm && !other.Equals(key.Public))
                return true;
        return false;
    }

    /// <summary>Whether records equal those of an RRset, in any order.</summary>
    private bool IsSame(RecordBatch batch, int start, int end, RRset before, ref bool isCanonical)
    {
        if (before.Count != end - start) return false;
        int i = start;
        foreach (ReadOnlySpan<byte> rdata in before)
            if (!rdata.SequenceEqual(batch.RdataOf(i++))) break;
            else if (i == end) return true;
        if (end - start == 1) return false;
        Canonicalize(batch, start, end);
        isCanonical = true;
        _other.Set(Lower(batch.OwnerOf(start)), before, before.Ttl);
        return _other.Octets.SequenceEqual(_canonical.Octets);
    }

    private void Canonicalize(RecordBatch batch, int start, int end)
    {
        _canonical.Begin(batch.OwnerOf(start), batch.TypeOf(start), batch.TtlOf(start));
        for (int i = start; i < end; i++) _canonical.Add(batch.RdataOf(i));
        _canonical.End();
    }

    private ReadOnlySpan<byte> Lower(ReadOnlySpan<byte> owner)
    {
        WireName.ToLower(owner, _lower.AsSpan(0, owner.Length));
        return _lower.AsSpan(0, owner.Length);
    }

    private void Note(uint expiration) =>
        _firstDue = Math.Min(_firstDue, RrsigFields.TimeOf(run.Times.DueAt(expiration), run.Now).ToUnixTimeSeconds());

    private static bool IsOf(RrsigFields fields, SigningKey key) =>
        fields.KeyTag == key.Public.Tag && fields.Algorithm == key.Public.Algorithm;
}
