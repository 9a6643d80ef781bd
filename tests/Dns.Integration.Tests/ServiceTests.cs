using System.Net.Sockets;
using System.Text;

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
        using CancellationTokenSource patience = new(TimeSpan.FromSeconds(60));
        while (true)
        {
            int octets = await manager.ReceiveAsync(buffer, patience.Token);
            string[] lines = Encoding.UTF8.GetString(buffer, 0, octets).Split('\n');
            if (lines.Contains(line)) return lines;
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_service_manager_is_told_of_start_life_and_stop(bool isAbstract)
    {
        if (!OperatingSystem.IsLinux()) return;
        string name = isAbstract ? "@dnsd-test-" + Path.GetFileName(_folder) : Path.Combine(_folder, "notify");
        using Socket manager = new(AddressFamily.Unix, SocketType.Dgram, ProtocolType.Unspecified);
        manager.Bind(new UnixDomainSocketEndPoint(isAbstract ? "\0" + name[1..] : name));
        using DnsdProcess dnsd = DnsdProcess.Start(_folder, ["--listen", "127.0.0.1:0"],
            ("NOTIFY_SOCKET", name), ("WATCHDOG_USEC", "200000"));
        string[] ready = await ReadUntilAsync(manager, "READY=1");
        Assert.StartsWith("STATUS=Serving 4 zones with ", ready[1]);
        await ReadUntilAsync(manager, "WATCHDOG=1");
        await dnsd.TerminateAsync();
        await ReadUntilAsync(manager, "STOPPING=1");
        Assert.Equal(0, await dnsd.WaitForExitAsync());
    }
}
