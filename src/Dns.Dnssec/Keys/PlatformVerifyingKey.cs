using System.Security.Cryptography;

namespace Dns.Dnssec.Keys;

/// <summary>A public key of RSA or ECDSA with the classes of .NET.</summary>
internal sealed class PlatformVerifyingKey : VerifyingKey
{
    private readonly Lock _lock = new();
    private readonly HashAlgorithmName _hash;
    private readonly ECDsa? _ecdsa;
    private readonly RSA? _rsa;

    private PlatformVerifyingKey(HashAlgorithmName hash, ECDsa? ecdsa, RSA? rsa) =>
        (_hash, _ecdsa, _rsa) = (hash, ecdsa, rsa);

    internal override int Bits => _ecdsa?.KeySize ?? _rsa!.KeySize;

    internal static VerifyingKey? OfEcdsa(DnssecAlgorithm algorithm, ReadOnlySpan<byte> octets, bool isNative = true)
    {
        int curve = octets.Length / 2;
        ECParameters parameters = new()
        {
            Curve = PlatformAlgorithms.CurveOf(algorithm),
            Q = new ECPoint { X = octets[..curve].ToArray(), Y = octets[curve..].ToArray() },
        };
        try
        {
            return Make(algorithm, ECDsa.Create(parameters), isNative);
        }
        catch (CryptographicException)
        {
            return null; // Not a point of the curve.
        }
    }

    internal static VerifyingKey? OfRsa(DnssecAlgorithm algorithm, RSAParameters parameters, bool isNative = true)
    {
        try
        {
            return Make(algorithm, RSA.Create(parameters), isNative);
        }
        catch (CryptographicException)
        {
            return null;
        }
    }

    // .NET writes the DER that libcrypto reads, so no DER encoder is needed here.
    private static VerifyingKey Make(DnssecAlgorithm algorithm, AsymmetricAlgorithm key, bool isNative)
    {
        if (isNative && NativeKeys.IsAvailable &&
            NativeKeys.ReadPublicKey(key.ExportSubjectPublicKeyInfo()) is PkeyHandle native)
        {
            using (key) return new NativeVerifyingKey(algorithm, native, key.KeySize);
        }
        return new PlatformVerifyingKey(PlatformAlgorithms.HashOf(algorithm), key as ECDsa, key as RSA);
    }

    internal override bool Verify(ReadOnlySpan<byte> data, scoped ReadOnlySpan<byte> signature)
    {
        try
        {
            lock (_lock)
            {
                return _ecdsa is not null
                    ? _ecdsa.VerifyData(data, signature, _hash, DSASignatureFormat.IeeeP1363FixedFieldConcatenation)
                    : _rsa!.VerifyData(data, signature, _hash, RSASignaturePadding.Pkcs1);
            }
        }
        catch (CryptographicException)
        {
            return false;
        }
    }
}
