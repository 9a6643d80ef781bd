namespace Dns.Dnssec.Tests;

public class KeyFileTests
{
    [Theory]
    [InlineData("example.NET", "Kexample.net.+013+00007")]
    [InlineData(".", "K.+013+00007")]
    [InlineData("a\\/b.example", "Ka%2Fb.example.+013+00007")]
    [InlineData("\\.\\..example", "K%2E%2E.example.+013+00007")]
    [InlineData("0/25.2.0.192.in-addr.arpa", "K0%2F25.2.0.192.in-addr.arpa.+013+00007")]
    public void No_name_of_a_zone_leads_out_of_the_folder(string zone, string expected) =>
        Assert.Equal(expected, KeyFile.BaseNameOf(DomainName.Parse(zone), DnssecAlgorithm.EcdsaP256Sha256, 7));

    [Theory]
    [InlineData("a", 232, false)]
    [InlineData("a", 233, true)]
    [InlineData("a", 254, true)]
    [InlineData("\\255", 254, true)]
    public void The_files_of_a_zone_with_a_long_name_can_be_written_and_are_its_own(
        string octet, int octets, bool isShortened)
    {
        using KeyFolder folder = new();
        using SigningKey key = SigningKey.Generate(DnssecAlgorithm.EcdsaP256Sha256, isSep: false);
        string Label(int length) => string.Concat(Enumerable.Repeat(octet, length));
        List<string> names = [];
        foreach (char last in "xy")
        {
            string zone = $"{Label(63)}.{Label(63)}.{Label(63)}.{Label(octets - 3 * 64 - 2)}{last}";
            KeyFile file = new() { Zone = DomainName.Parse(zone), Public = key.Public, Key = key };
            file.Write(folder.Path);
            string path = Path.Combine(folder.Path, file.BaseName);
            Assert.True(KeyFile.TryRead(path, out KeyFile? read, out TextFault? fault), $"{fault}");
            using (read) Assert.Equal(file.Zone, read.Zone);
            Assert.Equal(isShortened, file.BaseName.Contains('~'));
            names.Add(file.BaseName);
        }
        Assert.NotEqual(names[0], names[1]);
    }

    [Theory]
    [InlineData(".key", "IN DNSKEY", "IN DNSKY", ".key:2:17: expected DNSKEY, found \"DNSKY\"")]
    [InlineData(".key", "DNSKEY 256", "DNSKEY 65536",
        ".key:2:24: expected flags, a number up to 65535, found \"65536\"")]
    [InlineData(".key", "256 3 13", "256 4 13", ".key:2:28: expected the protocol 3, found \"4\"")]
    [InlineData(".private", "Algorithm: 13", "Algorithm: 99", ".private:2:12: expected an algorithm that is known")]
    [InlineData(".private", "PrivateKey: ", "PrivateKey: *", ".private:3:13: expected a number in base 64")]
    [InlineData(".private", "PrivateKey: ", "Private: ", ".private:3:1: expected a line \"PrivateKey: \"")]
    public void A_fault_has_its_place_and_nothing_of_the_key(string extension, string text, string replacement,
        string expected)
    {
        using KeyFolder folder = new();
        using SigningKey key = SigningKey.Generate(DnssecAlgorithm.EcdsaP256Sha256, isSep: false);
        KeyFile file = new() { Zone = DomainName.Parse("example.net"), Public = key.Public, Key = key };
        file.Write(folder.Path);
        string path = Path.Combine(folder.Path, file.BaseName);
        string[] lines = File.ReadAllLines(path + ".private");
        File.WriteAllText(path + extension, File.ReadAllText(path + extension).Replace(text, replacement));
        Assert.False(KeyFile.TryRead(path, out _, out TextFault? fault));
        Assert.Equal(path + expected, fault.ToString());
        Assert.DoesNotContain(lines[2].Split(' ')[1], fault.ToString());
    }

    [Fact]
    public void The_private_key_of_another_key_is_told()
    {
        using KeyFolder folder = new();
        using SigningKey key = SigningKey.Generate(DnssecAlgorithm.EcdsaP256Sha256, isSep: false);
        using SigningKey other = SigningKey.Generate(DnssecAlgorithm.EcdsaP256Sha256, isSep: false);
        KeyFile file = new() { Zone = DomainName.Parse("example.net"), Public = key.Public, Key = key };
        file.Write(folder.Path);
        KeyFile second = new() { Zone = file.Zone, Public = other.Public, Key = other };
        second.Write(folder.Path);
        File.Copy(Path.Combine(folder.Path, second.BaseName + ".private"),
            Path.Combine(folder.Path, file.BaseName + ".private"), overwrite: true);
        Assert.False(KeyFile.TryRead(Path.Combine(folder.Path, file.BaseName), out _, out TextFault? fault));
        Assert.Contains("found that of another key", fault.ToString());
    }

    [Fact]
    public void A_key_that_is_kept_elsewhere_is_read_without_its_private_file()
    {
        using KeyFolder folder = new();
        using SigningKey key = SigningKey.Generate(DnssecAlgorithm.EcdsaP256Sha256, isSep: true);
        KeyFile file = new()
        {
            Zone = DomainName.Root, Public = key.Public, Ttl = 60,
            Times = new KeyTimes { Publish = DateTimeOffset.UnixEpoch.AddDays(20000) },
        };
        file.Write(folder.Path);
        string path = Path.Combine(folder.Path, file.BaseName);
        Assert.True(KeyFile.TryRead(path, out KeyFile? read, out TextFault? fault), $"{fault}");
        Assert.Null(read.Key);
        Assert.Equal((key.Public, file.Times, file.Ttl), (read.Public, read.Times, read.Ttl));
    }

    [Theory]
    [InlineData("DNSKEYState: omnipresent", true)]
    [InlineData("DSState: hidden\nDNSKEYState: rumoured\nKSK: yes", true)]
    [InlineData("DNSKEYState: hidden", false)]
    [InlineData("DNSKEYState: unretentive", false)]
    [InlineData("KSK: yes", false)]
    [InlineData(null, false)]
    public void A_key_that_BIND_publishes_beyond_its_Delete_time_is_not_deleted(string? state, bool expected)
    {
        using KeyFolder folder = new();
        using SigningKey key = SigningKey.Generate(DnssecAlgorithm.EcdsaP256Sha256, isSep: true);
        DateTimeOffset now = DateTimeOffset.UnixEpoch.AddDays(20000);
        KeyFile file = new()
        {
            Zone = DomainName.Parse("example.net"), Public = key.Public, Key = key, Ttl = 60, OtherLines = ["Extra: 1"],
            Times = new KeyTimes { Publish = now.AddDays(-9), Inactive = now.AddDays(-2), Delete = now },
        };
        file.Write(folder.Path);
        string path = Path.Combine(folder.Path, file.BaseName);
        if (state is not null) File.WriteAllText(path + ".state", $"; of BIND\n{state}\n");
        Assert.True(KeyFile.TryReadUsed(path + ".private", now, out KeyFile? read, out TextFault? fault), $"{fault}");
        using (read)
        {
            Assert.Equal(expected, !read.IsDeleted(now));
            Assert.Equal(expected ? file.Times with { Delete = null } : file.Times, read.Times);
            Assert.Equal((file.Zone, key.Public, file.Ttl, "Extra: 1"),
                (read.Zone, read.Public, read.Ttl, Assert.Single(read.OtherLines)));
            Assert.NotNull(read.Key);
        }
        // A time to come is none that the state has outlived.
        Assert.True(KeyFile.TryReadUsed(path, now.AddDays(-1), out read, out fault), $"{fault}");
        using (read) Assert.Equal(now, read.Times.Delete);
    }
}
