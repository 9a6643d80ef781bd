namespace Dns.Answering.Planning;

/// <summary>
/// Proofs of denial that are pending until the answer section is complete: a chain of aliases may pass several
/// wildcards. One instance per thread.
/// </summary>
internal sealed class PendingProofs
{
    /// <summary>Maximum proofs in an answer: one for each alias of a wildcard, and one for the last name.</summary>
    internal const int Most = Resolution.MaxAliases + 1;

    private readonly Zone?[] _zones = new Zone?[Most];
    private readonly DenialProof[] _proofs = new DenialProof[Most];

    private int _ownerOctets;
    private int _compactOctets;

    /// <summary>The number of proofs without the compact one.</summary>
    internal int Count { get; private set; }

    /// <summary>Whether there is an NSEC record of compact denial.</summary>
    internal bool HasCompact => _compactOctets > 0;

    /// <summary>The owner of the compact NSEC record, in lower case.</summary>
    internal ReadOnlySpan<byte> CompactOwner => Owner.AsSpan(0, _ownerOctets);

    /// <summary>Whether clients can invent such owners.</summary>
    internal bool CompactIsOfAnyName { get; private set; }

    internal RRset Compact => CompactNsec.Read(Room.AsSpan(0, _compactOctets));

    private byte[] Owner => field ??= new byte[WireName.MaxOctets];

    private byte[] Room => field ??= new byte[CompactNsec.MaxOctets];

    /// <summary>Adds a proof, unless it is empty.</summary>
    internal void Add(Zone zone, scoped ref readonly DenialProof proof)
    {
        if (proof.Count == 0 || Count == Most) return;
        _zones[Count] = zone;
        _proofs[Count++] = proof;
    }

    /// <summary>Sets the compact denial record of the name at which the answer ends.</summary>
    /// <param name="name">The name, in lower case.</param>
    /// <param name="exists">Whether the name, or a wildcard for it, exists.</param>
    internal void SetCompact(Zone zone, scoped ReadOnlySpan<byte> name, scoped ZoneNode node, bool exists)
    {
        name.CopyTo(Owner);
        _ownerOctets = name.Length;
        CompactIsOfAnyName = !exists || !node.Name.SequenceEqual(name);
        _compactOctets = exists
            ? CompactNsec.WriteNoData(Room, zone.NegativeTtl, name, zone.Apex, node)
            : CompactNsec.WriteNameError(Room, zone.NegativeTtl, name, zone.Apex);
    }

    internal Zone ZoneOf(int index) => _zones[index]!;

    internal ref readonly DenialProof this[int index] => ref _proofs[index];

    /// <summary>Whether an earlier proof has this node.</summary>
    internal bool IsRepeated(int index, int node)
    {
        for (int i = 0; i < index; i++)
            if (ReferenceEquals(_zones[i], _zones[index]) && _proofs[index].IsIn(in _proofs[i], node)) return true;
        return false;
    }

    internal void Clear()
    {
        Array.Clear(_zones, 0, Count);
        Count = 0;
        _compactOctets = 0;
    }
}
