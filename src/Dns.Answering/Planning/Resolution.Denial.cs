namespace Dns.Answering.Planning;

/// <content>Denial of existence by NSEC or NSEC3 records of a signed zone (RFC 4035 §3.1.3, RFC 5155 §7.2).</content>
internal ref partial struct Resolution<TSteps>
{
    /// <summary>Whether the client requests proofs and the zone has them.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private readonly bool Proves(Zone zone) => _writer.WithSignatures && zone.CanDeny;

    /// <summary>Proves that the name does not exist.</summary>
    /// <returns>False if the proof itself is the answer, so that no SOA follows.</returns>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool ProveNameError(Zone zone, scoped ref readonly LookupName name, int encloserSkip, int apexSkip,
        int nameOffset)
    {
        if (zone.OnlineSigner is not null) return DenyCompactly(zone, default, name.Octets, exists: false, nameOffset);
        DenialProof proof = default;
        zone.Denial!.ProveNameError(zone, in name, encloserSkip, apexSkip, ref proof);
        AddProof(zone, in proof);
        return true;
    }

    /// <summary>Proves that a node lacks a type: the node of the name, of a cut or of a wildcard.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool ProveNoData(
        Zone zone, scoped ZoneNode node, scoped ref readonly LookupName name, int apexSkip, bool isExact, int skip,
        int nameOffset)
    {
        if (zone.OnlineSigner is not null)
            return DenyCompactly(zone, node, isExact ? name.Suffix(skip) : name.Octets, exists: true, nameOffset);
        DenialProof proof = default;
        if (isExact) zone.Denial!.ProveNoData(zone, in name, skip, apexSkip, ref proof);
        else zone.Denial!.ProveWildcardNoData(zone, in name, skip, apexSkip, ref proof);
        AddProof(zone, in proof);
        return true;
    }

    /// <summary>Proves that a name answered by a wildcard does not exist.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void ProveExpansion(Zone zone, scoped ref readonly LookupName name, int encloserSkip)
    {
        _isUncacheable = true;
        // A signature over the queried name needs no proof for a wildcard (RFC 9824 §3.3).
        if (zone.OnlineSigner is not null) return;
        DenialProof proof = default;
        zone.Denial!.ProveExpansion(zone, in name, encloserSkip, ref proof);
        AddProof(zone, in proof);
    }

    private void AddProof(Zone zone, scoped ref readonly DenialProof proof)
    {
        if (proof.Count == 0) return;
        PendingProofs proofs = _worker.Proofs;
        // An earlier answer may have ended before it wrote its proofs.
        if (!_hasProofs) proofs.Clear();
        _hasProofs = true;
        proofs.Add(zone, in proof);
    }

    /// <summary>Writes pending proofs, each record once. Only authority and additional records may follow.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void WriteProofs()
    {
        if (_hasProofs) WriteProofsSlow();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void WriteProofsSlow()
    {
        PendingProofs proofs = _worker.Proofs;
        bool before = _writer.WithSignatures;
        _writer.WithSignatures = true;
        for (int i = 0; i < proofs.Count && !IsTruncated; i++)
            for (int node = 0; node < proofs[i].Count && !IsTruncated; node++)
                if (!proofs.IsRepeated(i, node) && !TryWriteProof(proofs[i].Node(proofs.ZoneOf(i), node)))
                    IsTruncated = true;
        if (proofs.HasCompact && !IsTruncated && !_writer.TryWriteCompact(proofs)) IsTruncated = true;
        _writer.WithSignatures = before;
        proofs.Clear();
        _hasProofs = false;
    }

    private bool TryWriteProof(scoped ZoneNode node)
    {
        if (!node.TryFind(RRType.NSEC, out RRset rrset) && !node.TryFind(RRType.NSEC3, out rrset)) return true;
        return _writer.TryWriteAuthority(node, rrset);
    }
}
