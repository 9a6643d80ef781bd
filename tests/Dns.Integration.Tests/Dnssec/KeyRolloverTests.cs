using System.Diagnostics;
using System.Runtime.Versioning;
using System.Text.Json.Nodes;
using Dns.Testing;

namespace Dns.Integration.Tests;

/// <summary>Keys of the running program roll over as an operator wants it, with times of one second.</summary>
public sealed class KeyRolloverTests : IAsyncLifetime
{
    private readonly string _folder = Directory.CreateTempSubdirectory("dnsd-rollover-").FullName;
    private DnsdProcess _dnsd = null!;
    private string _socket = "";

    public async ValueTask InitializeAsync()
    {
        await File.WriteAllTextAsync(Path.Combine(_folder, "a.zone"),
            "$TTL 1\n@ SOA ns h 1 2 3 4 1\n@ NS ns\nns A 192.0.2.1\n");
        await File.WriteAllTextAsync(Path.Combine(_folder, "dnsd.json"), """
            { "Dns": { "Listen": ["127.0.0.1:0"], "Control": { "Socket": "of-settings.sock" },
                "DnssecPolicies": { "fast": { "Keys": "ksk+zsk", "PropagationDelay": "1s", "RetireSafety": "1s", "ParentDsTtl": "1s" } },
                "Zones": [ { "Name": "a.test", "File": "a.zone", "Dnssec": "fast" }, { "Name": "b.test", "File": "a.zone" } ] } }
            """);
        _dnsd = DnsdProcess.Start(_folder, ["run", "--config", "dnsd.json"]);
        await _dnsd.WaitUntilLoadedAsync();
        _socket = (await _dnsd.WaitForLineAsync("Control socket ")).Split(' ')[^1];
    }

    public ValueTask DisposeAsync()
    {
        _dnsd.Dispose();
        Directory.Delete(_folder, recursive: true);
        return ValueTask.CompletedTask;
    }

    private async Task<(int Code, string Output, string Errors)> RunAsync(params string[] words)
    {
        StringWriter output = new(), errors = new();
        int code = await DnsdCommand.InvokeAsync(["keys", .. words, "--socket", _socket], output, errors);
        return (code, output.ToString(), errors.ToString());
    }

    private async Task<string> StatesAsync()
    {
        (int code, string output, string errors) = await RunAsync("list", "a.test", "--json");
        Assert.Equal((0, ""), (code, errors));
        return string.Join(", ",
            JsonNode.Parse(output)!["keys"]!.AsArray().Select(key => $"{key!["role"]} {key["state"]}"));
    }

    [Fact]
    public async Task A_KSK_rolls_over_when_an_operator_has_brought_its_DS_record_to_the_parent()
    {
        string asked = await _dnsd.WaitForLineAsync("CDS and CDNSKEY request the DS record of key ");
        string first = asked.Split(' ')[^1];
        Assert.Equal("ksk ready, zsk active", await StatesAsync());
        Assert.Contains($"a.test. IN DS {first} 13 2 ", (await RunAsync("ds", "a.test")).Output);
        Assert.Equal((0, ""),
            (await RunAsync("submitted", "a.test", first)) is var (code, _, errors) ? (code, errors) : default);
        Assert.Equal("ksk active, zsk active", await StatesAsync());
        (_, string output, _) = await RunAsync("rollover", "a.test", "--ksk");
        Assert.Equal($"key {first} rolls over{Environment.NewLine}", output);
        asked = await _dnsd.WaitForLineAsync(
            line => line.Contains("CDS and CDNSKEY request the DS record of key ") && line.Split(' ')[^1] != first,
            "the DS record of another key");
        Assert.Equal("ksk retired, zsk active, ksk ready", await StatesAsync());
        await RunAsync("submitted", "a.test");
        await _dnsd.WaitForLineAsync($"key {first} is taken out of the zone");
        await _dnsd.WaitForLineAsync($"key {first} is not used any more");
        Assert.Equal("ksk removed, zsk active, ksk active", await StatesAsync());
    }

    [Fact]
    public async Task The_server_is_found_by_the_socket_of_the_settings_and_without_one_files_are_changed()
    {
        await _dnsd.WaitForLineAsync("CDS and CDNSKEY request the DS record of key ");
        Assert.EndsWith("of-settings.sock", _socket);
        Assert.Equal("ksk ready, zsk active", await StatesAsync());
        Assert.Contains(await InFolderAsync("submitted", "a.test", "--config", "dnsd.json"),
            line => line.StartsWith("the parent has the DS record of key ", StringComparison.Ordinal));
        Assert.Equal("ksk active, zsk active", await StatesAsync());
        Assert.Matches(@"^key \d+ rolls over$", Assert.Single(await InFolderAsync("rollover", "a.test", "--ksk")));
        string asked = await _dnsd.WaitForLineAsync("CDS and CDNSKEY request the DS record of key ");
        await _dnsd.WaitForLineAsync(
            line => line.Contains("CDS and CDNSKEY request the DS record of key ") && line != asked, "another key");
        await _dnsd.TerminateAsync();
        Assert.Equal(0, await _dnsd.WaitForExitAsync());
        string note = "stderr: dnsd: note: no server was found, so that files were changed: "
            + Path.Combine(_folder, "dnsd.state", "keys");
        Assert.Contains(note, await InFolderAsync("rollover", "a.test", "--zsk", "--config", "dnsd.json"));
        Assert.DoesNotContain(note, await InFolderAsync("list", "a.test", "--config", "dnsd.json"));
    }

    [Fact]
    public async Task Keys_of_a_server_that_is_not_found_do_not_change_and_a_second_one_does_not_use_them()
    {
        string file = Path.Combine(_folder, "second.json"), state = Path.Combine(_folder, "dnsd.state");
        await _dnsd.WaitForLineAsync("CDS and CDNSKEY request the DS record of key ");
        await _dnsd.TerminateAsync();
        await _dnsd.WaitForExitAsync();
        _dnsd.Dispose();
        _dnsd = DnsdProcess.Start(_folder, ["run", "--config", "dnsd.json"]);
        await _dnsd.WaitUntilLoadedAsync();
        string settings = await File.ReadAllTextAsync(Path.Combine(_folder, "dnsd.json"));
        await File.WriteAllTextAsync(file, settings.Replace("of-settings.sock", "second.sock", StringComparison.Ordinal)
            .Replace("\"Listen\"", "\"StateDirectory\": \"dnsd.state\", \"Listen\"", StringComparison.Ordinal));
        IReadOnlyList<string> lines = await InFolderAsync(1, "rollover", "a.test", "--ksk", "--config", "second.json");
        Assert.Contains($"stderr: dnsd: error: {state}: a server uses this state directory, but was not found: "
            + "expected --socket PATH, that of its line D601, or the server stopped before", lines);
        Assert.Equal("ksk ready, zsk active", await StatesAsync());
        using (DnsdProcess second = DnsdProcess.Start(_folder, ["run", "--config", "second.json"]))
        {
            Assert.Equal(1, await second.WaitForExitAsync());
            Assert.Contains($"stderr: dnsd: error: {state}: another server, or a command for its keys, uses this state "
                + "directory: expected another one (Dns:StateDirectory), or that server stopped before", second.Lines);
        }
        await _dnsd.TerminateAsync();
        await _dnsd.WaitForExitAsync();
        using DnsdProcess next = DnsdProcess.Start(_folder, ["run", "--config", "second.json"]);
        await next.WaitUntilLoadedAsync();
    }

    [LinuxFact]
    [SupportedOSPlatform("linux")]
    public async Task A_command_for_another_server_than_that_of_the_settings_says_so()
    {
        await _dnsd.TerminateAsync();
        Assert.Equal(0, await _dnsd.WaitForExitAsync());
        string folder = Directory.CreateDirectory(Path.Combine(_folder, "other"), UnixFileMode.UserRead
            | UnixFileMode.UserWrite | UnixFileMode.UserExecute).FullName;
        File.WriteAllText(Path.Combine(folder, "dnsd.json"), """{ "Dns": { "Listen": ["127.0.0.1:0"] } }""");
        (string, string) place = ("RUNTIME_DIRECTORY", folder);
        using DnsdProcess other = DnsdProcess.Start(folder, ["run", "--config", "dnsd.json"], place);
        string socket = (await other.WaitForLineAsync("Control socket ")).Split(' ')[^1];
        // For a service manager, whatever other servers run here.
        using DnsdProcess command =
            DnsdProcess.Start(_folder, ["keys", "list", "a.test"], place, ("MAINPID", $"{other.Id}"));
        Assert.NotEqual(0, await command.WaitForExitAsync());
        Assert.Contains(command.Lines, line => line == $"stderr: dnsd: note: no server runs on {_socket}, which "
            + $"dnsd.json names; this is about the one on {socket}");
    }

    [LinuxFact]
    [SupportedOSPlatform("linux")]
    public async Task Settings_that_cannot_be_read_are_named_and_a_pipe_is_not_waited_for()
    {
        string file = Path.Combine(_folder, "dnsd.json");
        await File.WriteAllTextAsync(file, """{ "Dns": { "Listen": , } }""");
        Assert.Contains(await InFolderAsync(1, "list", "b.test", "--socket", "none.sock"),
            line => line.Contains("none.sock"));
        // Another server may run at the usual place.
        using (DnsdProcess command = DnsdProcess.Start(_folder, ["zone", "status", "nowhere.test"]))
        {
            Assert.NotEqual(0, await command.WaitForExitAsync());
            Assert.Contains(command.Lines, line => line.StartsWith("stderr: dnsd: warning: dnsd.json:1:22: "));
        }
        File.Delete(file);
        using (Process pipe = Process.Start("mkfifo", [file])) await pipe.WaitForExitAsync();
        using (DnsdProcess command = DnsdProcess.Start(_folder, ["zone", "status", "nowhere.test"]))
            Assert.NotEqual(0, await command.WaitForExitAsync());
    }

    [LinuxFact(NeedsRoot = true)]
    [SupportedOSPlatform("linux")]
    public async Task Settings_of_another_user_name_no_server_unless_they_are_given()
    {
        using (Process chown = Process.Start("chown", ["65534", Path.Combine(_folder, "dnsd.json")]))
            await chown.WaitForExitAsync();
        Assert.Contains(await InFolderAsync(1, "rollover", "a.test"),
            line => line.Contains("belongs to another user, so that its control socket is not used"));
        await InFolderAsync("list", "a.test", "--config", "dnsd.json");
    }

    private Task<IReadOnlyList<string>> InFolderAsync(params string[] words) => InFolderAsync(0, words);

    private async Task<IReadOnlyList<string>> InFolderAsync(int exitCode, params string[] words)
    {
        using DnsdProcess command = DnsdProcess.Start(_folder, ["keys", .. words]);
        Assert.Equal(exitCode, await command.WaitForExitAsync());
        return command.Lines;
    }

    [Fact]
    public async Task A_zone_that_is_not_signed_here_has_no_keys()
    {
        (int code, _, string errors) = await RunAsync("list", "b.test");
        Assert.Equal(1, code);
        Assert.StartsWith("dnsd: error: zone b.test. is not signed by this server: expected one with Dnssec", errors);
    }
}
