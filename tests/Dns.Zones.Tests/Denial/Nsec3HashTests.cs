using System.Globalization;
using System.Security.Cryptography;
using Dns.Testing;
using Xunit;

namespace Dns.Zones.Tests.Denial;

public sealed class Nsec3HashTests
{
    /// <summary>RFC 5155 appendix A.</summary>
    [Theory, Trait("RFC", "5155")]
    [InlineData("example", "0p9mhaveqvm6t7vbl5lop2u3t2rp3tom")]
    [InlineData("a.example", "35mthgpgcu1qg68fab165klnsnk3dpvl")]
    [InlineData("ai.example", "gjeqe526plbf1g8mklp59enfd789njgi")]
    [InlineData("ns1.example", "2t7b4g4vsa5smi47k61mv5bv1a22bojr")]
    [InlineData("ns2.example", "q04jkcevqvmu85r014c7dkba38o0ji5r")]
    [InlineData("w.example", "k8udemvp1j2f7eg6jebps17vp3n8i58h")]
    [InlineData("*.w.example", "r53bq7cc2uvmubfu5ocmm6pers9tk9en")]
    [InlineData("x.w.example", "b4um86eghhds6nea196smvmlo4ors995")]
    [InlineData("y.w.example", "ji6neoaepv8b5o6k4ev33abha8ht9fgc")]
    [InlineData("x.y.w.example", "2vptu5timamqttgl4luu9kg21e0aor3s")]
    [InlineData("xx.example", "t644ebqk9bibcna874givr6joj62mlhv")]
    [InlineData("2t7b4g4vsa5smi47k61mv5bv1a22bojr.example", "kohar7mbb8dc2ce8a9qvl8hon4k53uhi")]
    public void Names_of_the_RFC_have_its_hashes(string name, string text)
    {
        byte[] hash = new byte[Nsec3Hash.LengthOctets];
        Nsec3Hash.Compute(WireOctets.Name(name), [0xAA, 0xBB, 0xCC, 0xDD], 12, hash);
        Assert.Equal(text, Base32Hex(hash));
    }

    [Fact]
    public void Every_length_of_name_and_salt_hashes_as_the_library_does()
    {
        Random random = new(1);
        byte[] hash = new byte[Nsec3Hash.LengthOctets];
        for (int length = 1; length <= WireName.MaxOctets; length++)
        {
            byte[] name = new byte[length], salt = new byte[random.Next(Nsec3Hash.MaxSaltOctets + 1)];
            random.NextBytes(name);
            random.NextBytes(salt);
            int iterations = random.Next(4);
            Nsec3Hash.Compute(name, salt, iterations, hash);
            Assert.Equal(OfLibrary(name, salt, iterations), hash);
            Nsec3Hash.Compute(name, [], 0, hash);
            Assert.Equal(OfLibrary(name, [], 0), hash);
        }
    }

    [Fact]
    public void The_longest_message_fits()
    {
        byte[] name = new byte[WireName.MaxOctets], salt = new byte[Nsec3Hash.MaxSaltOctets],
            hash = new byte[Nsec3Hash.LengthOctets];
        Nsec3Hash.Compute(name, salt, 2500, hash);
        Assert.Equal(OfLibrary(name, salt, 2500), hash);
    }

    [Fact]
    public void Hashing_allocates_nothing()
    {
        byte[] name = WireOctets.Name("www.example"), hash = new byte[Nsec3Hash.LengthOctets];
        Nsec3Hash.Compute(name, [1, 2], 1, hash);
        Assert.Equal(0, AllocatedOctets.Least(() =>
        {
            for (int i = 0; i < 100; i++) Nsec3Hash.Compute(name, [1, 2], 1, hash);
        }));
    }

    private static string Base32Hex(byte[] octets)
    {
        string bits = string.Concat(octets.Select(octet => octet.ToString("b8", CultureInfo.InvariantCulture)));
        return string.Concat(bits.Chunk(5)
            .Select(digit => "0123456789abcdefghijklmnopqrstuv"[Convert.ToInt32(new string(digit), 2)]));
    }

    private static byte[] OfLibrary(byte[] name, byte[] salt, int iterations)
    {
#pragma warning disable CA5350 // RFC 5155 says SHA-1.
        byte[] hash = SHA1.HashData([.. name, .. salt]);
        for (; iterations > 0; iterations--) hash = SHA1.HashData([.. hash, .. salt]);
#pragma warning restore CA5350
        return hash;
    }
}
