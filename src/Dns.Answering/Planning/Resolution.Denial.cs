using System.Runtime.CompilerServices;
using Dns.Protocol;
using Dns.Zones;

namespace Dns.Answering;

/// <content>Denial of existence by NSEC or NSEC3 records of a signed zone (RFC 4035 §3.1.3, RFC 5155 §7.2).</content>
internal ref partial struct Resolution<TTrace>
{
    /// <summary>Whether the client wants proofs and the zone has them.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private readonly bool Proves(Zone zone) => _writer.WithSignatures && zone.Denial is not null;

    /// <summary>Proves that the name does not exist.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void ProveNameError(Zone zone, scoped ref readonly LookupName name, int encloserSkip, int apexSkip)
    {
        DenialProof proof = default;
        zone.Denial!.ProveNameError(zone, in name, encloserSkip, apexSkip, ref proof);
        AddProof(zone, in proof);
    }

    /// <summary>Proves that a node lacks a type: the node of the name, of a cut or of a wildcard.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void ProveNoData(Zone zone, scoped ref readonly LookupName name, int apexSkip, bool isExact, int skip)
    {
        DenialProof proof = default;
        if (isExact) zone.Denial!.ProveNoData(zone, in name, skip, apexSkip, ref proof);
        else zone.Denial!.ProveWildcardNoData(zone, in name, skip, apexSkip, ref proof);
        AddProof(zone, in proof);
    }

    /// <summary>Proves that a name answered by a wildcard does not exist.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void ProveExpansion(Zone zone, scoped ref readonly LookupName name, int encloserSkip)
    {
        _isUncacheable = true;
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

    /// <summary>Writes the pending proofs, each record once. Only authority and additional records may follow.</summary>
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
                if (!proofs.IsRepeated(i, node) && !TryWriteProof(proofs[i].Node(proofs.ZoneOf(i), node))) IsTruncated = true;
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
