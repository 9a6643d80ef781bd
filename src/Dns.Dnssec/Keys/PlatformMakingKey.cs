using System.Security.Cryptography;

namespace Dns.Dnssec.Keys;

/// <summary>A private key of RSA or ECDSA with the classes of .NET.</summary>
internal sealed class PlatformMakingKey : NativeSigningKey
{
    private readonly Lock _lock = new();
    private readonly HashAlgorithmName _hash;
    private readonly ECDsa? _ecdsa;
    private readonly RSA? _rsa;

    internal PlatformMakingKey(DnssecAlgorithm algorithm, AsymmetricAlgorithm key)
    {
        _hash = PlatformAlgorithms.HashOf(algorithm);
        _ecdsa = key as ECDsa;
        _rsa = key as RSA;
    }

    internal override int Sign(ReadOnlySpan<byte> data, Span<byte> signature)
    {
        int written;
        lock (_lock)
        {
            bool isMade = _ecdsa is not null
                ? _ecdsa.TrySignData(data, signature, _hash, DSASignatureFormat.IeeeP1363FixedFieldConcatenation,
                    out written)
                : _rsa!.TrySignData(data, signature, _hash, RSASignaturePadding.Pkcs1, out written);
            return isMade ? written : 0;
        }
    }

    public override void Dispose()
    {
        _ecdsa?.Dispose();
        _rsa?.Dispose();
    }
}
