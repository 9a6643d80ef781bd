namespace Dns.Bench;

/// <summary>
/// Client queries, as numbers: names of a Zipf distribution, and a share of names queried only once, as in a flood of
/// random subdomains. The same seed gives the same queries.
/// </summary>
internal sealed class ZipfLoad
{
    private readonly double[] _sums;
    private readonly double _flood;
    private readonly Random _random;
    private long _next = 1L << 32;

    /// <param name="names">Number of names that clients query.</param>
    /// <param name="exponent">The exponent of the distribution; about 1 for DNS.</param>
    /// <param name="flood">The share of the flood, 0 to 1.</param>
    /// <param name="seed">The seed.</param>
    internal ZipfLoad(int names, double exponent, double flood, int seed)
    {
        _flood = flood;
        _random = new Random(seed);
        _sums = new double[names];
        double sum = 0;
        for (int i = 0; i < names; i++) _sums[i] = sum += 1 / Math.Pow(i + 1, exponent);
    }

    /// <summary>The next question.</summary>
    /// <param name="isFlood">Whether it belongs to the flood, whose hits are not counted.</param>
    internal long Next(out bool isFlood)
    {
        isFlood = _random.NextDouble() < _flood;
        if (isFlood) return _next++;
        int found = Array.BinarySearch(_sums, _random.NextDouble() * _sums[^1]);
        return found < 0 ? Math.Min(~found, _sums.Length - 1) : found;
    }
}
