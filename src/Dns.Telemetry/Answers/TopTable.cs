namespace Dns.Telemetry.Answers;

/// <summary>
/// The most frequent of many keys in little memory (the space-saving counter of Metwally, Agrawal and El Abbadi): a key
/// that finds no place takes that of the rarest, with its weight. What is frequent is certain to be there; weights are
/// never too low, and too high by at most the lightest. Not thread-safe; allocates nothing after it is made.
/// </summary>
/// <param name="keyOctets">The longest key.</param>
public sealed class TopTable(int capacity, int keyOctets)
{
    private readonly ulong[] _hashes = new ulong[capacity];
    private readonly double[] _weights = new double[capacity];
    private readonly int[] _lengths = new int[capacity];
    private readonly byte[] _keys = new byte[capacity * keyOctets];
    private int _count;

    /// <summary>The weight of all keys that were added, those without a place included.</summary>
    public double Total { get; private set; }

    /// <summary>Adds to the weight of a key; a key longer than the longest is ignored.</summary>
    public void Add(ReadOnlySpan<byte> key, double weight)
    {
        if (key.Length > keyOctets) return;
        Total += weight;
        ulong hash = NameHash.OfOctets(key);
        int slot = Find(hash, key);
        if (slot < 0)
        {
            slot = _count < capacity ? _count++ : Lightest();
            _hashes[slot] = hash;
            _lengths[slot] = key.Length;
            key.CopyTo(_keys.AsSpan(slot * keyOctets));
        }
        _weights[slot] += weight;
    }

    /// <summary>Lets all weights count for less, so that the list is of what is frequent lately.</summary>
    public void Fade(double factor)
    {
        Total *= factor;
        for (int i = 0; i < _count; i++) _weights[i] *= factor;
    }

    /// <summary>The heaviest keys, the heaviest first.</summary>
    public List<(byte[] Key, double Weight)> Read(int most)
    {
        List<(byte[] Key, double Weight)> all = [];
        for (int i = 0; i < _count; i++) all.Add((_keys.AsSpan(i * keyOctets, _lengths[i]).ToArray(), _weights[i]));
        all.Sort(static (left, right) => right.Weight.CompareTo(left.Weight));
        if (all.Count > most) all.RemoveRange(most, all.Count - most);
        return all;
    }

    private int Find(ulong hash, ReadOnlySpan<byte> key)
    {
        ReadOnlySpan<ulong> hashes = _hashes.AsSpan(0, _count);
        for (int start = 0; ;)
        {
            int found = hashes[start..].IndexOf(hash);
            if (found < 0) return -1;
            int slot = start + found;
            if (key.SequenceEqual(_keys.AsSpan(slot * keyOctets, _lengths[slot]))) return slot;
            start = slot + 1;
        }
    }

    private int Lightest()
    {
        int lightest = 0;
        for (int i = 1; i < _count; i++)
            if (_weights[i] < _weights[lightest]) lightest = i;
        return lightest;
    }
}
