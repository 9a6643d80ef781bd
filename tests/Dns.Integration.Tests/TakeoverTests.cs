using System.Net;
using System.Net.Sockets;
using Dns.Testing;

namespace Dns.Integration.Tests;

/// <summary>One server replaces another on the same sockets.</summary>
public sealed class TakeoverTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("dnsd-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private DnsdProcess Start(params string[] args) => DnsdProcess.Start(_folder, args);

    /// <summary>One query, never sent again: what is lost is found out.</summary>
    private static async Task<Reply> AskOnceAsync(IPEndPoint server)
    {
        using UdpClient client = new(server.AddressFamily);
        client.Connect(server);
        await client.SendAsync(QueryMessage.For("www.example.com A").ToOctets());
        using CancellationTokenSource patience = new(TimeSpan.FromSeconds(20));
        return Reply.Read((await client.ReceiveAsync(patience.Token)).Buffer);
    }

    private static async Task<int> AskUntilAsync(Func<Task<Reply>> ask, Task end)
    {
        int asked = 0;
        // A query without an answer is an exception here, and fails the test.
        for (bool isLast = false; !isLast; asked++)
        {
            isLast = end.IsCompleted;
            Assert.Single((await ask()).Answer);
        }
        return asked;
    }

    [Theory]
    [InlineData("127.0.0.1:0")]
    [InlineData("0.0.0.0:0")]
    public async Task A_server_is_replaced_without_a_query_lost(string listen)
    {
        if (!OperatingSystem.IsLinux()) return;
        using DnsdProcess old = Start("--listen", listen, "--Dns:Workers=2");
        IPEndPoint bound = await old.WaitUntilLoadedAsync();
        IPEndPoint server = new(IPAddress.Loopback, bound.Port);
        TaskCompletionSource end = new();
        Task<int> udp = AskUntilAsync(() => AskOnceAsync(server), end.Task);
        Task<int> tcp = AskUntilAsync(() => Client.AskTcpAsync(server, "www.example.com A"), end.Task);

        using DnsdProcess next = Start("run", "--takeover", "--listen", bound.ToString(), "--Dns:Workers=2");
        Assert.Equal(0, await old.WaitForExitAsync());
        await next.WaitForLineAsync("Took over");
        end.SetResult();
        Assert.InRange(await udp, 2, int.MaxValue);
        Assert.InRange(await tcp, 2, int.MaxValue);

        using DnsdProcess third = Start("run", "--takeover", "--listen", bound.ToString());
        Assert.Equal(0, await next.WaitForExitAsync());
        Assert.Single((await Client.AskUdpAsync(server, "www.example.com A")).Answer);
        Assert.Single((await Client.AskTcpAsync(server, "www.example.com A")).Answer);
    }

    [Fact]
    public async Task Without_the_flag_a_second_server_is_refused_and_the_first_serves_on()
    {
        using DnsdProcess first = Start("--listen", "127.0.0.1:0");
        IPEndPoint server = await first.WaitUntilLoadedAsync();
        using DnsdProcess second = Start("--listen", server.ToString());
        Assert.Equal(1, await second.WaitForExitAsync());
        Assert.Contains(second.Lines, line => line.Contains("the port is in use by another program"));
        Assert.Single((await Client.AskUdpAsync(server, "www.example.com A")).Answer);
    }

    [Fact]
    public async Task A_successor_that_ends_before_it_is_ready_changes_nothing()
    {
        if (!OperatingSystem.IsLinux()) return;
        using DnsdProcess first = Start("--listen", "127.0.0.1:0");
        IPEndPoint server = await first.WaitUntilLoadedAsync();
        using (Socket successor = new(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified))
        {
            successor.Connect(new UnixDomainSocketEndPoint($"\0dnsd/takeover/{server}"));
            await first.WaitForLineAsync("A new server takes over");
        }
        await first.WaitForLineAsync("this one serves on");
        Assert.Single((await Client.AskUdpAsync(server, "www.example.com A")).Answer);
        Assert.Single((await Client.AskTcpAsync(server, "www.example.com A")).Answer);
    }

    [Fact]
    public async Task Without_a_server_to_replace_none_is_started()
    {
        if (!OperatingSystem.IsLinux()) return;
        using DnsdProcess alone = Start("run", "--takeover", "--listen", "127.0.0.1:9");
        Assert.Equal(1, await alone.WaitForExitAsync());
        Assert.Contains(alone.Lines, line => line.Contains("no server to take over listens on 127.0.0.1:9"));
    }
}
