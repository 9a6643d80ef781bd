namespace Dns.Dnssec.Signing;

/// <summary>
/// Signs the effects of a change: changed RRsets, the chain links beside added and removed names, the apex. The cost
/// depends on the change, not on the zone.
/// </summary>
internal sealed class IncrementalSigning
{
    private readonly SigningRun _run;
    private readonly Zone _previous;
    private readonly DenialPlan _denial;
    private readonly NodeSigner _signer;
    private readonly RecordBatch _batch = new();
    private readonly SignedDelta _delta;
    private readonly ChainEdit _edit;
    private readonly byte[] _owner = new byte[WireName.MaxOctets];

    internal IncrementalSigning(SigningRun run)
    {
        _run = run;
        _previous = run.Previous!;
        _denial = run.Plan.Denial;
        _signer = new NodeSigner(run);
        _delta = new SignedDelta(_previous);
        _edit = new ChainEdit(DenialChain.Of(_previous, _denial));
    }

    /// <summary>The delta to the next version, without ZONEMD; null if only the SOA would change.</summary>
    /// <param name="names">The names that the change affects, in lower case.</param>
    /// <param name="changesSoa">Whether the source has a new SOA, which always makes a next version.</param>
    internal ZoneDelta? Run(IReadOnlyCollection<byte[]> names, bool changesSoa)
    {
        foreach (byte[] name in names) Sign(name);
        foreach (byte[] member in _edit.Removed) Unlink(member);
        foreach (var link in _edit.Links()) Link(link.Member, link.Next, link.Bitmap);
        _signer.RRsets.Report();
        return _delta.HasChanges || changesSoa ? _delta.Build() : null;
    }

    private void Sign(byte[] name)
    {
        _batch.Clear();
        byte[]? bitmap = null;
        if (SourceNames.TryFind(_run.Source, name, out ZoneNode node))
        {
            bool isHidden = SourceNames.TryFindTop(_run.Source, name, out _);
            _signer.Sign(node, isHidden, _batch);
            if (!isHidden && SourceNames.IsInChain(_run.Source, node, _denial)) bitmap = Bitmap();
        }
        _delta.Compare(name, _batch, 0, DeltaScope.Data);
        _edit.Set(_denial.IsHashed ? Hash(name) : name, bitmap);
    }

    private byte[] Bitmap()
    {
        if (!_denial.IsHashed)
        {
            if (!_signer.Types.Contains(RRType.RRSIG)) _signer.Types.Add(RRType.RRSIG);
            _signer.Types.Add(RRType.NSEC);
        }
        return _signer.Bitmap().ToArray();
    }

    private byte[] Hash(ReadOnlySpan<byte> name)
    {
        byte[] hash = new byte[Nsec3Hash.LengthOctets];
        Nsec3Hash.Compute(name, _denial.Salt, _denial.Iterations, hash);
        return hash;
    }

    private void Unlink(byte[] member)
    {
        _batch.Clear();
        _delta.Compare(NameOf(member), _batch, 0, DeltaScope.Denial);
    }

    private void Link(byte[] member, byte[] next, byte[]? bitmap)
    {
        _batch.Clear();
        bitmap ??= OldBitmap(member);
        if (_denial.IsHashed) _signer.AddHashed(HashedName.Of(member), HashedName.Of(next), bitmap, _batch);
        else
        {
            _batch.Begin(OriginalCase(member));
            _signer.AddNsec(member, next, bitmap, _batch);
        }
        _delta.Compare(NameOf(member), _batch, 0, DeltaScope.Denial);
    }

    private byte[] OldBitmap(byte[] member)
    {
        RRType type = _denial.IsHashed ? RRType.NSEC3 : RRType.NSEC;
        if (!SourceNames.TryFind(_previous, NameOf(member), out ZoneNode node) || !node.TryFind(type, out RRset rrset))
            return [];
        int at = DenialRdata.BitmapAt(type, rrset.First);
        return at < 0 ? [] : rrset.First[at..].ToArray();
    }

    private ReadOnlySpan<byte> NameOf(byte[] member) =>
        _denial.IsHashed ? _owner.AsSpan(0, DenialRdata.WriteOwner(member, _run.Apex, _owner)) : member;

    private ReadOnlySpan<byte> OriginalCase(byte[] name) =>
        SourceNames.TryFind(_run.Source, name, out ZoneNode node) ? _owner.AsSpan(0, node.CopyOwner(_owner)) : name;
}
