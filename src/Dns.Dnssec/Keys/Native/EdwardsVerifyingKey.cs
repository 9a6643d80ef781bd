namespace Dns.Dnssec.Keys.Native;

/// <summary>A public key of Ed25519 (RFC 8080) in libcrypto.</summary>
internal sealed class EdwardsVerifyingKey(PkeyHandle key) : VerifyingKey
{
    private const int KeyBits = 256;

    private readonly HandlePool<DigestContextHandle> _contexts = new();

    internal override int Bits => KeyBits;

    internal override bool Verify(ReadOnlySpan<byte> data, scoped ReadOnlySpan<byte> signature)
    {
        if (signature.Length != KeyBits / 4) return false;
        DigestContextHandle context = _contexts.Rent() ?? LibCrypto.MakeDigestContext();
        bool isGood = LibCrypto.BeginVerifying(context, 0, 0, 0, key) > 0
            && LibCrypto.Verify(context, signature, (nuint)signature.Length, data, (nuint)data.Length) == 1;
        _contexts.Return(context);
        if (!isGood) LibCrypto.ClearErrors();
        return isGood;
    }
}
