using System.Net;
using System.Net.Sockets;
using Dns.Testing;

namespace Dns.Integration.Tests;

/// <summary>
/// Files of the program on a disk that is full, for which <c>/dev/full</c> stands: nothing written before is lost, and
/// it serves on.
/// </summary>
public sealed class FullDiskTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("dnsd-full-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private string PathOf(string name) => Path.Combine(_folder, name);

    private DnsdProcess Start(params string[] args) =>
        DnsdProcess.Start(_folder, ["run", "--listen", "127.0.0.1:0", .. args]);

    [LinuxFact]
    public async Task A_log_that_finds_no_room_is_said_on_standard_error_and_stops_nothing()
    {
        using DnsdProcess dnsd = Start(
            "--Serilog:WriteTo:0:Name=File", "--Serilog:WriteTo:0:Args:path=/dev/full",
            "--Serilog:WriteTo:1:Name=Console");
        IPEndPoint server = await dnsd.WaitUntilLoadedAsync();
        await dnsd.WaitForLineAsync("stderr: dnsd: log: ");
        Assert.Equal(Rcode.NoError, (await Client.AskUdpAsync(server, "www.example.com A")).Rcode);
        await dnsd.TerminateAsync();
        Assert.Equal(0, await dnsd.WaitForExitAsync());
    }

    [LinuxFact]
    public async Task A_log_without_a_file_that_can_be_opened_goes_to_standard_error()
    {
        await File.WriteAllTextAsync(PathOf("plain"), "text");
        using DnsdProcess dnsd = Start(
            "--Serilog:WriteTo:0:Name=File", $"--Serilog:WriteTo:0:Args:path={PathOf("plain/log")}",
            $"--Dns:Control:Socket={PathOf("socket")}");
        string line = await dnsd.WaitForLineAsync(" ERR D109 ");
        Assert.StartsWith("stderr: ", line);
        Assert.EndsWith($"which cannot be written: {PathOf("plain")} is a file", line);
        await dnsd.WaitForLineAsync(" INF D601 Control socket ");
        Assert.DoesNotContain(dnsd.Lines, other => other.Contains("dnsd: log: "));
        using DnsdProcess status = DnsdProcess.Start(_folder, ["status", "--socket", PathOf("socket")]);
        await status.WaitForExitAsync();
        Assert.Contains(status.Lines, other => other.Contains("Serilog:WriteTo:0:Args:path is "));
    }

    [LinuxFact]
    public async Task The_signal_of_a_file_at_its_limit_does_not_end_the_process()
    {
        using DnsdProcess dnsd = Start();
        IPEndPoint server = await dnsd.WaitUntilLoadedAsync();
        await dnsd.SignalAsync("XFSZ");
        Assert.Equal(Rcode.NoError, (await Client.AskUdpAsync(server, "www.example.com A")).Rcode);
        await dnsd.TerminateAsync();
        Assert.Equal(0, await dnsd.WaitForExitAsync());
    }

    [LinuxFact]
    public async Task A_query_log_that_finds_no_room_is_counted_and_answers_go_on()
    {
        using DnsdProcess dnsd = Start("--Dns:QueryLog:File=/dev/full");
        IPEndPoint server = await dnsd.WaitUntilLoadedAsync();
        for (int i = 0; i < 3; i++) Assert.Single((await Client.AskUdpAsync(server, "www.example.com A")).Answer);
        await dnsd.WaitForLineAsync("No space left on device");
        Assert.Single((await Client.AskUdpAsync(server, "www.example.com A")).Answer);
        await dnsd.TerminateAsync();
        Assert.Equal(0, await dnsd.WaitForExitAsync());
    }
}
