using System.Net;
using Dns.Testing;

namespace Dns.Integration.Tests;

/// <summary>What a start maps into the process, and what a check lacks.</summary>
public sealed class StartTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("dnsd-start").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [LinuxFact]
    public async Task Check_without_a_temporary_directory_says_so_and_checks_the_rest()
    {
        File.WriteAllText(
            Path.Combine(_folder, "dnsd.json"), """{ "Dns": { "Listen": ["127.0.0.1:0"] }, "Serilog": {} }""");
        using DnsdProcess check = DnsdProcess.Start(
            _folder, ["check", "--config", "dnsd.json"], ("TMPDIR", Path.Combine(_folder, "missing")));
        Assert.Equal(0, await check.WaitForExitAsync());
        Assert.Contains(check.Lines, line => line.Contains("the settings of the log are not tried: "));
        Assert.Contains("settings: 0 problems", check.Lines);
    }

    [LinuxFact]
    public async Task Files_that_another_program_has_locked_are_read()
    {
        string zone = Path.Combine(_folder, "a.test.zone"), settings = Path.Combine(_folder, "dnsd.json");
        File.WriteAllText(zone, "@ 60 SOA ns h 1 2 3 4 5\n@ 60 NS ns\nns 60 A 192.0.2.1\n");
        File.WriteAllText(settings,
            """{ "Dns": { "Listen": ["127.0.0.1:0"], "Zones": [ { "Name": "a.test", "File": "a.test.zone" } ] } }""");
        // With flock(2): whoever may read a file may do that.
        using FileStream one = new(zone, FileMode.Open, FileAccess.Read, FileShare.None);
        using FileStream other = new(settings, FileMode.Open, FileAccess.Read, FileShare.None);
        Assert.Throws<IOException>(() => File.ReadAllText(zone));
        using DnsdProcess server = DnsdProcess.Start(_folder, ["run", "--config", "dnsd.json"]);
        IPEndPoint address = await server.WaitUntilLoadedAsync();
        Assert.Single((await Client.AskUdpAsync(address, "ns.a.test A")).Answer);
    }

    [Fact]
    public async Task A_server_without_keys_does_not_load_OpenSSL()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "reads /proc");
        File.WriteAllText(Path.Combine(_folder, "a.test.zone"),
            "@ 60 SOA ns h 1 2 3 4 5\n@ 60 NS ns\nns 60 A 192.0.2.1\n");
        File.WriteAllText(Path.Combine(_folder, "dnsd.json"),
            """{ "Dns": { "Listen": ["127.0.0.1:0"], "Zones": [ { "Name": "a.test", "File": "a.test.zone" } ] } }""");
        using DnsdProcess server = DnsdProcess.Start(_folder, ["run", "--config", "dnsd.json"]);
        await server.WaitUntilLoadedAsync();
        string maps = await File.ReadAllTextAsync($"/proc/{server.Id}/maps", TestContext.Current.CancellationToken);
        Assert.Contains("libcoreclr", maps);
        Assert.DoesNotContain("libcrypto", maps);
        Assert.DoesNotContain("Dns.Import.dll", maps);
    }
}
