using Dns.Zones;

namespace Dns.Answering;

/// <summary>
/// Proofs of denial that are pending until the answer section is complete: a chain of aliases may pass several wildcards. One
/// instance per thread.
/// </summary>
internal sealed class PendingProofs
{
    /// <summary>The maximum number of proofs in an answer: one for each alias from a wildcard, and one for the last name.</summary>
    internal const int Most = Resolution.MaxAliases + 1;

    private readonly Zone?[] _zones = new Zone?[Most];
    private readonly DenialProof[] _proofs = new DenialProof[Most];

    /// <summary>The number of proofs.</summary>
    internal int Count { get; private set; }

    /// <summary>Adds a proof, unless it is empty.</summary>
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

    /// <summary>Whether an earlier proof has this node.</summary>
    internal bool IsRepeated(int index, int node)
    {
        for (int i = 0; i < index; i++)
            if (ReferenceEquals(_zones[i], _zones[index]) && _proofs[index].IsIn(in _proofs[i], node)) return true;
        return false;
    }

    /// <summary>Removes all proofs.</summary>
    internal void Clear()
    {
        Array.Clear(_zones, 0, Count);
        Count = 0;
    }
}
