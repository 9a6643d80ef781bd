using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using Dns.Testing;

namespace Dns.Integration.Tests;

/// <summary>The whole program on free loopback ports.</summary>
public sealed class ServerTests : IDisposable
{
    private const string Zone = "$TTL 60\n@ SOA ns h 1 2 3 4 5\n@ NS ns\nns A 192.0.2.1\nwww A 192.0.2.80\n";
    private const string Here = "127.0.0.1:0";

    private readonly string _folder = Directory.CreateTempSubdirectory("dnsd-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private string Write(string name, string text)
    {
        string file = Path.Combine(_folder, name);
        Directory.CreateDirectory(Path.GetDirectoryName(file)!);
        File.WriteAllText(file, text);
        return file;
    }

    /// <summary>A zone file that takes minutes to read, and no memory: its records are out of the zone.</summary>
    private void WriteSlow(string name) => Write(name, Zone + "$GENERATE 1-2147483647 $.out. 60 A 192.0.2.1\n");

    private async Task MakePipeAsync(string name)
    {
        using Process make = Process.Start("mkfifo", [Path.Combine(_folder, name)]);
        await make.WaitForExitAsync();
    }

    private DnsdProcess Start(params string[] args) => DnsdProcess.Start(_folder, args);

    /// <summary>Runs to the end, and returns the exit code and the lines of standard error.</summary>
    private async Task<(int ExitCode, string[] Errors)> RunAsync(params string[] args)
    {
        using DnsdProcess dnsd = Start(args);
        int exitCode = await dnsd.WaitForExitAsync();
        return (exitCode,
            [.. dnsd.Lines.Where(line => line.StartsWith("stderr: ")).Select(line => line["stderr: ".Length..])]);
    }

    [Fact]
    public async Task The_examples_are_served_over_udp_and_tcp_without_a_settings_file()
    {
        using DnsdProcess dnsd = Start("--listen", Here);
        IPEndPoint server = await dnsd.WaitUntilLoadedAsync();
        Reply udp = await Client.AskUdpAsync(server, "www.example.com A");
        Assert.Equal((Rcode.NoError, "192.0.2.80"), (udp.Rcode, udp.Answer[0].RdataText));
        Reply tcp = await Client.AskTcpAsync(server, "www.example.com A");
        Assert.Equal((Rcode.NoError, "192.0.2.80"), (tcp.Rcode, tcp.Answer[0].RdataText));
        Assert.Equal(Rcode.NXDomain, (await Client.AskUdpAsync(server, "none.example.com A")).Rcode);
        Assert.Equal(Rcode.Refused, (await Client.AskUdpAsync(server, "not-served.test A")).Rcode);
    }

    [Fact]
    public async Task A_zone_that_has_not_loaded_is_answered_with_servfail_while_others_are_served()
    {
        Write("good.zone", Zone);
        WriteSlow("slow.zone");
        using DnsdProcess dnsd = Start(
            "run", "--listen", Here, "--Dns:Workers=2", "--Serilog:MinimumLevel=Debug",
            "--zone", "slow.test=slow.zone", "--zone", "good.test=good.zone");
        IPEndPoint server = await dnsd.WaitForAddressAsync();
        await dnsd.WaitForLineAsync("Zone good.test. is served");
        Assert.Equal(Rcode.ServFail, (await Client.AskUdpAsync(server, "www.slow.test A")).Rcode);
        Assert.Equal(Rcode.NoError, (await Client.AskUdpAsync(server, "www.good.test A")).Rcode);
    }

    [Fact]
    public async Task A_broken_zone_is_answered_with_servfail_and_the_others_are_served()
    {
        Write("zones/good.test.zone", Zone);
        Write("zones/bad.test.zone", Zone + "www CNAME other\n");
        string config =
            Write("dnsd.json",
                """{ "Dns": { "Listen": ["127.0.0.1:0"], "Zones": [ { "Directory": "zones" }, { "Name": "none.test", "File": "none" } ] } }""");
        using DnsdProcess dnsd = Start("--config", config);
        IPEndPoint server = await dnsd.WaitUntilLoadedAsync();
        Assert.Equal(Rcode.NoError, (await Client.AskUdpAsync(server, "www.good.test A")).Rcode);
        Assert.Equal(Rcode.ServFail, (await Client.AskUdpAsync(server, "ns.bad.test A")).Rcode);
        Assert.Equal(Rcode.ServFail, (await Client.AskUdpAsync(server, "www.none.test A")).Rcode);
        Assert.Contains(dnsd.Lines, line => line.Contains(" ERR ") && line.Contains("bad.test.zone:6:1: error: "));
        Assert.Contains(dnsd.Lines, line => line.Contains(" ERR ") && line.Contains("none: error: "));
    }

    [Fact]
    public async Task Forwarding_for_nobody_is_warned_about()
    {
        string config = Write("dnsd.json",
            """{ "Dns": { "Listen": ["127.0.0.1:0"], "Forward": [ { "Zone": ".", "Upstreams": ["127.0.0.1:9"] } ] } }""");
        using DnsdProcess dnsd = Start("--config", config);
        await dnsd.WaitForLineAsync(" WRN D404 Dns:Recursion:AllowFrom is empty");
    }

    [Fact]
    public async Task Strict_refuses_to_start_with_a_broken_zone()
    {
        Write("bad.zone", Zone + "www CNAME other\n");
        using DnsdProcess dnsd = Start("--strict", "--listen", Here, "--zone", "bad.test=bad.zone");
        Assert.Equal(1, await dnsd.WaitForExitAsync());
        Assert.Contains(dnsd.Lines, line => line.Contains("bad.zone:6:1: error: "));
        Assert.Contains(dnsd.Lines,
            line => line.Contains("Not started: with --strict every zone must be valid: bad.test."));
        Assert.DoesNotContain(dnsd.Lines, line => line.Contains("Listening"));
    }

    [Fact]
    public async Task Strict_starts_with_good_zones()
    {
        Write("good.zone", Zone);
        using DnsdProcess dnsd = Start("--strict", "--listen", Here, "--zone", "good.test=good.zone");
        IPEndPoint server = await dnsd.WaitForAddressAsync();
        Assert.Equal(Rcode.NoError, (await Client.AskUdpAsync(server, "www.good.test A")).Rcode);
    }

    [Theory]
    [InlineData(SocketType.Dgram, ProtocolType.Udp, "UDP")]
    [InlineData(SocketType.Stream, ProtocolType.Tcp, "TCP")]
    public async Task A_port_in_use_is_one_line_and_exit_code_1(SocketType type, ProtocolType protocol, string name)
    {
        using PortLease port = PortLease.Take();
        using Socket holder = new(AddressFamily.InterNetwork, type, protocol);
        holder.Bind(port.Loopback);
        if (type == SocketType.Stream) holder.Listen();
        var (exitCode, errors) = await RunAsync("--listen", holder.LocalEndPoint!.ToString()!);
        Assert.Equal(1, exitCode);
        Assert.Equal(
            $"dnsd: error: cannot listen on {holder.LocalEndPoint} ({name}): the port is in use by another program",
            Assert.Single(errors));
    }

    [Fact]
    public async Task A_port_held_by_another_dnsd_is_in_use()
    {
        using DnsdProcess first = Start("--listen", Here);
        IPEndPoint server = await first.WaitForAddressAsync();
        var (exitCode, errors) = await RunAsync("--listen", server.ToString());
        Assert.Equal(1, exitCode);
        Assert.Contains("the port is in use by another program", Assert.Single(errors));
    }

    [Fact]
    public async Task Every_problem_of_the_settings_is_one_line_without_a_stack_trace()
    {
        string config = Write("dnsd.json", "{ \"Dns\": {\n  \"Listn\": [],\n  \"Workers\": -1 } }");
        var (exitCode, errors) = await RunAsync("run", "--config", config);
        Assert.Equal(1, exitCode);
        Assert.Equal(
            [
                $"{config}:2:3: error: unknown setting Dns:Listn: did you mean \"Listen\"?",
                $"{config}:3:3: error: Dns:Workers is -1: expected a whole number of threads from 0 to 1024",
            ],
            errors);
    }

    [Fact]
    public async Task The_settings_file_of_the_working_directory_goes_before_the_one_beside_the_program()
    {
        Write("own.zone", Zone);
        Write("dnsd.json",
            """{ "Dns": { "Listen": ["127.0.0.1:0"], "Zones": [ { "Name": "own.test", "File": "own.zone" } ] } }""");
        using DnsdProcess dnsd = Start();
        IPEndPoint server = await dnsd.WaitUntilLoadedAsync();
        Assert.Equal(Rcode.NoError, (await Client.AskUdpAsync(server, "www.own.test A")).Rcode);
        Assert.Equal(Rcode.Refused, (await Client.AskUdpAsync(server, "www.example.com A")).Rcode);
    }

    [Fact]
    public async Task An_environment_variable_sets_the_address()
    {
        using DnsdProcess dnsd = DnsdProcess.Start(
            _folder, [], ("Dns__Listen__0", "127.0.0.1:0"), ("Dns__Listen__1", "127.0.0.2:0"),
            ("Dns__Identity", "from-environment"));
        IPEndPoint server = await dnsd.WaitForAddressAsync();
        Assert.NotEqual(5335, server.Port);
        Assert.Equal("\"from-environment\"",
            (await Client.AskUdpAsync(server, "id.server TXT CH")).Answer[0].RdataText);
    }

    [Fact]
    public async Task Sigterm_answers_what_was_read_closes_connections_and_ends_with_0()
    {
        using DnsdProcess dnsd = Start("--listen", Here);
        IPEndPoint server = await dnsd.WaitUntilLoadedAsync();
        await using NetworkStream idle = await Client.ConnectAsync(server);
        await Client.SendAsync(idle, "www.example.com A");
        Assert.Equal(Rcode.NoError, (await Client.ReceiveAsync(idle)).Rcode);
        await dnsd.TerminateAsync();
        Assert.Equal(0, await dnsd.WaitForExitAsync());
        Assert.Contains("Stopped", dnsd.Lines[^1]);
        Assert.Equal(0, await idle.ReadAsync(new byte[1]));
    }

    [Fact]
    public async Task A_pipe_or_a_device_as_a_zone_file_is_an_error_and_holds_up_nothing()
    {
        Write("zones/good.test.zone", Zone);
        await MakePipeAsync("zones/pipe.test.zone");
        File.CreateSymbolicLink(Path.Combine(_folder, "zones/device.test.zone"), "/dev/zero");
        using DnsdProcess dnsd = Start("--config", Write("dnsd.json",
            """{ "Dns": { "Listen": ["127.0.0.1:0"], "Workers": 1, "Zones": [ { "Directory": "zones" } ] } }"""));
        IPEndPoint server = await dnsd.WaitUntilLoadedAsync();
        foreach (string zone in new[] { "pipe", "device" })
            Assert.Contains(dnsd.Lines,
                line => line.Contains($"{zone}.test.zone: error: cannot be read: it is empty, or a pipe"));
        Assert.Equal(Rcode.NoError, (await Client.AskUdpAsync(server, "www.good.test A")).Rcode);
        // Zones added meanwhile are still read.
        await MakePipeAsync("zones/later.test.zone");
        Write("zones/last.test.zone", Zone);
        await dnsd.WaitForLineAsync("Zone last.test. is served");
    }

    [Fact]
    public async Task Reloads_that_come_while_it_stops_do_not_end_it_otherwise()
    {
        using DnsdProcess dnsd = Start("--listen", Here);
        await dnsd.WaitUntilLoadedAsync();
        await dnsd.TerminateAsync();
        Task<int> end = dnsd.WaitForExitAsync();
        while (!end.IsCompleted) await dnsd.TryReloadAsync();
        Assert.Equal(0, await end);
        Assert.Contains("Stopped", dnsd.Lines[^1]);
    }

    [Fact]
    public async Task A_signal_after_the_end_is_an_error_of_its_test()
    {
        using DnsdProcess dnsd = Start("--help");
        Assert.Equal(0, await dnsd.WaitForExitAsync());
        Assert.Contains("exit code 1 ",
            (await Assert.ThrowsAsync<InvalidOperationException>(dnsd.TerminateAsync)).Message);
        Assert.False(await dnsd.TryReloadAsync());
    }

    [Fact]
    public async Task Sigterm_while_zones_load_ends_with_0()
    {
        WriteSlow("slow.zone");
        using DnsdProcess dnsd = Start("--listen", Here, "--zone", "slow.test=slow.zone");
        await dnsd.WaitForAddressAsync();
        await dnsd.TerminateAsync();
        Assert.Equal(0, await dnsd.WaitForExitAsync());
    }

    [Fact]
    public async Task The_log_goes_to_the_rolling_file_of_the_settings_and_not_to_the_console()
    {
        string config = Write("etc/dnsd.json", """
            { "Dns": { "Listen": ["127.0.0.1:0"] },
              "Serilog": { "WriteTo": [ { "Name": "File", "Args": { "path": "log/dnsd-.log", "rollingInterval": "Day" } } ],
                           "MinimumLevel": { "Default": "Warning" } } }
            """);
        using DnsdProcess dnsd = Start("--strict", "--config", config, "--zone", "none.test=none");
        Assert.Equal(1, await dnsd.WaitForExitAsync());
        Assert.EndsWith(
            "dnsd: error: not started: with --strict every zone must be valid: none.test.; the log has the reasons",
            Assert.Single(dnsd.Lines));
        string log = await File
            .ReadAllTextAsync(Assert.Single(Directory.GetFiles(Path.Combine(_folder, "etc", "log"), "dnsd-2*.log")));
        Assert.Contains("none: error: ", log);
        Assert.DoesNotContain("Serving", log);
    }

    [Fact]
    public async Task Query_prints_the_reply_and_ends_with_0_for_every_reply()
    {
        using DnsdProcess dnsd = Start("--listen", Here);
        IPEndPoint server = await dnsd.WaitUntilLoadedAsync();
        using DnsdProcess query = Start("query", "www.example.com", "AAAA", $"@{server}", "--tcp");
        Assert.Equal(0, await query.WaitForExitAsync());
        Assert.Contains("www.example.com.\t3600\tIN\tAAAA\t2001:db8::80", query.Lines);
        Assert.Contains($";; SERVER: {server} (TCP)", query.Lines);
        using DnsdProcess refused = Start("query", "not-served.test", $"@{server}");
        Assert.Equal(0, await refused.WaitForExitAsync());
        Assert.Contains(refused.Lines, line => line.Contains("status: REFUSED"));
    }

    [Fact]
    public async Task Query_without_a_reply_is_one_line_and_exit_code_1()
    {
        using Socket silent = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        silent.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        var (exitCode, errors) =
            await RunAsync("query", "example.com", $"@{silent.LocalEndPoint}", "--timeout", "0.05");
        Assert.Equal(1, exitCode);
        Assert.Contains("no reply within 3 times 0.1 s", Assert.Single(errors).Replace("0.05", "0.1"));
    }

    [Fact]
    public async Task Zone_dump_prints_records_on_standard_output()
    {
        string file = Write("a.zone", Zone);
        using DnsdProcess dump = Start("zone", "dump", "a.test", file);
        Assert.Equal(0, await dump.WaitForExitAsync());
        Assert.Equal("www.a.test. 60 IN A 192.0.2.80", dump.Lines[^1]);
        using DnsdProcess generic = Start("zone", "dump", "a.test", file, "--generic");
        Assert.Equal(0, await generic.WaitForExitAsync());
        Assert.Equal("www.a.test. 60 IN A \\# 4 C0000250", generic.Lines[^1]);
    }

    [Fact]
    public async Task Zone_dump_of_a_broken_file_ends_with_1()
    {
        var (exitCode, errors) = await RunAsync("zone", "dump", "a.test", Write("a.zone", "www 60 A x\n"));
        Assert.Equal(1, exitCode);
        Assert.Contains("a.zone:1:10: error: ", Assert.Single(errors));
    }
}
