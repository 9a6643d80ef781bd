namespace Dns.Bench;

/// <summary>
/// Questions of clients, as numbers: names of a Zipf distribution, and a share of names that are asked once and never again, as
/// a flood of random subdomains has them. The same seed gives the same questions.
/// </summary>
internal sealed class ZipfLoad
{
    private readonly double[] _sums;
    private readonly double _flood;
    private readonly Random _random;
    private long _next = 1L << 32;

    /// <param name="names">How many names clients ask for.</param>
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
    /// <param name="isFlood">Whether it is one of the flood: its hits, which there are none of, are not counted.</param>
    internal long Next(out bool isFlood)
    {
        isFlood = _random.NextDouble() < _flood;
        if (isFlood) return _next++;
        int found = Array.BinarySearch(_sums, _random.NextDouble() * _sums[^1]);
        return found < 0 ? Math.Min(~found, _sums.Length - 1) : found;
    }
}
