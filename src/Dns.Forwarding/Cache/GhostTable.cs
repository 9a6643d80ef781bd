namespace Dns.Forwarding;

/// <summary>
/// Remembers entries that left after nobody had asked for them twice: one that comes back was worth keeping. Fingerprints in
/// one place each, the later over the earlier, so the memory is bounded and old ones fade.
/// </summary>
/// <param name="capacity">How many there is room for.</param>
internal sealed class GhostTable(int capacity)
{
    private readonly uint[] _fingerprints = new uint[capacity];

    /// <summary>Remembers an entry by the hash of its key.</summary>
    public void Add(ulong hash) => _fingerprints[Place(hash)] = Fingerprint(hash);

    /// <summary>Whether an entry is remembered; it is forgotten by that.</summary>
    public bool Remove(ulong hash)
    {
        ref uint fingerprint = ref _fingerprints[Place(hash)];
        if (fingerprint != Fingerprint(hash)) return false;
        fingerprint = 0;
        return true;
    }

    private int Place(ulong hash) => (int)((ulong)(uint)hash * (uint)_fingerprints.Length >> 32);

    private static uint Fingerprint(ulong hash) => (uint)(hash >> 28) | 1;
}
