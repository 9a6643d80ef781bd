using System.Security.Cryptography;

namespace Dns.Dnssec.Keys.Native;

/// <summary>A private key of RSA or ECDSA in libcrypto. No lock and no allocation for a signature.</summary>
internal sealed class NativeMakingKey : NativeSigningKey
{
    private readonly HandlePool<PkeyContextHandle> _contexts = new();
    private readonly DnssecAlgorithm _algorithm;
    private readonly PkeyHandle _key;
    private readonly int _curve;

    internal NativeMakingKey(DnssecAlgorithm algorithm, PkeyHandle key)
    {
        _algorithm = algorithm;
        _key = key;
        _curve = DnssecAlgorithms.CurveOctets(algorithm);
        _contexts.Return(NativeKeys.MakeContext(key, algorithm, isForSigning: true)
            ?? throw new CryptographicException("libcrypto takes no such key"));
    }

    internal override int Sign(ReadOnlySpan<byte> data, Span<byte> signature)
    {
        Span<byte> digest = stackalloc byte[SHA512.HashSizeInBytes];
        digest = digest[..PlatformAlgorithms.Hash(_algorithm, data, digest)];
        Span<byte> der = stackalloc byte[EcdsaSignature.MaxDerOctets];
        Span<byte> made = _curve > 0 ? der : signature;
        nuint length = (nuint)made.Length;
        PkeyContextHandle? context = _contexts.Rent() ?? NativeKeys.MakeContext(_key, _algorithm, isForSigning: true);
        if (context is null) return 0;
        bool isMade = LibCrypto.Sign(context, made, ref length, digest, (nuint)digest.Length) > 0;
        _contexts.Return(context);
        if (!isMade)
        {
            LibCrypto.ClearErrors();
            return 0;
        }
        if (_curve == 0) return (int)length;
        return EcdsaSignature.TryFromDer(der[..(int)length], signature[..(2 * _curve)]) ? 2 * _curve : 0;
    }

    public override void Dispose()
    {
        _contexts.Dispose();
        _key.Dispose();
    }
}
