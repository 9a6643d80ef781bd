using Dns.Zones;

namespace Dns.Answering;

/// <summary>
/// Proofs of denial that an answer has found and that wait until its answer section is complete: a chain of aliases may come
/// through several wildcards. Belongs to one thread.
/// </summary>
internal sealed class PendingProofs
{
    /// <summary>The most proofs of an answer: each alias may come from a wildcard, and the last name may not be there.</summary>
    internal const int Most = Resolution.MaxAliases + 1;

    private readonly Zone?[] _zones = new Zone?[Most];
    private readonly DenialProof[] _proofs = new DenialProof[Most];

    /// <summary>How many there are.</summary>
    internal int Count { get; private set; }

    /// <summary>Adds a proof, unless it proves nothing.</summary>
    internal void Add(Zone zone, scoped ref readonly DenialProof proof)
    {
        if (proof.Count == 0 || Count == Most) return;
        _zones[Count] = zone;
        _proofs[Count++] = proof;
    }

    /// <summary>The zone of a proof.</summary>
    internal Zone ZoneOf(int index) => _zones[index]!;

    /// <summary>A proof.</summary>
    internal ref readonly DenialProof this[int index] => ref _proofs[index];

    /// <summary>Whether a node of a proof is in one before it.</summary>
    internal bool IsRepeated(int index, int node)
    {
        for (int i = 0; i < index; i++)
            if (ReferenceEquals(_zones[i], _zones[index]) && _proofs[index].IsIn(in _proofs[i], node)) return true;
        return false;
    }

    /// <summary>Forgets all of them.</summary>
    internal void Clear()
    {
        Array.Clear(_zones, 0, Count);
        Count = 0;
    }
}
