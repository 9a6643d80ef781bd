using System.Security.Cryptography;

namespace Dns.Dnssec.Keys;

/// <summary>
/// The numbers of a private key, as in key files. The owner disposes it, which clears the memory; that is pinned, so
/// that the garbage collector leaves no copy.
/// </summary>
public sealed class PrivateKeyParameters : IDisposable
{
    internal const int RsaFields = 8;

    private readonly byte[][] _numbers;

    private PrivateKeyParameters(DnssecAlgorithm algorithm, byte[][] numbers) =>
        (Algorithm, _numbers) = (algorithm, numbers);

    /// <summary>The algorithm.</summary>
    public DnssecAlgorithm Algorithm { get; }

    /// <summary>The scalar or seed of a curve.</summary>
    public ReadOnlySpan<byte> Secret => _numbers[0];

    /// <summary>Number of numbers: 1 of a curve, 8 of RSA.</summary>
    internal int Count => _numbers.Length;

    /// <summary>A number of RSA: modulus, public exponent, private exponent, primes, exponents, coefficient.</summary>
    internal ReadOnlySpan<byte> Number(int index) => _numbers[index];

    /// <summary>Copies numbers; null if their count or lengths do not match the algorithm.</summary>
    internal static PrivateKeyParameters? TryMake(DnssecAlgorithm algorithm, params ReadOnlySpan<byte[]> numbers)
    {
        bool fits = DnssecAlgorithms.IsRsa(algorithm)
            ? numbers.Length == RsaFields
            : numbers.Length == 1 && numbers[0].Length == DnssecAlgorithms.CurveOctets(algorithm);
        if (!fits) return null;
        byte[][] own = new byte[numbers.Length][];
        for (int i = 0; i < own.Length; i++) own[i] = Copy(numbers[i]);
        return new PrivateKeyParameters(algorithm, own);
    }

    internal PrivateKeyParameters Clone() => new(Algorithm, Array.ConvertAll(_numbers, number => Copy(number)));

    /// <summary>Clears the numbers.</summary>
    public void Dispose()
    {
        foreach (byte[] number in _numbers) CryptographicOperations.ZeroMemory(number);
    }

    private static byte[] Copy(ReadOnlySpan<byte> number)
    {
        byte[] copy = GC.AllocateUninitializedArray<byte>(number.Length, pinned: true);
        number.CopyTo(copy);
        return copy;
    }
}
