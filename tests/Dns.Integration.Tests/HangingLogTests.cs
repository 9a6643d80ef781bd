using System.Diagnostics;
using System.Net;
using Dns.Testing;

namespace Dns.Integration.Tests;

/// <summary>The log goes to a pipe that is full, and whose reader has stopped.</summary>
public sealed class HangingLogTests : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(3);

    private readonly string _folder = Directory.CreateTempSubdirectory("dnsd-hanging-log-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private string PathOf(string name) => Path.Combine(_folder, name);

    [LinuxFact]
    public async Task With_a_full_pipe_everything_is_answered_and_the_server_stops()
    {
        Write();
        await RunAsync("mkfifo", PathOf("pipe"));
        using DnsdProcess dnsd = DnsdProcess.Start(
            "sh", ["-c", $"exec \"$@\" > '{PathOf("pipe")}'", "sh", "dotnet"], _folder,
            ["run", "--config", PathOf("dnsd.json")]);
        using StreamReader reader = await Task.Run(() => new StreamReader(PathOf("pipe"))).WaitAsync(Patience);
        IPEndPoint? server = null;
        while (await reader.ReadLineAsync().WaitAsync(Patience) is { } line && !line.Contains(" D201 "))
            if (line.Split(' ') is [_, _, _, "D101", "Listening", "on", var address, ..])
                server = IPEndPoint.Parse(address);
        Assert.NotNull(server);
        // The rest of the pipe: whole pages, then single octets.
        foreach (string size in (string[])["bs=4096", "bs=1"])
            await RunAsync("dd", "if=/dev/zero", $"of={PathOf("pipe")}", "oflag=nonblock", "conv=notrunc", size);
        for (int i = 0; i < 24; i++)
        {
            Assert.Equal(Rcode.Refused, await RefusedAsync(server, "second.example SOA", Opcode.Notify));
            Assert.Equal(Rcode.Refused, await RefusedAsync(server, "example.com SOA", Opcode.Update));
        }
        Assert.Equal(Rcode.NoError, (await Client.AskUdpAsync(server, "www.example.com A")).Rcode);
        Assert.Equal(Rcode.NoError, (await Client.AskTcpAsync(server, "www.example.com A")).Rcode);
        await dnsd.TerminateAsync();
        Assert.Equal(0, await dnsd.WaitForExitAsync().WaitAsync(TimeSpan.FromSeconds(10)));
    }

    private void Write()
    {
        File.WriteAllText(PathOf("zone"), """
            $ORIGIN example.com.
            $TTL 60
            @ SOA ns hostmaster 1 3600 600 86400 60
            @ NS ns
            ns A 192.0.2.1
            www A 192.0.2.2
            """);
        File.WriteAllText(PathOf("dnsd.json"), $$"""
            { "Dns": { "Listen": [ "127.0.0.1:0" ], "StateDirectory": "{{PathOf("state")}}", "Zones": [
                { "Name": "example.com", "File": "zone" },
                { "Name": "second.example", "Type": "secondary", "Primaries": [ "192.0.2.53" ] } ] } }
            """);
    }

    private static async Task<Rcode> RefusedAsync(IPEndPoint server, string question, Opcode opcode) =>
        (await Client.AskUdpAsync(
            server, QueryMessage.For(question) with { Flags = (ushort)((int)opcode << 11) })).Rcode;

    /// <summary>Runs a program to its end, which for a full pipe is an error.</summary>
    private static async Task RunAsync(string program, params string[] arguments)
    {
        using Process process =
            Process.Start(new ProcessStartInfo(program, arguments) { RedirectStandardError = true })!;
        await process.WaitForExitAsync().WaitAsync(Patience);
    }
}
