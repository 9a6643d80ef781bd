namespace Dns.Dnssec.Keys.Native;

/// <summary>A private key of Ed25519 (RFC 8080) in libcrypto. No lock and no allocation for a signature.</summary>
internal sealed class EdwardsMakingKey(PkeyHandle key) : NativeSigningKey
{
    private readonly HandlePool<DigestContextHandle> _contexts = new();

    internal override int Sign(ReadOnlySpan<byte> data, Span<byte> signature)
    {
        DigestContextHandle context = _contexts.Rent() ?? LibCrypto.MakeDigestContext();
        nuint length = (nuint)signature.Length;
        bool isMade = LibCrypto.BeginSigning(context, 0, 0, 0, key) > 0
            && LibCrypto.Sign(context, signature, ref length, data, (nuint)data.Length) > 0;
        _contexts.Return(context);
        if (!isMade) LibCrypto.ClearErrors();
        return isMade ? (int)length : 0;
    }

    public override void Dispose()
    {
        _contexts.Dispose();
        key.Dispose();
    }
}
