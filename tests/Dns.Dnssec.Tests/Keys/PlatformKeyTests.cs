using System.Security.Cryptography;

namespace Dns.Dnssec.Tests;

/// <summary>The classes of .NET, which are used without libcrypto, agree with it.</summary>
public class PlatformKeyTests
{
    [Theory]
    [InlineData(DnssecAlgorithm.EcdsaP256Sha256)]
    [InlineData(DnssecAlgorithm.EcdsaP384Sha384)]
    [InlineData(DnssecAlgorithm.RsaSha256)]
    [InlineData(DnssecAlgorithm.RsaSha512)]
    public void Both_libraries_verify_what_the_other_signs(DnssecAlgorithm algorithm)
    {
        using AsymmetricAlgorithm made = DnssecAlgorithms.IsRsa(algorithm)
            ? RSA.Create(2048) : ECDsa.Create(PlatformAlgorithms.CurveOf(algorithm));
        using PlatformMakingKey making = new(algorithm, made);
        byte[] octets = OctetsOf(made), data = [1, 2, 3], signature = new byte[SigningKey.MaxSignatureOctets];
        signature = signature[..making.Sign(data, signature)];
        VerifyingKey platform = Read(algorithm, octets, isNative: false),
            native = Read(algorithm, octets, isNative: true);
        Assert.IsType<PlatformVerifyingKey>(platform);
        Assert.Equal(platform.Bits, native.Bits);
        foreach (VerifyingKey key in (VerifyingKey[])[platform, native])
        {
            Assert.True(key.Verify(data, signature));
            Assert.False(key.Verify([1, 2, 4], signature));
            Assert.False(key.Verify(data, signature.AsSpan(1)));
            Assert.False(key.Verify(data, []));
        }
    }

    private static byte[] OctetsOf(AsymmetricAlgorithm key)
    {
        if (key is RSA rsa)
        {
            RSAParameters numbers = rsa.ExportParameters(includePrivateParameters: false);
            return RsaKeyOctets.Write(numbers.Exponent, numbers.Modulus);
        }
        ECPoint point = ((ECDsa)key).ExportParameters(includePrivateParameters: false).Q;
        return [.. point.X!, .. point.Y!];
    }

    private static VerifyingKey Read(DnssecAlgorithm algorithm, byte[] octets, bool isNative) =>
        DnssecAlgorithms.IsRsa(algorithm)
        ? RsaKeyOctets.TryRead(octets, out RSAParameters rsa)
            ? PlatformVerifyingKey.OfRsa(algorithm, rsa, isNative)! : throw new InvalidDataException()
        : PlatformVerifyingKey.OfEcdsa(algorithm, octets, isNative)!;
}
