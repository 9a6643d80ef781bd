using System.Security.Cryptography;

namespace Dns.Dnssec.Keys;

/// <summary>Generates private keys, and imports their numbers into the library.</summary>
internal static class KeyGeneration
{
    private const int MinRsaBits = 1024;
    private const int MaxDerOctets = 4096;

    /// <summary>The numbers of a new key; the caller disposes them.</summary>
    internal static PrivateKeyParameters Generate(DnssecAlgorithm algorithm, int rsaBits)
    {
        if (DnssecAlgorithms.IsRsa(algorithm))
            return GenerateRsa(algorithm, Math.Clamp(rsaBits, MinRsaBits, RsaKeyOctets.MaxBits));
        if (algorithm == DnssecAlgorithm.Ed25519) return GenerateEdwards();
        using ECDsa ecdsa = ECDsa.Create(PlatformAlgorithms.CurveOf(algorithm));
        byte[] secret = ecdsa.ExportParameters(includePrivateParameters: true).D!;
        PrivateKeyParameters parameters = PrivateKeyParameters.TryMake(algorithm, secret)!;
        CryptographicOperations.ZeroMemory(secret);
        return parameters;
    }

    private static PrivateKeyParameters GenerateEdwards()
    {
        byte[] secret = new byte[DnssecAlgorithms.CurveOctets(DnssecAlgorithm.Ed25519)];
        RandomNumberGenerator.Fill(secret);
        PrivateKeyParameters parameters = PrivateKeyParameters.TryMake(DnssecAlgorithm.Ed25519, secret)!;
        CryptographicOperations.ZeroMemory(secret);
        return parameters;
    }

    private static PrivateKeyParameters GenerateRsa(DnssecAlgorithm algorithm, int bits)
    {
        using RSA rsa = RSA.Create(bits);
        RSAParameters made = rsa.ExportParameters(includePrivateParameters: true);
        PrivateKeyParameters parameters = PrivateKeyParameters.TryMake(
            algorithm, made.Modulus!, made.Exponent!, made.D!, made.P!, made.Q!, made.DP!, made.DQ!, made.InverseQ!)!;
        Clear(made);
        return parameters;
    }

    /// <summary>Imports numbers into the library, and derives the public key.</summary>
    internal static bool TryMake(PrivateKeyParameters parameters, [NotNullWhen(true)] out NativeSigningKey? key,
        out byte[] publicOctets)
    {
        key = null;
        publicOctets = [];
        try
        {
            key = parameters.Algorithm == DnssecAlgorithm.Ed25519 ? MakeEdwards(parameters, out publicOctets)
                : DnssecAlgorithms.IsRsa(parameters.Algorithm) ? MakeRsa(parameters, out publicOctets)
                : MakeEcdsa(parameters, out publicOctets);
            return key is not null;
        }
        catch (CryptographicException)
        {
            return false; // The numbers are not a key.
        }
    }

    private static EdwardsMakingKey? MakeEdwards(PrivateKeyParameters parameters, out byte[] publicOctets) =>
        NativeKeys.MakeEdwards(parameters.Secret, out publicOctets) is PkeyHandle key
            ? new EdwardsMakingKey(key) : null;

    private static NativeSigningKey MakeEcdsa(PrivateKeyParameters parameters, out byte[] publicOctets)
    {
        byte[] secret = parameters.Secret.ToArray();
        try
        {
            ECDsa ecdsa =
                ECDsa.Create(new ECParameters { Curve = PlatformAlgorithms.CurveOf(parameters.Algorithm), D = secret });
            ECPoint point = ecdsa.ExportParameters(includePrivateParameters: false).Q;
            publicOctets = [.. point.X!, .. point.Y!];
            return Make(parameters.Algorithm, ecdsa);
        }
        finally
        {
            CryptographicOperations.ZeroMemory(secret);
        }
    }

    private static NativeSigningKey? MakeRsa(PrivateKeyParameters parameters, out byte[] publicOctets)
    {
        publicOctets = RsaKeyOctets.Write(parameters.Number(1), parameters.Number(0));
        if (!RsaKeyOctets.TryRead(publicOctets, out RSAParameters numbers)) return null;
        int octets = numbers.Modulus!.Length, half = (octets + 1) / 2;
        numbers.D = Padded(parameters.Number(2), octets);
        numbers.P = Padded(parameters.Number(3), half);
        numbers.Q = Padded(parameters.Number(4), half);
        numbers.DP = Padded(parameters.Number(5), half);
        numbers.DQ = Padded(parameters.Number(6), half);
        numbers.InverseQ = Padded(parameters.Number(7), half);
        try
        {
            return Make(parameters.Algorithm, RSA.Create(numbers));
        }
        finally
        {
            Clear(numbers);
        }
    }

    // .NET writes the DER that libcrypto reads, so no DER encoder is needed here.
    private static NativeSigningKey Make(DnssecAlgorithm algorithm, AsymmetricAlgorithm key)
    {
        byte[] der = GC.AllocateUninitializedArray<byte>(MaxDerOctets, pinned: true);
        try
        {
            bool isWritten = key is ECDsa ecdsa
                ? ecdsa.TryExportECPrivateKey(der, out int length) : ((RSA)key).TryExportRSAPrivateKey(der, out length);
            if (!NativeKeys.IsAvailable || !isWritten ||
                NativeKeys.ReadPrivateKey(der.AsSpan(0, length)) is not PkeyHandle native)
                return new PlatformMakingKey(algorithm, key);
            using (key) return new NativeMakingKey(algorithm, native);
        }
        finally
        {
            CryptographicOperations.ZeroMemory(der);
        }
    }

    // .NET requires each number at full length.
    private static byte[] Padded(ReadOnlySpan<byte> number, int octets)
    {
        number = number.TrimStart((byte)0);
        if (number.Length > octets) throw new CryptographicException("a number of the key is too long");
        byte[] padded = new byte[octets];
        number.CopyTo(padded.AsSpan(octets - number.Length));
        return padded;
    }

    private static void Clear(RSAParameters parameters)
    {
        foreach (byte[]? number in (byte[]?[])[parameters.D, parameters.P, parameters.Q, parameters.DP, parameters.DQ,
            parameters.InverseQ])
            CryptographicOperations.ZeroMemory(number);
    }
}
