using System.Security.Cryptography;

namespace Dns.Dnssec.Keys;

/// <summary>A public key in a library. Thread-safe.</summary>
internal abstract class VerifyingKey
{
    /// <summary>Bits of the modulus or of the field.</summary>
    internal abstract int Bits { get; }

    /// <summary>Whether a signature in DNSSEC form is valid; never throws.</summary>
    internal abstract bool Verify(ReadOnlySpan<byte> data, scoped ReadOnlySpan<byte> signature);

    /// <summary>Creates a key; null if it is invalid, out of bounds, or of an unsupported algorithm.</summary>
    internal static VerifyingKey? TryMake(DnssecAlgorithm algorithm, ReadOnlySpan<byte> octets)
    {
        if (DnssecAlgorithms.IsRsa(algorithm))
            return RsaKeyOctets.TryRead(octets, out RSAParameters rsa)
                ? PlatformVerifyingKey.OfRsa(algorithm, rsa) : null;
        int curve = DnssecAlgorithms.CurveOctets(algorithm);
        if (algorithm is DnssecAlgorithm.EcdsaP256Sha256 or DnssecAlgorithm.EcdsaP384Sha384)
            return octets.Length == 2 * curve ? PlatformVerifyingKey.OfEcdsa(algorithm, octets) : null;
        if (algorithm != DnssecAlgorithm.Ed25519 || octets.Length != curve || !NativeKeys.IsAvailable) return null;
        return NativeKeys.MakeEdwardsPublic(octets) is PkeyHandle key ? new EdwardsVerifyingKey(key) : null;
    }
}
