namespace Dns.Forwarding.Cache;

/// <summary>
/// Remembers entries evicted without a hit: one that returns was worth keeping. One fingerprint in each slot,
/// overwritten by later ones, so memory is bounded.
/// </summary>
internal sealed class GhostTable(int capacity)
{
    private readonly uint[] _fingerprints = new uint[capacity];

    public void Add(ulong hash) => _fingerprints[SlotOf(hash)] = Fingerprint(hash);

    /// <summary>Whether an entry is in the table; removes it.</summary>
    public bool Remove(ulong hash)
    {
        ref uint fingerprint = ref _fingerprints[SlotOf(hash)];
        if (fingerprint != Fingerprint(hash)) return false;
        fingerprint = 0;
        return true;
    }

    private int SlotOf(ulong hash) => (int)((ulong)(uint)hash * (uint)_fingerprints.Length >> 32);

    private static uint Fingerprint(ulong hash) => (uint)(hash >> 28) | 1;
}
