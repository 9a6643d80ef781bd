using System.Net;
using System.Net.Sockets;
using System.Text;
using Dns.Testing;

namespace Dns.Integration.Tests;

/// <summary>The server under a service manager, which the test plays.</summary>
public sealed class ServiceTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("dnsd-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    /// <summary>Reads messages until one holds a line, and returns that message.</summary>
    private static async Task<string[]> ReadUntilAsync(Socket manager, string line)
    {
        byte[] buffer = new byte[4096];
        using CancellationTokenSource patience = new(TimeSpan.FromMinutes(3));
        while (true)
        {
            int octets = await manager.ReceiveAsync(buffer, patience.Token);
            string[] lines = Encoding.UTF8.GetString(buffer, 0, octets).Split('\n');
            if (lines.Contains(line)) return lines;
        }
    }

    [LinuxTheory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_service_manager_is_told_of_start_life_and_stop(bool isAbstract)
    {
        string name = isAbstract ? "@dnsd-test-" + Path.GetFileName(_folder) : Path.Combine(_folder, "notify");
        using Socket manager = new(AddressFamily.Unix, SocketType.Dgram, ProtocolType.Unspecified);
        manager.Bind(new UnixDomainSocketEndPoint(isAbstract ? "\0" + name[1..] : name));
        using DnsdProcess dnsd = DnsdProcess.Start(_folder, ["--listen", "127.0.0.1:0"],
            ("NOTIFY_SOCKET", name), ("WATCHDOG_USEC", "200000"));
        string[] ready = await ReadUntilAsync(manager, "READY=1");
        Assert.StartsWith("STATUS=Serving 4 zones with ", ready[1]);
        await ReadUntilAsync(manager, "WATCHDOG=1");
        await dnsd.ReloadAsync();
        string[] reloading = await ReadUntilAsync(manager, "RELOADING=1");
        Assert.InRange(long.Parse(reloading[1]["MONOTONIC_USEC=".Length..]), 1,
            Environment.TickCount64 * 1000 + 1_000_000);
        await ReadUntilAsync(manager, "READY=1");
        await dnsd.TerminateAsync();
        await ReadUntilAsync(manager, "STOPPING=1");
        Assert.Equal(0, await dnsd.WaitForExitAsync());
    }

    [LinuxFact]
    public async Task A_service_manager_is_told_of_zones_that_come_while_the_server_runs()
    {
        string name = Path.Combine(_folder, "notify");
        using Socket manager = new(AddressFamily.Unix, SocketType.Dgram, ProtocolType.Unspecified);
        manager.Bind(new UnixDomainSocketEndPoint(name));
        string zones = Directory.CreateDirectory(Path.Combine(_folder, "zones")).FullName;
        File.WriteAllText(Path.Combine(_folder, "dnsd.json"),
            """{ "Dns": { "Zones": [ { "Directory": "zones" } ] } }""");
        using DnsdProcess dnsd = DnsdProcess.Start(
            _folder, ["--config", "dnsd.json", "--listen", "127.0.0.1:0"], ("NOTIFY_SOCKET", name));
        await ReadUntilAsync(manager, "STATUS=Serving 0 zones with 0 records");
        File.WriteAllText(Path.Combine(zones, "a.example.zone"),
            "@ 60 SOA ns h 1 2 3 4 5\n@ 60 NS ns\nns 60 A 192.0.2.1\n");
        await ReadUntilAsync(manager, "STATUS=Serving 1 zone with 3 records");
    }

    [LinuxFact]
    public async Task A_command_of_a_service_is_about_the_process_of_that_service()
    {
        using DnsdProcess service = DnsdProcess.Start(_folder, ["--listen", "127.0.0.1:0"]);
        using DnsdProcess other = DnsdProcess.Start(_folder, ["--listen", "127.0.0.1:0"]);
        await service.WaitForLineAsync("Control socket ");
        await other.WaitForLineAsync("Control socket ");
        using DnsdProcess reload = DnsdProcess.Start(_folder, ["reload"], ("MAINPID", $"{service.Id}"));
        Assert.Equal(0, await reload.WaitForExitAsync());
        await service.WaitForLineAsync("The new settings are applied");
        Assert.DoesNotContain(other.Lines, line => line.Contains("The new settings are applied"));
    }

    [ToolFact("systemd-socket-activate")]
    public async Task A_query_that_waits_in_a_socket_of_the_manager_is_answered_from_its_zone()
    {
        // Long enough to read for an answer before its end to show.
        File.WriteAllText(
            Path.Combine(_folder, "a.zone"),
            "$TTL 60\n@ SOA ns h 1 2 3 4 5\n@ NS ns\nns A 192.0.2.1\n$GENERATE 1-200000 n$ A 192.0.2.1\n");
        using PortLease port = PortLease.Take();
        IPEndPoint server = port.Loopback;
        using DnsdProcess dnsd = DnsdProcess.Start(
            "systemd-socket-activate",
            [
                "--datagram", $"--listen={server}", "-E", "DOTNET_ROOT", "-E", "HOME", "-E", "PATH", "-E",
                "RUNTIME_DIRECTORY", "-E", "Dns__Admin__Listen", "dotnet",
            ],
            _folder, ["run", "--listen", server.ToString(), "--zone", "a.test=a.zone"]);
        await dnsd.WaitForLineAsync("Listening on ");
        Assert.Equal(Rcode.NoError, (await Client.AskUdpAsync(server, "ns.a.test A")).Rcode);
        await dnsd.WaitForLineAsync("Serving 1 zone");
        await dnsd.TerminateAsync();
        Assert.Equal(0, await dnsd.WaitForExitAsync());
    }
}
