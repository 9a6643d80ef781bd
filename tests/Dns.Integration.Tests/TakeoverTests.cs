using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using System.Runtime.InteropServices;
using Dns.Testing;

namespace Dns.Integration.Tests;

/// <summary>One server replaces another on the same sockets.</summary>
public sealed class TakeoverTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("dnsd-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private DnsdProcess Start(params string[] args) => DnsdProcess.Start(_folder, args);

    /// <summary>One query, never repeated, so that a loss is noticed.</summary>
    private static async Task<Reply> AskOnceAsync(IPEndPoint server, string question = "www.example.com A")
    {
        using UdpClient client = new(server.AddressFamily);
        client.Connect(server);
        await client.SendAsync(QueryMessage.For(question).ToOctets());
        using CancellationTokenSource patience = new(TimeSpan.FromMinutes(3));
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

    [LinuxTheory]
    [InlineData("127.0.0.1")]
    [InlineData("0.0.0.0")]
    public async Task A_server_is_replaced_without_a_query_lost(string listen)
    {
        using PortLease port = PortLease.Take();
        IPEndPoint bound = new(IPAddress.Parse(listen), port.Port), server = port.Loopback;
        using DnsdProcess old = Start("--listen", bound.ToString(), "--Dns:Workers=2");
        Assert.Equal(bound, await old.WaitUntilLoadedAsync());
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

    [LinuxFact]
    public async Task Zones_signed_here_are_answered_all_the_time()
    {
        const int hosts = 20_000;
        File.WriteAllLines(Path.Combine(_folder, "signed.zone"), Enumerable.Range(0, hosts)
            .Select(i => $"h{i} A 192.0.2.1").Prepend("$TTL 300\n@ SOA ns h 1 2 3 4 5\n@ NS ns\nns A 192.0.2.1"));
        using PortLease port = PortLease.Take();
        string config = Path.Combine(_folder, "dnsd.json");
        File.WriteAllText(config, $$"""
            { "Dns": { "Listen": [ "{{port.Loopback}}" ], "StateDirectory": "state",
              "Zones": [ { "Name": "signed.test", "File": "signed.zone", "Dnssec": "default" } ] } }
            """);
        string[] settings = ["--config", config];
        using DnsdProcess old = Start(["run", .. settings]);
        await old.WaitForLineAsync(" is signed: ");
        TaskCompletionSource end = new();
        Task<int> udp = AskUntilAsync(() => AskOnceAsync(port.Loopback, "h7.signed.test A"), end.Task);
        using DnsdProcess next = Start(["run", "--takeover", .. settings]);
        Assert.Equal(0, await old.WaitForExitAsync());
        await next.WaitForLineAsync("Took over");
        end.SetResult();
        Assert.InRange(await udp, 2, int.MaxValue);
    }

    [LinuxFact]
    public async Task Secondaries_are_notified_when_the_old_server_answers_no_SOA_query_any_more()
    {
        using UdpClient secondary = new(new IPEndPoint(IPAddress.Loopback, 0));
        using PortLease port = PortLease.Take();
        string[] settings =
        [
            "--listen", port.Loopback.ToString(), $"--Dns:Notify:0={secondary.Client.LocalEndPoint}",
            "--Dns:StateDirectory=null",
        ];
        string Zone(int serial)
        {
            string file = Path.Combine(_folder, $"{serial}.zone");
            File.WriteAllText(file, $"$TTL 300\n@ SOA ns h {serial} 2 3 4 5\n@ NS ns\nns A 192.0.2.1\n");
            return $"z.test={file}";
        }
        using DnsdProcess old = Start(["run", "--zone", Zone(1), .. settings]);
        await old.WaitUntilLoadedAsync();
        using DnsdProcess next = Start(["run", "--takeover", "--zone", Zone(2), .. settings]);
        using CancellationTokenSource patience = new(TimeSpan.FromMinutes(3));
        uint told;
        // The message ends with the SOA record, and that with five numbers.
        do
        {
            byte[] message = (await secondary.ReceiveAsync(patience.Token)).Buffer;
            told = BinaryPrimitives.ReadUInt32BigEndian(message.AsSpan()[^20..]);
        }
        while (told != 2);
        for (int i = 0; i < 50; i++)
            Assert.Contains(" 2 2 3 4 5",
                Assert.Single((await Client.AskUdpAsync(port.Loopback, "z.test SOA")).Answer).ToString());
        await next.WaitForLineAsync("Took over");
    }

    [LinuxFact]
    public async Task The_successor_has_the_cache_the_control_socket_the_admin_port_and_the_service()
    {
        using Socket manager =
            new(AddressFamily.Unix, SocketType.Dgram, ProtocolType.Unspecified) { ReceiveTimeout = 180_000 };
        string notify = Path.Combine(_folder, "notify");
        manager.Bind(new UnixDomainSocketEndPoint(notify));
        File.WriteAllText(Path.Combine(_folder, "up.zone"),
            "$TTL 300\n@ SOA ns h 1 2 3 4 5\n@ NS ns\nns A 192.0.2.1\n");
        DnsdProcess upstream =
            Start("--listen", "127.0.0.1:0", "--zone", "up.example=up.zone", "--Dns:Control:Socket=null");
        IPEndPoint up = await upstream.WaitUntilLoadedAsync();
        string[] settings =
        [
            "--Dns:Forward:0:Zone=up.example", $"--Dns:Forward:0:Upstreams:0={up}",
            "--Dns:Recursion:AllowFrom:0=127.0.0.0/8", $"--Dns:Cache:File={Path.Combine(_folder, "cache")}",
        ];
        using PortLease port = PortLease.Take(), adminPort = PortLease.Take();
        using DnsdProcess old = DnsdProcess.Start(
            _folder, ["run", "--listen", $"{port.Loopback}", $"--Dns:Admin:Listen={adminPort.Loopback}", .. settings],
            ("NOTIFY_SOCKET", notify));
        IPEndPoint server = await old.WaitUntilLoadedAsync();
        string admin = (await old.WaitForLineAsync("Admin port on ")).Split("http://")[1].TrimEnd('/');
        await old.WaitForLineAsync("Control socket ");
        await using NetworkStream idle = await Client.ConnectAsync(server);
        Assert.Single((await AskForwardedAsync(server)).Answer);
        upstream.Dispose();

        using DnsdProcess next = DnsdProcess.Start(
            _folder, ["run", "--takeover", "--listen", server.ToString(), $"--Dns:Admin:Listen={admin}", .. settings],
            ("NOTIFY_SOCKET", notify));
        Assert.Equal(0, await old.WaitForExitAsync());
        // The connection to the old server ends in order.
        Assert.Equal(0, await idle.ReadAsync(new byte[1]));
        Assert.Single((await AskForwardedAsync(server)).Answer);
        string control = (await next.WaitForLineAsync("INF D601 Control socket ")).Split(' ')[^1];
        using DnsdProcess status = Start("status", "--socket", control);
        Assert.Equal(0, await status.WaitForExitAsync());
        Assert.Contains(status.Lines, line => line.StartsWith($"process    {next.Id},", StringComparison.Ordinal));
        await next.WaitForLineAsync($"Admin port on http://{admin}/");
        using HttpClient http = new();
        Assert.Equal(HttpStatusCode.OK, (await http.GetAsync($"http://{admin}/health/ready")).StatusCode);
        await next.TerminateAsync();
        Assert.Equal(0, await next.WaitForExitAsync());

        string told = Told(manager);
        Assert.Single(told.Split('\n'), line => line == $"MAINPID={next.Id}");
        string after = told[told.IndexOf("MAINPID", StringComparison.Ordinal)..];
        Assert.Contains("READY=1", after);
        Assert.Single(told.Split('\n'), line => line == "STOPPING=1");
    }

    [LinuxFact]
    public async Task What_commands_changed_during_a_takeover_holds_after_it()
    {
        using PortLease port = PortLease.Take();
        string Zone(string name)
        {
            string file = Path.Combine(_folder, name + ".zone");
            File.WriteAllText(file, "$TTL 300\n@ SOA ns h 1 2 3 4 5\n@ NS ns\nns A 192.0.2.1\n");
            return file;
        }
        string config = Path.Combine(_folder, "dnsd.json");
        string Settings(string more) => $$"""
            { "Dns": { "Listen": [ "{{port.Loopback}}" ], "StateDirectory": "state",
              "Zones": [ { "Name": "first.test", "File": "first.zone" }{{more}} ] } }
            """;
        Zone("first");
        File.WriteAllText(config, Settings(""));
        using DnsdProcess old = Start("run", "--config", config);
        await old.WaitUntilLoadedAsync();
        await RunAsync("zone", "add", "gone.test", Zone("gone"));
        using DnsdProcess next = Start("run", "--takeover", "--config", config);
        await old.WaitForLineAsync("A new server takes over");
        await next.SignalAsync("STOP");
        await RunAsync("zone", "add", "added.test", Zone("added"));
        await RunAsync("zone", "remove", "gone.test");
        Zone("edited");
        File.WriteAllText(config, Settings(""", { "Name": "edited.test", "File": "edited.zone" }"""));
        await RunAsync("reload");
        await next.SignalAsync("CONT");
        Assert.Equal(0, await old.WaitForExitAsync());
        await next.WaitForLineAsync("Zone gone.test. is not served");
        await next.WaitForLineAsync("Zone added.test. is served");
        await next.WaitForLineAsync("Zone edited.test. is served");
        foreach (string zone in new[] { "first", "added", "edited" })
            Assert.Single((await Client.AskUdpAsync(port.Loopback, $"ns.{zone}.test A")).Answer);

        async Task RunAsync(params string[] command)
        {
            using DnsdProcess process = Start([.. command, "--config", config]);
            Assert.Equal(0, await process.WaitForExitAsync());
        }
    }

    [LinuxFact]
    public async Task What_the_line_of_the_served_zones_promises_holds_at_once()
    {
        using DnsdProcess dnsd = Start("--listen", "127.0.0.1:0");
        await dnsd.WaitForLineAsync("Serving ");
        using (Socket successor = new(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified))
            successor.Connect(new UnixDomainSocketEndPoint($"\0dnsd/takeover/{await dnsd.WaitForAddressAsync()}"));
        await dnsd.WaitForLineAsync("this one continues");
        string[] lines = [.. dnsd.Lines.TakeWhile(line => !line.Contains("Serving "))];
        Assert.Contains(lines, line => line.Contains("Listening on "));
        Assert.Contains(lines, line => line.Contains("Control socket "));
    }

    private static async Task<Reply> AskForwardedAsync(IPEndPoint server)
    {
        using UdpClient client = new(server.AddressFamily);
        client.Connect(server);
        await client.SendAsync((QueryMessage.For("ns.up.example A") with { Flags = 0x0100 }).ToOctets());
        using CancellationTokenSource patience = new(TimeSpan.FromMinutes(3));
        return Reply.Read((await client.ReceiveAsync(patience.Token)).Buffer);
    }

    /// <summary>All notifications to the service manager, a line each.</summary>
    private static string Told(Socket manager)
    {
        byte[] message = new byte[4096];
        System.Text.StringBuilder all = new();
        while (manager.Available > 0)
            all.Append(System.Text.Encoding.UTF8.GetString(message, 0, manager.Receive(message))).Append('\n');
        return all.ToString();
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

    [LinuxFact]
    public async Task A_successor_that_ends_before_it_is_ready_changes_nothing()
    {
        using DnsdProcess first = Start("--listen", "127.0.0.1:0");
        IPEndPoint server = await first.WaitUntilLoadedAsync();
        using (Socket successor = new(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified))
        {
            successor.Connect(new UnixDomainSocketEndPoint($"\0dnsd/takeover/{server}"));
            await first.WaitForLineAsync("A new server takes over");
        }
        await first.WaitForLineAsync("this one continues");
        Assert.Single((await Client.AskUdpAsync(server, "www.example.com A")).Answer);
        Assert.Single((await Client.AskTcpAsync(server, "www.example.com A")).Answer);
    }

    [LinuxFact]
    public async Task Another_user_gets_no_sockets_and_does_not_fill_the_log()
    {
        if (!Environment.IsPrivilegedProcess) Assert.Skip("needs root, to be another user");
        const int connections = 100;
        using DnsdProcess first = Start("--listen", "127.0.0.1:0");
        IPEndPoint server = await first.WaitUntilLoadedAsync();
        Exception? error = null;
        // The user of one thread, by the system call: libc would change it for all.
        Thread other = new(() =>
        {
            try
            {
                Assert.Equal(0, Syscall(SetResUid, Nobody, Nobody, Nobody));
                for (int i = 0; i < connections; i++)
                {
                    using Socket stranger = new(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
                    stranger.Connect(new UnixDomainSocketEndPoint($"\0dnsd/takeover/{server}"));
                    Assert.Equal(0, stranger.Receive(new byte[1]));
                }
            }
            catch (Exception caught)
            {
                error = caught;
            }
        });
        other.Start();
        other.Join();
        Assert.Null(error);
        await first.WaitForLineAsync("D803 A process of another user requested the sockets and was refused");
        Assert.InRange(first.Lines.Count(line => line.Contains("D803")), 1, connections / 10);
        Assert.DoesNotContain(first.Lines, line => line.Contains("this one continues"));
        using DnsdProcess next = Start("run", "--takeover", "--listen", $"{server}");
        Assert.Equal(0, await first.WaitForExitAsync());
        await next.WaitForLineAsync("Took over");
    }

    private const int Nobody = 65534;

    private static int SetResUid => RuntimeInformation.ProcessArchitecture == Architecture.X64 ? 117 : 147;

    [DllImport("libc", EntryPoint = "syscall")]
    private static extern long Syscall(long number, long real, long effective, long saved);

    [LinuxFact]
    public async Task A_name_that_nobody_answers_at_ends_a_takeover()
    {
        using PortLease port = PortLease.Take();
        UnixDomainSocketEndPoint name = new($"\0dnsd/takeover/{port.Loopback}");
        using Socket squatter = new(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        squatter.Bind(name);
        squatter.Listen(0);
        List<Socket> waiting = [];
        for (bool isFull = false; !isFull;)
        {
            waiting.Add(new(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified) { Blocking = false });
            try
            {
                waiting[^1].Connect(name);
            }
            catch (SocketException)
            {
                isFull = true;
            }
        }
        using DnsdProcess next = Start("run", "--takeover", "--listen", $"{port.Loopback}");
        Assert.Equal(1, await next.WaitForExitAsync());
        Assert.Contains(next.Lines,
            line => line.Contains($"cannot take over from the server on {port.Loopback}: it does not answer"));
        waiting.ForEach(socket => socket.Dispose());
    }

    [LinuxFact]
    public async Task A_state_directory_of_another_server_than_the_replaced_one_is_refused()
    {
        string[] states = [Path.Combine(_folder, "first"), Path.Combine(_folder, "second")];
        foreach (string state in states) Directory.CreateDirectory(state);
        using DnsdProcess first = Start("--listen", "127.0.0.1:0", $"--Dns:StateDirectory={states[0]}");
        IPEndPoint server = await first.WaitUntilLoadedAsync();
        using DnsdProcess second = Start("--listen", "127.0.0.1:0", $"--Dns:StateDirectory={states[1]}");
        await second.WaitUntilLoadedAsync();
        string[] words = ["run", "--takeover", "--listen", $"{server}"];
        string unused = Path.Combine(_folder, "third");
        foreach (string state in (string[])[states[1], unused])
        {
            using DnsdProcess wrong = Start([.. words, $"--Dns:StateDirectory={state}"]);
            Assert.Equal(1, await wrong.WaitForExitAsync());
            Assert.Contains(wrong.Lines,
                line => line.Contains($"{state}: the server to take over uses {states[0]}: expected that one"));
        }
        Assert.False(Directory.Exists(unused));
        string none = Path.Combine(_folder, "none.json");
        await System.IO.File.WriteAllTextAsync(none, """{ "Dns": { "StateDirectory": null } }""");
        using (DnsdProcess without = Start([.. words, "--config", none]))
        {
            Assert.Equal(1, await without.WaitForExitAsync());
            Assert.Contains(without.Lines,
                line => line.Contains($"no state directory: the server to take over uses {states[0]}: expected that"));
        }
        await first.WaitForLineAsync("this one continues");
        Assert.Single((await Client.AskUdpAsync(server, "www.example.com A")).Answer);
        using DnsdProcess next = Start([.. words, $"--Dns:StateDirectory={states[0]}"]);
        Assert.Equal(0, await first.WaitForExitAsync());
        await next.WaitForLineAsync("Took over");
    }

    [LinuxFact]
    public async Task A_server_whose_state_directory_was_deleted_is_not_replaced()
    {
        string state = Path.Combine(_folder, "state");
        Directory.CreateDirectory(state);
        string setting = $"--Dns:StateDirectory={state}";
        using DnsdProcess first = Start("--listen", "127.0.0.1:0", setting);
        IPEndPoint server = await first.WaitUntilLoadedAsync();
        Directory.Delete(state, recursive: true);
        for (int i = 0; i < 2; i++, Directory.CreateDirectory(state))
        {
            using DnsdProcess second = Start("run", "--takeover", "--listen", $"{server}", setting);
            Assert.Equal(1, await second.WaitForExitAsync());
            Assert.Contains(second.Lines,
                line => line.Contains($"the server to take over uses {state}, which was deleted: "));
        }
        Assert.Single((await Client.AskUdpAsync(server, "www.example.com A")).Answer);
    }

    [LinuxFact]
    public async Task Without_a_server_to_replace_none_is_started()
    {
        using DnsdProcess alone = Start("run", "--takeover", "--listen", "127.0.0.1:9");
        Assert.Equal(1, await alone.WaitForExitAsync());
        Assert.Contains(alone.Lines, line => line.Contains("no server to take over listens on 127.0.0.1:9"));
    }
}
