namespace Dns.Dnssec.Keys.Native;

/// <summary>Keys in libcrypto, if available: on Linux, in version 3.</summary>
internal static class NativeKeys
{
    /// <summary>Whether the library is available. If not, the classes of .NET do all but Ed25519.</summary>
    internal static bool IsAvailable { get; } = OperatingSystem.IsLinux() && HasAll();

    /// <summary>Reads a private key from DER; null if it is invalid.</summary>
    internal static PkeyHandle? ReadPrivateKey(ReadOnlySpan<byte> der) => Read(der, isPrivate: true);

    /// <summary>Reads a public key from DER (SubjectPublicKeyInfo); null if it is invalid.</summary>
    internal static PkeyHandle? ReadPublicKey(ReadOnlySpan<byte> der) => Read(der, isPrivate: false);

    /// <summary>Imports a private key of Ed25519, and derives its public key.</summary>
    internal static PkeyHandle? MakeEdwards(ReadOnlySpan<byte> secret, out byte[] publicOctets)
    {
        publicOctets = new byte[DnssecAlgorithms.CurveOctets(DnssecAlgorithm.Ed25519)];
        PkeyHandle? key = Good(LibCrypto.MakeRawPrivateKey(LibCrypto.Ed25519, 0, secret, (nuint)secret.Length));
        nuint length = (nuint)publicOctets.Length;
        if (key is not null && LibCrypto.GetRawPublicKey(key, publicOctets, ref length) > 0) return key;
        key?.Dispose();
        return null;
    }

    internal static PkeyHandle? MakeEdwardsPublic(ReadOnlySpan<byte> octets) =>
        Good(LibCrypto.MakeRawPublicKey(LibCrypto.Ed25519, 0, octets, (nuint)octets.Length));

    /// <summary>Creates a context that signs or verifies digests; null if the library refuses the key.</summary>
    internal static PkeyContextHandle? MakeContext(PkeyHandle key, DnssecAlgorithm algorithm, bool isForSigning)
    {
        PkeyContextHandle context = LibCrypto.MakeContext(key, 0);
        bool isReady = !context.IsInvalid
            && (isForSigning ? LibCrypto.BeginSigning(context) : LibCrypto.BeginVerifying(context)) > 0
            && (!DnssecAlgorithms.IsRsa(algorithm)
                || LibCrypto.SetRsaPadding(context, LibCrypto.Pkcs1Padding) > 0
                && LibCrypto.SetSignatureDigest(context, DigestOf(algorithm)) > 0);
        if (isReady) return context;
        LibCrypto.ClearErrors();
        context.Dispose();
        return null;
    }

    private static nint DigestOf(DnssecAlgorithm algorithm) => algorithm switch
    {
        DnssecAlgorithm.RsaSha512 => LibCrypto.Sha512(),
        DnssecAlgorithm.RsaSha256 => LibCrypto.Sha256(),
        _ => LibCrypto.Sha1(),
    };

    private static unsafe PkeyHandle? Read(ReadOnlySpan<byte> der, bool isPrivate)
    {
        fixed (byte* start = der)
        {
            nint octets = (nint)start;
            return Good(isPrivate
                ? LibCrypto.ReadPrivateKey(0, ref octets, der.Length)
                : LibCrypto.ReadPublicKey(0, ref octets, der.Length));
        }
    }

    private static PkeyHandle? Good(PkeyHandle key)
    {
        if (!key.IsInvalid) return key;
        LibCrypto.ClearErrors();
        key.Dispose();
        return null;
    }

    private static bool HasAll()
    {
        string[] functions =
            ["EVP_PKEY_CTX_set_signature_md", "EVP_PKEY_CTX_set_rsa_padding", "EVP_DigestVerify",
                "EVP_PKEY_new_raw_private_key"];
        return NativeLibrary.TryLoad(LibCrypto.Name, out nint library)
            && Array.TrueForAll(functions, function => NativeLibrary.TryGetExport(library, function, out _));
    }
}
