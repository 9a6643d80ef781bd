namespace Dns.Answering.Planning;

/// <content>Denial of existence by NSEC or NSEC3 records of a signed zone (RFC 4035 §3.1.3, RFC 5155 §7.2).</content>
internal ref partial struct AnswerSections<TSteps>
{
    /// <summary>Whether the client requests proofs and the zone has them.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private readonly bool Proves(Zone zone) => Writer.WithSignatures && zone.CanDeny;

    /// <summary>Proves that the name does not exist.</summary>
    /// <returns>False if the proof itself is the answer, so that no SOA follows.</returns>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool ProveNameError(scoped in FoundName at)
    {
        if (at.Zone.OnlineSigner is not null)
            return DenyCompactly(in at, at.Name.Octets, exists: false, mayAnswer: true);
        DenialProof proof = default;
        at.Zone.Denial!.ProveNameError(at.Zone, in at.Name, at.Skip, at.ApexSkip, ref proof);
        AddProof(at.Zone, in proof);
        return true;
    }

    /// <summary>Proves that a node lacks a type: the node of the name, of a cut or of a wildcard.</summary>
    /// <param name="isAnswer">Whether the proof may be the answer; not in a referral.</param>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool ProveNoData(scoped in FoundName at, bool isAnswer)
    {
        Zone zone = at.Zone;
        if (zone.OnlineSigner is not null)
            return DenyCompactly(
                in at, at.IsExact ? at.Name.Suffix(at.Skip) : at.Name.Octets, exists: true, isAnswer);
        DenialProof proof = default;
        if (at.IsExact) zone.Denial!.ProveNoData(zone, in at.Name, at.Skip, at.ApexSkip, ref proof);
        else zone.Denial!.ProveWildcardNoData(zone, in at.Name, at.Skip, at.ApexSkip, ref proof);
        AddProof(zone, in proof);
        return true;
    }

    /// <summary>Proves that a name answered by a wildcard does not exist.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void ProveExpansion(scoped in FoundName at)
    {
        if (!at.IsExact && Proves(at.Zone)) ProveExpansionSlow(in at);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void ProveExpansionSlow(scoped in FoundName at)
    {
        IsUncacheable = true;
        // A signature over the queried name needs no proof for a wildcard (RFC 9824 §3.3).
        if (at.Zone.OnlineSigner is not null) return;
        DenialProof proof = default;
        at.Zone.Denial!.ProveExpansion(at.Zone, in at.Name, at.Skip, ref proof);
        AddProof(at.Zone, in proof);
    }

    private void AddProof(Zone zone, scoped ref readonly DenialProof proof)
    {
        if (proof.Count == 0) return;
        PendingProofs proofs = Worker.Proofs;
        // An earlier answer may have ended before it wrote its proofs.
        if (!HasProofs) proofs.Clear();
        HasProofs = true;
        proofs.Add(zone, in proof);
    }

    /// <summary>Writes pending proofs, each record once. Only authority and additional records may follow.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void WriteProofs()
    {
        if (HasProofs) WriteProofsSlow();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void WriteProofsSlow()
    {
        PendingProofs proofs = Worker.Proofs;
        bool before = Writer.WithSignatures;
        Writer.WithSignatures = true;
        for (int i = 0; i < proofs.Count && !IsTruncated; i++)
            for (int node = 0; node < proofs[i].Count && !IsTruncated; node++)
                if (!proofs.IsRepeated(i, node) && !TryWriteProof(proofs[i].Node(proofs.ZoneOf(i), node)))
                    IsTruncated = true;
        if (proofs.HasCompact && !IsTruncated && !Writer.TryWriteCompact(proofs)) IsTruncated = true;
        Writer.WithSignatures = before;
        proofs.Clear();
        HasProofs = false;
    }

    private bool TryWriteProof(scoped ZoneNode node)
    {
        if (!node.TryFind(RRType.NSEC, out RRset rrset) && !node.TryFind(RRType.NSEC3, out rrset)) return true;
        return Writer.TryWriteAuthority(node, rrset);
    }
}
