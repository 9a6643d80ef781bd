namespace Dns.Integration.Tests;

/// <summary>Key files of BIND and ldns are read and sign here; those that are written here sign there.</summary>
public sealed class KeyToolTests : IDisposable
{
    private const string Apex = "example.net";
    private const string Source =
        "$TTL 60\nexample.net. SOA ns host 1 3600 600 86400 300\nexample.net. NS ns\nns.example.net. A 192.0.2.1\n";

    private readonly string _folder = Directory.CreateTempSubdirectory("dns-keys").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    public static TheoryData<string, DnssecAlgorithm> Makers
    {
        get
        {
            TheoryData<string, DnssecAlgorithm> data = [];
            foreach (DnssecAlgorithm algorithm in Enum.GetValues<DnssecAlgorithm>().Where(DnssecAlgorithms.CanSign))
            {
                data.Add("dnssec-keygen", algorithm);
                data.Add("ldns-keygen", algorithm);
            }
            return data;
        }
    }

    [Theory]
    [MemberData(nameof(Makers))]
    public async Task A_key_of_another_is_read_and_signs(string tool, DnssecAlgorithm algorithm)
    {
        Assert.SkipUnless(Tools.IsInstalled(tool), $"{tool} is not installed");
        string[] bits = DnssecAlgorithms.IsRsa(algorithm) ? ["-b", "2048"] : [];
        string name = (await RunAsync(tool, ["-a", DnssecAlgorithms.MnemonicOf(algorithm), .. bits, Apex])).Trim()
            .Split('\n')[^1];
        Assert.True(KeyFile.TryRead(Path.Combine(_folder, name), out KeyFile? file, out TextFault? fault), $"{fault}");
        using (file)
        {
            Assert.Equal(name, file.BaseName);
            Assert.Equal(tool == "dnssec-keygen", file.Times.Created is not null);
            byte[] signature = new byte[file.Key!.SignatureOctets];
            Assert.True(file.Key.TrySign([1, 2, 3], signature, out _));
            Assert.True(file.Public.Verify([1, 2, 3], signature));
        }
    }

    [Theory]
    [MemberData(nameof(Makers))]
    public async Task A_key_that_is_made_here_signs_there(string tool, DnssecAlgorithm algorithm)
    {
        tool = tool == "dnssec-keygen" ? "dnssec-signzone" : "ldns-signzone";
        Assert.SkipUnless(Tools.IsInstalled(tool), $"{tool} is not installed");
        using SigningKey key = SigningKey.Generate(algorithm, isSep: true);
        DateTimeOffset past = TimeProvider.System.GetUtcNow().AddDays(-1);
        KeyFile file = new()
        {
            Zone = DomainName.Parse(Apex), Public = key.Public, Key = key, Ttl = 60,
            Times = new KeyTimes { Created = past, Publish = past, Activate = past },
        };
        file.Write(_folder);
        string source = Path.Combine(_folder, "source"), signed = Path.Combine(_folder, "signed");
        File.WriteAllText(source, Source);
        string[] arguments = tool == "dnssec-signzone"
            ? ["-z", "-S", "-O", "full", "-o", Apex, "-f", signed, source] : ["-f", signed, source, file.BaseName];
        await RunAsync(tool, arguments);
        using StringWriter output = new(), errors = new();
        int code = await DnsdCommand.InvokeAsync(["zone", "check", Apex, signed, "--dnssec"], output, errors);
        Assert.True(code == 0, $"{output}{errors}");
        Assert.Contains($"{(byte)algorithm} ", File.ReadAllText(signed));
    }

    private async Task<string> RunAsync(string tool, string[] arguments)
    {
        (int code, string output, string text) = await Tools.RunAsync(_folder, tool, arguments);
        Assert.True(code == 0, $"{tool}: {text}");
        return output;
    }
}
