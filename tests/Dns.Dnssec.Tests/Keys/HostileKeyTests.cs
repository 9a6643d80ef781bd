using Dns.Testing;

namespace Dns.Dnssec.Tests;

/// <summary>
/// Octets from the network are a key that verifies nothing, a signature that is bad, a DS that names nothing; never an
/// exception.
/// </summary>
public class HostileKeyTests
{
    private const int Seed = 20260102;

    [Fact]
    public void Damaged_keys_and_signatures_verify_nothing()
    {
        Random random = new(Seed);
        byte[] data = new byte[64], owner = WireOctets.Name("example.net");
        foreach (DnssecAlgorithm algorithm in Enum.GetValues<DnssecAlgorithm>().Where(DnssecAlgorithms.CanSign))
        {
            using SigningKey key = SigningKey.Generate(algorithm, isSep: true, bits: 1024);
            byte[] signature = new byte[key.SignatureOctets];
            Assert.True(key.TrySign(data, signature, out _));
            Assert.True(key.Public.TryMakeDs(owner, DsDigest.Sha256, out byte[] ds));
            for (int i = 0; i < 300; i++)
            {
                byte[] rdata = Damage(key.Public.Rdata, random), other = Damage(signature, random);
                Assert.False(key.Public.Verify(data, other), $"seed {Seed}, {algorithm}, {i}");
                if (!Dnskey.TryRead(rdata, out Dnskey? damaged)) continue;
                bool isSameKey =
                    damaged.KeyOctets.SequenceEqual(key.Public.KeyOctets) && damaged.Algorithm == algorithm;
                Assert.Equal(isSameKey, damaged.Verify(data, signature));
                Assert.False(damaged.IsNamedBy(owner, ds), $"seed {Seed}, {algorithm}, {i}");
                Assert.False(damaged.IsNamedBy(owner, Damage(ds, random)));
            }
        }
    }

    [Fact]
    public void Random_octets_are_no_key_and_no_signature()
    {
        Random random = new(Seed);
        for (int i = 0; i < 3000; i++)
        {
            byte[] rdata = new byte[random.Next(0, 600)], signature = new byte[random.Next(0, 600)];
            random.NextBytes(rdata);
            random.NextBytes(signature);
            if (rdata.Length > 3 && i % 2 == 0) rdata[3] = (byte)random.Next(5, 17);
            if (Dnskey.TryRead(rdata, out Dnskey? key)) Assert.False(key.Verify([1, 2, 3], signature));
            if (RrsigFields.TryRead(signature, out RrsigFields fields)) Assert.False(fields.Signature.IsEmpty);
            Nsec3Fields.TryRead(rdata, out _);
            NsecFields.TryRead(rdata, out _);
            TypeBits.Contains(rdata, RRType.A);
            TypeBits.ToText(rdata);
        }
    }

    [Theory]
    [InlineData(512, 3, true)]
    [InlineData(4096, 65537, true)]
    [InlineData(511, 65537, false)]
    [InlineData(4097, 65537, false)]
    [InlineData(2048, 1, false)]
    [InlineData(2048, 4, false)]
    [InlineData(2048, 0x1_0000_0001, true)]
    [InlineData(2048, 0x1_00_0000_0001, false)]
    public void RSA_is_bounded(int bits, long exponent, bool isTaken)
    {
        byte[] number = new byte[(bits + 7) / 8];
        Random random = new(Seed);
        random.NextBytes(number);
        number[0] = (byte)(1 << (bits - 1) % 8);
        number[^1] |= 1;
        byte[] power = [.. BitConverter.GetBytes(exponent).Reverse().SkipWhile(octet => octet == 0)];
        Assert.Equal(isTaken,
            Dnskey.Of(256, DnssecAlgorithm.RsaSha256, [(byte)power.Length, .. power, .. number]).CanVerify);
    }

    /// <summary>CVE-2023-50387: many keys with the tag of many signatures.</summary>
    [Fact]
    public void Keys_of_one_tag_and_signatures_of_one_RRset_are_tried_a_bounded_number_of_times()
    {
        using SigningKey key = SigningKey.Generate(DnssecAlgorithm.EcdsaP256Sha256, isSep: true);
        byte[] zone = WireOctets.Name("example.net");
        List<Dnskey> keys = Colliding(key.Public, count: 200);
        CanonicalRRset canonical = new();
        canonical.Begin(zone, RRType.A, 60);
        canonical.Add([192, 0, 2, 1]);
        canonical.End();
        byte[] rrsig = new byte[RrsigFields.MaxPrefixOctets + 64];
        int prefix = RrsigFields.WritePrefix(rrsig, RRType.A, keys[0], 2, 60, 0, 1000, zone);
        ValidationWork work = new(verifications: 10);
        SignatureCheck check = new(zone, keys, DateTimeOffset.FromUnixTimeSeconds(500), work);
        for (int i = 0; i < 100; i++)
        {
            Assert.True(RrsigFields.TryRead(rrsig.AsSpan(0, prefix + 64), out RrsigFields fields));
            Assert.Equal(SignatureVerdict.TooMuchWork, check.Check(zone, RRType.A, canonical, in fields));
        }
        Assert.Equal(0, work.VerificationsLeft);
    }

    // Two octets at even offsets of the key: one gains what the other loses.
    private static List<Dnskey> Colliding(Dnskey key, int count)
    {
        List<Dnskey> keys = [];
        for (int i = 0; i < count; i++)
        {
            byte[] octets = key.KeyOctets.ToArray();
            (octets[0], octets[2]) = ((byte)i, (byte)(255 - i));
            keys.Add(Dnskey.Of(257, key.Algorithm, octets));
        }
        Assert.Single(keys.Select(made => made.Tag).Distinct());
        return keys;
    }

    private static byte[] Damage(ReadOnlySpan<byte> octets, Random random)
    {
        byte[] damaged = octets.ToArray();
        if (random.Next(4) == 0) return damaged[..random.Next(damaged.Length)];
        if (random.Next(8) == 0) return [.. damaged, (byte)random.Next(256)];
        damaged[random.Next(damaged.Length)] ^= (byte)(1 << random.Next(8));
        return damaged;
    }
}
