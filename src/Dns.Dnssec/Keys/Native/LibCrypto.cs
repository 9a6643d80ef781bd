namespace Dns.Dnssec.Keys.Native;

/// <summary>OpenSSL 3 functions for keys; .NET makes half as many signatures a second, and lacks Ed25519.</summary>
internal static partial class LibCrypto
{
    internal const string Name = "libcrypto.so.3";

    /// <summary>EVP_PKEY_ED25519.</summary>
    internal const int Ed25519 = 1087;

    /// <summary>RSA_PKCS1_PADDING.</summary>
    internal const int Pkcs1Padding = 1;

    [LibraryImport(Name, EntryPoint = "d2i_AutoPrivateKey")]
    internal static partial PkeyHandle ReadPrivateKey(nint reuse, ref nint octets, nint length);

    [LibraryImport(Name, EntryPoint = "d2i_PUBKEY")]
    internal static partial PkeyHandle ReadPublicKey(nint reuse, ref nint octets, nint length);

    [LibraryImport(Name, EntryPoint = "EVP_PKEY_new_raw_private_key")]
    internal static partial PkeyHandle MakeRawPrivateKey(int type, nint engine, ReadOnlySpan<byte> octets,
        nuint length);

    [LibraryImport(Name, EntryPoint = "EVP_PKEY_new_raw_public_key")]
    internal static partial PkeyHandle MakeRawPublicKey(int type, nint engine, ReadOnlySpan<byte> octets, nuint length);

    [LibraryImport(Name, EntryPoint = "EVP_PKEY_get_raw_public_key")]
    internal static partial int GetRawPublicKey(PkeyHandle key, Span<byte> octets, ref nuint length);

    [LibraryImport(Name, EntryPoint = "EVP_PKEY_free")]
    internal static partial void FreeKey(nint key);

    [LibraryImport(Name, EntryPoint = "EVP_PKEY_CTX_new")]
    internal static partial PkeyContextHandle MakeContext(PkeyHandle key, nint engine);

    [LibraryImport(Name, EntryPoint = "EVP_PKEY_CTX_free")]
    internal static partial void FreeContext(nint context);

    [LibraryImport(Name, EntryPoint = "EVP_PKEY_CTX_set_rsa_padding")]
    internal static partial int SetRsaPadding(PkeyContextHandle context, int padding);

    [LibraryImport(Name, EntryPoint = "EVP_PKEY_CTX_set_signature_md")]
    internal static partial int SetSignatureDigest(PkeyContextHandle context, nint digest);

    [LibraryImport(Name, EntryPoint = "EVP_PKEY_sign_init")]
    internal static partial int BeginSigning(PkeyContextHandle context);

    [LibraryImport(Name, EntryPoint = "EVP_PKEY_sign")]
    internal static partial int Sign(
        PkeyContextHandle context, Span<byte> signature, ref nuint signatureLength, ReadOnlySpan<byte> digest,
        nuint digestLength);

    [LibraryImport(Name, EntryPoint = "EVP_PKEY_verify_init")]
    internal static partial int BeginVerifying(PkeyContextHandle context);

    [LibraryImport(Name, EntryPoint = "EVP_PKEY_verify")]
    internal static partial int Verify(
        PkeyContextHandle context, ReadOnlySpan<byte> signature, nuint signatureLength, ReadOnlySpan<byte> digest,
        nuint digestLength);

    [LibraryImport(Name, EntryPoint = "EVP_MD_CTX_new")]
    internal static partial DigestContextHandle MakeDigestContext();

    [LibraryImport(Name, EntryPoint = "EVP_MD_CTX_free")]
    internal static partial void FreeDigestContext(nint context);

    [LibraryImport(Name, EntryPoint = "EVP_DigestSignInit")]
    internal static partial int BeginSigning(DigestContextHandle context, nint keyContext, nint digest, nint engine,
        PkeyHandle key);

    [LibraryImport(Name, EntryPoint = "EVP_DigestSign")]
    internal static partial int Sign(
        DigestContextHandle context, Span<byte> signature, ref nuint signatureLength, ReadOnlySpan<byte> data,
        nuint dataLength);

    [LibraryImport(Name, EntryPoint = "EVP_DigestVerifyInit")]
    internal static partial int BeginVerifying(DigestContextHandle context, nint keyContext, nint digest, nint engine,
        PkeyHandle key);

    [LibraryImport(Name, EntryPoint = "EVP_DigestVerify")]
    internal static partial int Verify(
        DigestContextHandle context, ReadOnlySpan<byte> signature, nuint signatureLength, ReadOnlySpan<byte> data,
        nuint dataLength);

    [LibraryImport(Name, EntryPoint = "EVP_sha1")]
    internal static partial nint Sha1();

    [LibraryImport(Name, EntryPoint = "EVP_sha256")]
    internal static partial nint Sha256();

    [LibraryImport(Name, EntryPoint = "EVP_sha512")]
    internal static partial nint Sha512();

    // Every failure leaves an entry in a list of the thread; clear it.
    [LibraryImport(Name, EntryPoint = "ERR_clear_error")]
    internal static partial void ClearErrors();
}
