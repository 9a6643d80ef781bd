using System.Security.Cryptography;

namespace Dns.Dnssec.Keys.Native;

/// <summary>A public key of RSA or ECDSA in libcrypto. No lock and no allocation for a verification.</summary>
internal sealed class NativeVerifyingKey : VerifyingKey
{
    private readonly HandlePool<PkeyContextHandle> _contexts = new();
    private readonly DnssecAlgorithm _algorithm;
    private readonly PkeyHandle _key;
    private readonly int _curve;

    internal NativeVerifyingKey(DnssecAlgorithm algorithm, PkeyHandle key, int bits)
    {
        _algorithm = algorithm;
        _key = key;
        _curve = DnssecAlgorithms.CurveOctets(algorithm);
        Bits = bits;
        _contexts.Return(NativeKeys.MakeContext(key, algorithm, isForSigning: false)
            ?? throw new CryptographicException("libcrypto takes no such key"));
    }

    internal override int Bits { get; }

    internal override bool Verify(ReadOnlySpan<byte> data, scoped ReadOnlySpan<byte> signature)
    {
        if (signature.Length != (_curve > 0 ? 2 * _curve : (Bits + 7) / 8)) return false;
        Span<byte> digest = stackalloc byte[SHA512.HashSizeInBytes];
        digest = digest[..PlatformAlgorithms.Hash(_algorithm, data, digest)];
        Span<byte> der = stackalloc byte[EcdsaSignature.MaxDerOctets];
        if (_curve > 0) signature = der[..EcdsaSignature.ToDer(signature, der)];
        PkeyContextHandle? context = _contexts.Rent() ?? NativeKeys.MakeContext(_key, _algorithm, isForSigning: false);
        if (context is null) return false;
        bool isGood = LibCrypto.Verify(context, signature, (nuint)signature.Length, digest, (nuint)digest.Length) == 1;
        _contexts.Return(context);
        if (!isGood) LibCrypto.ClearErrors();
        return isGood;
    }
}
