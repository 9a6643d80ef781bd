using System.Security.Cryptography;

namespace Dns.Dnssec.Keys;

/// <summary>Maps algorithms to those of .NET.</summary>
internal static class PlatformAlgorithms
{
    internal static ECCurve CurveOf(DnssecAlgorithm algorithm) =>
        algorithm == DnssecAlgorithm.EcdsaP384Sha384 ? ECCurve.NamedCurves.nistP384 : ECCurve.NamedCurves.nistP256;

    internal static HashAlgorithmName HashOf(DnssecAlgorithm algorithm) => algorithm switch
    {
        DnssecAlgorithm.RsaSha1 or DnssecAlgorithm.RsaSha1Nsec3 => HashAlgorithmName.SHA1,
        DnssecAlgorithm.RsaSha512 => HashAlgorithmName.SHA512,
        DnssecAlgorithm.EcdsaP384Sha384 => HashAlgorithmName.SHA384,
        _ => HashAlgorithmName.SHA256,
    };

    /// <summary>Writes the digest that is signed, and returns its length.</summary>
    internal static int Hash(DnssecAlgorithm algorithm, ReadOnlySpan<byte> data, Span<byte> digest) => algorithm switch
    {
        DnssecAlgorithm.RsaSha1 or DnssecAlgorithm.RsaSha1Nsec3 => SHA1.HashData(data, digest),
        DnssecAlgorithm.RsaSha512 => SHA512.HashData(data, digest),
        DnssecAlgorithm.EcdsaP384Sha384 => SHA384.HashData(data, digest),
        _ => SHA256.HashData(data, digest),
    };
}
