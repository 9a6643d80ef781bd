using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Text.Json.Nodes;
using Dns.Testing;

namespace Dns.Integration.Tests;

/// <summary>The commands that leave the server as it is: one server for all of them.</summary>
public sealed class ControlReadTests(ControlledServer dnsd) : IClassFixture<ControlledServer>
{
    [Fact]
    public async Task The_status_is_told_to_people_and_to_programs()
    {
        string text = await dnsd.PrintAsync("status");
        Assert.Matches(@"(?m)^zones      1 served, 1 broken$", text);
        Assert.Contains("records    10 in ", text);
        JsonNode data = await dnsd.DataAsync("status");
        Assert.Equal((1, 1, true), ((int)data["zonesServed"]!, (int)data["zonesBroken"]!, (bool)data["isLoaded"]!));
        Assert.StartsWith("127.0.0.1:", (string)data["listening"]![0]!);
    }

    [Fact]
    public async Task A_query_finds_the_server_that_runs_by_its_control_socket()
    {
        System.Net.IPEndPoint listening =
            System.Net.IPEndPoint.Parse((string)(await dnsd.DataAsync("status"))["listening"]![0]!);
        Assert.Equal(listening,
            await RunningServer.FindAsync([dnsd.ControlSocket], TimeSpan.FromMinutes(1), CancellationToken.None));
        Assert.Equal(listening, await RunningServer.FindAsync(
            [Path.Combine(dnsd.Folder, "none.sock"), dnsd.ControlSocket], TimeSpan.FromMinutes(1),
            CancellationToken.None));
        Assert.Contains(
            $"choose one of @{listening}, @{listening}",
            (await Assert.ThrowsAsync<ControlException>(
                () => RunningServer.FindAsync([dnsd.ControlSocket, dnsd.ControlSocket], TimeSpan.FromMinutes(1),
                    CancellationToken.None))).Message);
        Assert.Equal("127.0.0.1:53",
            (await RunningServer.FindAsync([], TimeSpan.FromMinutes(1), CancellationToken.None)).ToString());
    }

    [Fact]
    public async Task Several_types_are_asked_for_one_after_the_other_and_printed_as_wanted()
    {
        string server = "@" + (string)(await dnsd.DataAsync("status"))["listening"]![0]!;
        StringWriter output = new();
        Assert.Equal(0, await DnsdCommand.InvokeAsync(["query", server, "www.a.test", "A", "AAAA", "SOA", "+short"],
            output, TextWriter.Null));
        Assert.Equal("192.0.2.80\n", output.ToString().ReplaceLineEndings("\n"));
        output.GetStringBuilder().Clear();
        Assert.Equal(0,
            await DnsdCommand.InvokeAsync(["query", server, "a.test", "SOA", "--json"], output, TextWriter.Null));
        JsonNode reply = JsonNode.Parse(output.ToString())!;
        Assert.Equal((0, "NOERROR", 1), ((int)reply["RCODE"]!, (string)reply["RCODEname"]!, (int)reply["AA"]!));
        Assert.Equal("ns.a.test. h.a.test. 7 2 3 4 5", (string)reply["answerRRs"]![0]!["rdataSOA"]!);
    }

    [Fact]
    public async Task Zones_are_listed_all_of_them_or_the_broken_ones()
    {
        string[] lines = (await dnsd.PrintAsync("zones")).Split('\n');
        Assert.Matches(@"^ZONE +ROLE +STATE +SERIAL +RECORDS +LOADED$", lines[0]);
        Assert.Matches(@"^a\.test\. +primary +serving +7 +10 +\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ$", lines[1]);
        JsonNode broken = await dnsd.DataAsync("zones", "--broken");
        Assert.Equal("bad.test.", (string)Assert.Single(broken["zones"]!.AsArray())!["name"]!);
        Assert.Equal(Path.Combine(dnsd.Folder, "zones", "bad.test.zone"), (string)broken["zones"]![0]!["file"]!);
        Assert.EndsWith("... and 1 more: --limit shows them\n", await dnsd.PrintAsync("zones", "--limit", "1"));
    }

    [Fact]
    public async Task Json_is_written_for_readers_too() =>
        Assert.DoesNotContain("\\u00", await dnsd.PrintAsync("why", "www.a.test", "--json"));

    [Fact]
    public async Task Commands_take_the_view_that_there_is_and_name_it_for_another()
    {
        Assert.Equal("default", (string)(await dnsd.DataAsync("why", "www.a.test", "--view", "default"))["view"]!);
        JsonNode zone = await dnsd.DataAsync("zone", "status", "a.test", "--view", "default");
        Assert.Equal("default", (string)zone["view"]!);
        foreach (string command in (string[])["why www.a.test", "zones", "zone status a.test", "cache flush"])
            Assert.Contains("there is no view \"guests\": expected default",
                await dnsd.FailAsync([.. command.Split(' '), "--view", "guests"]));
        JsonNode view = Assert.Single((await dnsd.DataAsync("status"))["views"]!.AsArray())!;
        Assert.Equal(("default", 2), ((string)view["name"]!, (int)view["zones"]!));
        Assert.Equal(0, (int)view["cacheEntries"]!);
        Assert.NotNull(view["queries"]);
    }

    [Fact]
    public async Task Ready_says_what_is_served_and_ends_with_0()
    {
        Assert.StartsWith("ready\nserving ", await dnsd.PrintAsync("ready"));
        Assert.True((bool)(await dnsd.DataAsync("ready"))["isReady"]!);
    }

    [Theory]
    [InlineData("www.a.test A", "the name exists", "www.a.test.\t60\tIN\tA\t192.0.2.80")]
    [InlineData("www.a.test MX", "not of this type: NODATA", "a.test.\t5\tIN\tSOA")]
    [InlineData("alias.a.test", "an alias of www.a.test.", "alias.a.test.\t60\tIN\tCNAME\twww.a.test.")]
    [InlineData("out.a.test", "no zone here holds the name: the answer ends", "out.a.test.\t60\tIN\tCNAME")]
    [InlineData("x.wild.a.test TXT", "the wildcard *.wild.a.test. answers for it", "x.wild.a.test.\t60\tIN\tTXT")]
    [InlineData("wild.a.test TXT", "no data: an empty non-terminal", "status: NOERROR")]
    [InlineData("x.sub.a.test", "delegated at sub.a.test.: a referral", "sub.a.test.\t60\tIN\tNS\tns.sub.a.test.")]
    [InlineData("x.old.a.test TXT", "below the DNAME of old.a.test.", "x.old.a.test.\t60\tIN\tCNAME\tx.wild.a.test.")]
    [InlineData("x.www.a.test", "its closest encloser is www.a.test.: NXDOMAIN", "status: NXDOMAIN")]
    [InlineData("a.test AXFR", "a transfer is for those in AllowTransfer, over TCP; REFUSED for all others",
        "status: REFUSED")]
    [InlineData("www.a.test IXFR", "no zone here has that name: NOTAUTH", "status: NOTAUTH")]
    [InlineData("www.a.test OPT", "a type that cannot be queried: FORMERR", "status: FORMERR")]
    [InlineData("www.a.test ANY", "one RRset of them over UDP: Dns:MinimalAny", "www.a.test.\t60\tIN\tA\t192.0.2.80")]
    [InlineData("www.bad.test", "it could not be loaded: SERVFAIL", "status: SERVFAIL")]
    [InlineData("www.elsewhere.org", "no zone here holds the name: REFUSED", "status: REFUSED")]
    public async Task An_answer_is_explained_with_zone_rule_and_message(string question, string rule, string line)
    {
        string text = await dnsd.PrintAsync(["why", .. question.Split(' ')]);
        Assert.Contains(rule, text);
        Assert.Contains(line, text);
    }

    [Fact]
    public async Task Without_forwarding_there_is_no_cache_and_without_a_query_log_none_to_turn_on()
    {
        Assert.Contains("no forwarding is configured", await dnsd.FailAsync("cache", "flush"));
        Assert.Contains("no forwarding is configured", await dnsd.FailAsync("cache", "lookup", "a.test"));
        Assert.Contains("no query log is configured", await dnsd.FailAsync("querylog", "on"));
    }

    [Fact]
    [System.Runtime.Versioning.UnsupportedOSPlatform("windows")]
    public async Task Stop_waits_until_the_process_has_let_its_connection_go()
    {
        string path = Path.Combine(dnsd.Folder, "other.sock");
        using Socket server = new(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        server.Bind(new UnixDomainSocketEndPoint(path));
        server.Listen();
        Task<int> stop = DnsdCommand.InvokeAsync(["stop", "--socket", path], TextWriter.Null, TextWriter.Null);
        using (Socket client = await server.AcceptAsync())
        {
            await client.ReceiveAsync(new byte[1024]);
            await client.SendAsync("{\"text\":\"stopping\\n\"}\n"u8.ToArray());
            Assert.False(stop.IsCompleted);
        }
        // Though the socket still accepts connections: it may be the next server's.
        Assert.Equal(0, await stop);
    }

    [Theory]
    [InlineData("zone", "status", "a..b")]
    [InlineData("loglevel", "loud")]
    [InlineData("querylog", "maybe")]
    [InlineData("why", "a.test", "NOTYPE")]
    [InlineData("zones", "--limit", "0")]
    [InlineData("zones", "--limit", "many")]
    [InlineData("zones", "--limit", "99999999999")]
    [InlineData("why", "a.test", "A", "--from", "me")]
    [InlineData("zone", "add", "a.test")]
    public async Task A_malformed_command_line_is_exit_code_2_and_asks_nobody(params string[] args)
    {
        var (exitCode, output, errors) = await dnsd.RunAsync(args);
        Assert.Equal((2, ""), (exitCode, output));
        Assert.StartsWith("dnsd: error: ", errors);
    }

    [Fact]
    [System.Runtime.Versioning.UnsupportedOSPlatform("windows")]
    public void The_socket_is_for_owner_and_group() =>
        Assert.Equal(
            UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.GroupRead | UnixFileMode.GroupWrite,
            File.GetUnixFileMode(dnsd.ControlSocket));

    [Theory]
    [InlineData("nonsense\n")]
    [InlineData("{}\n")]
    [InlineData("{\"verb\":null}\n")]
    [InlineData("[]\n")]
    [InlineData("{\"verb\":\"status\",\"arguments\":null}\n")]
    [InlineData("{\"verb\":\"zones\",\"arguments\":[\"x\"]}\n", "is not a number of zones")]
    [InlineData("{\"verb\":\"zones\",\"arguments\":[\"-1\"]}\n", "is not a number of zones")]
    [InlineData("{\"verb\":\"zone status\",\"arguments\":[]}\n", "is not a domain name")]
    [InlineData("{\"verb\":\"loglevel\",\"arguments\":[null]}\n", "expected a level")]
    [InlineData("{\"verb\":\"cache lookup\",\"arguments\":[]}\n", "")]
    [InlineData("{\"verb\":\"why\",\"arguments\":[]}\n", "is not a domain name")]
    [InlineData(null)]
    public async Task What_is_no_request_is_answered_with_an_error_and_others_go_on(string? line,
        string error = "a request is one line of JSON")
    {
        using Socket socket =
            new(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified) { ReceiveTimeout = 180_000 };
        socket.Connect(new UnixDomainSocketEndPoint(dnsd.ControlSocket));
        socket.Send(Encoding.ASCII.GetBytes(line ?? new string('x', 2 * 1024 * 1024)));
        byte[] reply = new byte[1000];
        int octets = await socket.ReceiveAsync(reply).WaitAsync(TimeSpan.FromMinutes(3));
        Assert.Contains(error, Encoding.ASCII.GetString(reply, 0, octets));
        Assert.DoesNotContain(dnsd.Process.Lines, log => log.Contains("D606"));
        Assert.Contains("a.test.", await dnsd.PrintAsync("zones"));
    }

    [Fact]
    public async Task Many_clients_are_answered_while_some_say_nothing()
    {
        Socket[] silent = [.. Enumerable.Range(0, 12)
            .Select(_ => new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified))];
        foreach (Socket socket in silent) socket.Connect(new UnixDomainSocketEndPoint(dnsd.ControlSocket));
        string[] texts =
            await Task.WhenAll(Enumerable.Range(0, 40).Select(_ => dnsd.PrintAsync("zone", "status", "a.test")));
        Assert.All(texts, text => Assert.Contains("serial        7\n", text));
        foreach (Socket socket in silent) socket.Dispose();
    }

    [Fact]
    public async Task A_client_finds_the_server_by_its_settings()
    {
        string file = dnsd.Write(
            "other.json", $$"""{ "Dns": { "Control": { "Socket": "{{dnsd.ControlSocket}}" } } }""");
        StringWriter output = new();
        Assert.Equal(0, await DnsdCommand.InvokeAsync(["status", "--config", file], output, output));
        Assert.Contains("served", output.ToString());
        dnsd.Write("other.json", """{ "Dns": { "Control": { "Socket": null } } }""");
        Assert.Equal(1, await DnsdCommand.InvokeAsync(["status", "--config", file], output, output));
        Assert.Contains("the server has no control socket", output.ToString());
    }
}
