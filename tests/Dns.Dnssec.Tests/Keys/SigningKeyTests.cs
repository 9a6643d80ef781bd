using Dns.Testing;

namespace Dns.Dnssec.Tests;

public class SigningKeyTests
{
    public static TheoryData<DnssecAlgorithm> Algorithms =>
        [.. Enum.GetValues<DnssecAlgorithm>().Where(DnssecAlgorithms.CanSign)];

    [Theory]
    [MemberData(nameof(Algorithms))]
    public void What_a_key_signs_its_public_key_verifies(DnssecAlgorithm algorithm)
    {
        using SigningKey key = SigningKey.Generate(algorithm, isSep: true);
        Assert.Equal(257, key.Public.Flags);
        byte[] data = [1, 2, 3], signature = new byte[SigningKey.MaxSignatureOctets];
        Assert.True(key.TrySign(data, signature, out int written));
        Assert.Equal(key.SignatureOctets, written);
        Assert.True(Dnskey.TryRead(key.Public.Rdata, out Dnskey? other));
        Assert.True(other.Verify(data, signature.AsSpan(0, written)));
        data[1] ^= 1;
        Assert.False(other.Verify(data, signature.AsSpan(0, written)));
    }

    [Theory]
    [MemberData(nameof(Algorithms))]
    public void A_key_has_its_numbers_again_after_its_files(DnssecAlgorithm algorithm)
    {
        using KeyFolder folder = new();
        using SigningKey key = SigningKey.Generate(algorithm, isSep: false);
        DateTimeOffset time = new(2026, 3, 1, 12, 0, 0, TimeSpan.Zero);
        KeyFile file = new()
        {
            Zone = DomainName.Parse("Example.net"),
            Public = key.Public,
            Key = key,
            Ttl = 3600,
            Times = new KeyTimes { Created = time, Activate = time.AddDays(1) },
            OtherLines = ["Lifetime: 5"],
        };
        file.Write(folder.Path);
        string path = Path.Combine(folder.Path, $"Kexample.net.+{(int)algorithm:D3}+{key.Public.Tag:D5}.private");
        Assert.True(KeyFile.TryRead(path, out KeyFile? read, out TextFault? fault), $"{fault}");
        using (read)
        {
            Assert.Equal(key.Public, read.Public);
            Assert.Equal((file.Zone, file.Ttl, file.Times), (read.Zone, read.Ttl, read.Times));
            Assert.Equal(file.OtherLines, read.OtherLines);
            byte[] signature = new byte[key.SignatureOctets];
            Assert.True(read.Key!.TrySign([7], signature, out _));
            Assert.True(key.Public.Verify([7], signature));
        }
        if (!OperatingSystem.IsWindows())
            Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(path));
        Assert.Equal(2, Directory.GetFiles(folder.Path).Length);
    }

    [Theory]
    [MemberData(nameof(Algorithms))]
    public void A_signature_allocates_nothing(DnssecAlgorithm algorithm)
    {
        Assert.SkipUnless(NativeKeys.IsAvailable, "libcrypto.so.3 is not here");
        using SigningKey key = SigningKey.Generate(algorithm, isSep: false);
        byte[] data = new byte[200], signature = new byte[SigningKey.MaxSignatureOctets];
        Assert.Equal(0, AllocatedOctets.Least(() =>
        {
            for (int i = 0; i < 20; i++) Assert.True(key.TrySign(data, signature, out _));
            Assert.True(key.Public.Verify(data, signature.AsSpan(0, key.SignatureOctets)));
        }));
    }

    [Theory]
    [MemberData(nameof(Algorithms))]
    public void Threads_sign_and_verify_with_one_key(DnssecAlgorithm algorithm)
    {
        using SigningKey key = SigningKey.Generate(algorithm, isSep: false);
        Parallel.For(0, 8, thread =>
        {
            byte[] data = new byte[50], signature = new byte[key.SignatureOctets];
            for (int i = 0; i < 50; i++)
            {
                (data[0], data[1]) = ((byte)thread, (byte)i);
                Assert.True(key.TrySign(data, signature, out _));
                Assert.True(key.Public.Verify(data, signature));
                data[2] = 1;
                Assert.False(key.Public.Verify(data, signature));
                data[2] = 0;
            }
        });
    }
}
