using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Text.Json.Nodes;
using Dns.Testing;

namespace Dns.Integration.Tests;

/// <summary>The commands that change a running server, each test with its own.</summary>
public sealed class ControlTests : ControlledServer
{
    [Fact]
    public async Task A_zone_is_told_about_with_its_file_and_its_error()
    {
        Assert.Contains(Path.Combine(Folder, "zones", "a.test.zone"), await PrintAsync("zone", "status", "a.test"));
        Assert.Contains("\nfrom          the settings\n", await PrintAsync("zone", "status", "a.test"));
        Write("zones/bad.test.zone", "@ A 192.0.2.999\nx BOGUS\n$TTL y\n");
        var (exitCode, output, _) = await RunAsync("zone", "status", "bad.test");
        Assert.Equal(1, exitCode);
        Assert.Equal(3, output.Split("bad.test.zone:").Length - 1);
        JsonNode bad = JsonNode.Parse((await RunAsync("zone", "status", "bad.test", "--json")).Output)!;
        Assert.Equal("broken", (string)bad["state"]!);
        Assert.Equal(["1:5", "2:3", "3:6"],
            bad["errors"]!.AsArray().Select(error => ((string)error!).Split(".zone:")[1].Split(": error")[0]));
        Write("zones/bad.test.zone", Zone);
        Assert.Contains("(the file is good: dnsd zone reload)", (await RunAsync("zone", "status", "bad.test")).Output);
        Assert.Contains("bad.test.zone:1:5: error: ", (string)bad["failure"]!);
        Assert.Contains("no zone none.test. is served here", await FailAsync("zone", "status", "none.test"));
    }

    [Fact]
    public async Task A_zone_is_read_again_and_one_with_errors_keeps_its_data()
    {
        Write("zones/a.test.zone", Zone.Replace("h 7", "h 8"));
        Assert.Contains("serial        8\n", await PrintAsync("zone", "reload", "a.test"));
        Write("zones/a.test.zone", Zone.Replace("192.0.2.80", "192.0.2.999"));
        string why = await FailAsync("zone", "reload", "a.test");
        Assert.Contains("a.test.zone:5:7: error: ", why);
        Assert.EndsWith("; serial 8 is still served\n", why);
    }

    [Fact]
    public async Task A_zone_is_added_and_removed_and_a_reload_respects_both()
    {
        string file = Write("more.zone", Zone);
        Assert.Contains("serial        7\n", await PrintAsync("zone", "add", "b.test", file));
        await PrintAsync("zone", "remove", "a.test");
        await RunAsync("reload");
        Assert.Equal(["b.test.", "bad.test."],
            (await DataAsync("zones"))["zones"]!.AsArray().Select(zone => (string)zone!["name"]!));
        Assert.Contains("no zone a.test.", await FailAsync("zone", "remove", "a.test"));
        Assert.DoesNotContain("REFUSED", await PrintAsync("why", "www.b.test"));
        Assert.Contains("there is no such file",
            await FailAsync("zone", "add", "c.test", Path.Combine(Folder, "none")));
    }

    [Fact]
    public async Task A_zone_with_errors_is_not_added_and_they_are_told()
    {
        string file = Write("more.zone", Zone + "x A 192.0.2.999\ny BOGUS\n");
        string why = await FailAsync("zone", "add", "c.test", file);
        Assert.StartsWith($"dnsd: error: {file}:12:5: error: A: found \"192.0.2.999\"", why);
        Assert.Contains($"dnsd: error: {file}:13:3: error: ", why);
        Assert.EndsWith("dnsd: error: zone c.test. is not added: nothing has changed\n", why);
        Assert.Contains("no zone c.test.", await FailAsync("zone", "status", "c.test"));
        await PrintAsync("zone", "add", "c.test", Write("good.zone", Zone));
        Assert.EndsWith(
            "zone c.test. is not added: serial 7 of its own file is still served\n",
            await FailAsync("zone", "add", "c.test", file));
        await RunAsync("reload");
        Assert.Contains(Path.Combine("zones", "a.test.zone"), await PrintAsync("zone", "status", "a.test"));
    }

    [Fact]
    public async Task A_zone_of_the_settings_keeps_their_file()
    {
        string own = Path.Combine(Folder, "zones", "a.test.zone");
        string objection =
            $"dnsd: error: zone a.test. is in the settings, with {own}: that file wins, nothing has changed\n";
        string other = Write("more.zone", Zone);
        Assert.Equal(objection, await FailAsync("zone", "add", "a.test", other));
        Assert.Contains("from          the settings\n", await PrintAsync("zone", "add", "a.test", own));
        Assert.Contains($"the settings still have it, with {own}, and \"dnsd zone add a.test. {own}\" brings it back",
            await PrintAsync("zone", "remove", "a.test"));
        Assert.Equal(objection, await FailAsync("zone", "add", "a.test", other));
        Assert.Contains("note: zone a.test. of the settings is not served", (await RunAsync("reload")).Output);
        Assert.Contains("from          the settings\n", await PrintAsync("zone", "add", "a.test", own));
        // The settings' file for an added zone is reported, and used at the next reload.
        await PrintAsync("zone", "add", "c.test", other);
        Write("zones/c.test.zone", Zone);
        Assert.Contains(
            $"note: zone c.test. is that of the settings, {Path.Combine(Folder, "zones", "c.test.zone")}: {other}, " +
                $"which was added, is not used",
            (await RunAsync("reload")).Output);
        Assert.Contains("from          the settings\n", await PrintAsync("zone", "status", "c.test"));
        await PrintAsync("zone", "remove", "c.test");
        await RunAsync("reload");
        Assert.Contains("no zone c.test.", await FailAsync("zone", "status", "c.test"));
    }

    [Fact]
    public async Task A_zone_that_is_a_secondary_is_not_added_as_a_primary()
    {
        string file = Write("more.zone", Zone);
        await PrintAsync("zone", "add", "s.test", file);
        Write("dnsd.json", """
            { "Dns": { "Listen": ["127.0.0.1:0"], "Reload": { "Watch": false }, "Zones": [ { "Directory": "zones" },
                { "Name": "s.test", "Type": "secondary", "Primaries": [ "127.0.0.1:1" ] } ] } }
            """);
        await RunAsync("reload");
        Assert.Matches(
            "^the file of zone s.test. is not used any more, kept in .*; the zone is served from another source",
            await PrintAsync("zone", "remove", "s.test"));
        Assert.Contains("secondary", (await RunAsync("zone", "status", "s.test")).Output);
        Assert.Equal("dnsd: error: zone s.test. is not added: it is a secondary, take it out of the settings or its "
            + "catalog first\n", await FailAsync("zone", "add", "s.test", file));
    }

    [Fact]
    public async Task What_was_added_and_removed_outlives_a_server_that_is_killed_at_once()
    {
        string file = Write("more.zone", Zone);
        Assert.Contains($"from          dnsd zone add, kept in {Path.Combine(Folder, "dnsd.state", "zones.json")}\n",
            await PrintAsync("zone", "add", "b.test", file));
        await PrintAsync("zone", "remove", "a.test");
        Process.Dispose();
        Process = DnsdProcess.Start(Folder, ["run"]);
        await Process.WaitUntilLoadedAsync();
        await Process.WaitForLineAsync("D223 Zones added or removed by commands: 2, from ");
        await Process.WaitForLineAsync("D222 zone a.test. of the settings is not served");
        ControlSocket = (await Process.WaitForLineAsync("Control socket ")).Split(' ')[^1];
        Assert.Equal(["b.test.", "bad.test."],
            (await DataAsync("zones"))["zones"]!.AsArray().Select(zone => (string)zone!["name"]!));
        await PrintAsync("zone", "remove", "b.test");
        await PrintAsync("zone", "add", "a.test", Path.Combine(Folder, "zones", "a.test.zone"));
        JsonNode kept = JsonNode.Parse(File.ReadAllText(Path.Combine(Folder, "dnsd.state", "zones.json")))!;
        Assert.Equal((0, 0), (kept["added"]!.AsArray().Count, kept["removed"]!.AsArray().Count));
    }

    [Fact]
    public async Task What_cannot_be_kept_is_not_done()
    {
        string file = Write("more.zone", Zone);
        Write("dnsd.state", "in the way of the directory");
        string why = await FailAsync("zone", "add", "b.test", file);
        Assert.StartsWith(
            "dnsd: error: zone b.test. is not added: " + Path.Combine(Folder, "dnsd.state", "zones.json"), why);
        Assert.Contains("Dns:StateDirectory names a directory that the server may write", why);
        Assert.Contains("no zone b.test.", await FailAsync("zone", "status", "b.test"));
        Assert.DoesNotContain(Process.Lines, line => line.Contains("Zone b.test. is served"));
        Assert.StartsWith("dnsd: error: zone a.test. is not removed: ", await FailAsync("zone", "remove", "a.test"));
        Assert.Contains("serving", await PrintAsync("zone", "status", "a.test"));
        File.Delete(Path.Combine(Folder, "dnsd.state"));
        Write("dnsd.state/zones.json", "damaged");
        string damaged = await FailAsync("zone", "add", "b.test", file);
        Assert.Contains("line 1 is not as it was written", damaged);
        // Another directory would not help.
        Assert.DoesNotContain("Dns:StateDirectory", damaged);
        Assert.Equal("damaged", File.ReadAllText(Path.Combine(Folder, "dnsd.state", "zones.json")));
        File.Delete(Path.Combine(Folder, "dnsd.state", "zones.json"));
        await PrintAsync("zone", "add", "b.test", file);
        await Process.WaitForLineAsync("D211 Zone b.test. is served: serial 7");
        Assert.Single(Process.Lines, line => line.Contains("Zone b.test. is served"));
    }

    [Fact]
    public async Task Without_a_state_directory_it_is_said_how_long_a_zone_stays()
    {
        Write("dnsd.json",
            """{ "Dns": { "Listen": ["127.0.0.1:0"], "StateDirectory": null, "Zones": [ { "Directory": "zones" } ] } }""");
        Process.Dispose();
        Process = DnsdProcess.Start(Folder, ["run"]);
        await Process.WaitUntilLoadedAsync();
        ControlSocket = (await Process.WaitForLineAsync("Control socket ")).Split(' ')[^1];
        Assert.Contains("from          dnsd zone add, until the server ends (Dns:StateDirectory)\n",
            await PrintAsync("zone", "add", "b.test", Write("more.zone", Zone)));
        Assert.False(Directory.Exists(Path.Combine(Folder, "dnsd.state")));
    }

    [Fact]
    public async Task Names_of_zones_are_offered_to_shells_unless_they_could_mean_something_to_them()
    {
        Write("zones/$(b.test).zone", Zone);
        Write("zones/sub.a.test.zone", Zone);
        await RunAsync("reload");
        Assert.Equal(["a.test", "bad.test", "sub.a.test"],
            await ZoneNamesCommand.FindAsync([ControlSocket], "", CancellationToken.None));
        Assert.Equal(["bad.test"], await ZoneNamesCommand.FindAsync([ControlSocket], "B", CancellationToken.None));
        Assert.Empty(await ZoneNamesCommand.FindAsync([ControlSocket], "$", CancellationToken.None));
        StringWriter errors = new();
        Assert.Equal(0,
            await DnsdCommand.InvokeAsync(["zone-names", "--socket", Path.Combine(Folder, "none")], errors, errors));
        Assert.Equal("", errors.ToString());
    }

    [Fact]
    public async Task A_reload_tells_what_it_would_do_and_does_it()
    {
        Write("zones/c.test.zone", Zone);
        var (exitCode, told, _) = await RunAsync("reload", "--dry-run");
        Assert.Equal(1, exitCode);
        Assert.StartsWith("c.test. would be added\nbad.test. would be read again\n", told);
        Assert.Contains("bad.test.zone:1:5: error: A: found \"192.0.2.999\", expected an IPv4 address\n", told);
        Assert.EndsWith("1 zone with errors\n", told);
        Assert.Contains("no zone c.test.", await FailAsync("zone", "status", "c.test"));
        (exitCode, told, _) = await RunAsync("reload", "--json");
        JsonNode data = JsonNode.Parse(told)!;
        Assert.Equal((1, "c.test.", 1), (exitCode, (string)data["added"]![0]!, (int)data["failed"]!));
        Assert.Contains("serving", await PrintAsync("zone", "status", "c.test"));
        Write("dnsd.json", "{ \"Dns\": {");
        Assert.Contains("dnsd.json:1:", await FailAsync("reload"));
    }

    [Fact]
    public async Task A_first_reload_does_not_name_keys_that_are_as_at_the_start()
    {
        string keys = Write("keys.json", """
            { "Dns": { "Listen": ["127.0.0.1:0"], "Admin": { "Listen": null }, "Reload": { "Watch": false },
              "TsigKeys": [ { "Name": "k1.", "Secret": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=" } ],
              "Zones": [ { "Name": "a.test", "File": "zones/a.test.zone", "AllowTransfer": [ "key:k1." ] } ] } }
            """);
        using DnsdProcess signed = DnsdProcess.Start(Folder, ["run", "--config", keys]);
        await signed.WaitUntilLoadedAsync();
        ControlSocket = (await signed.WaitForLineAsync("Control socket ")).Split(' ')[^1];
        Assert.Equal("nothing has changed\n", await PrintAsync("reload"));
    }

    [Fact]
    public async Task A_reload_names_the_settings_that_it_changes_and_says_nothing_of_their_values()
    {
        File.Delete(Path.Combine(Folder, "zones", "bad.test.zone"));
        await PrintAsync("reload");
        Assert.Equal("nothing has changed\n", await PrintAsync("reload"));
        Write("dnsd.json", """
            { "Dns": { "Listen": ["127.0.0.1:0"], "Zones": [ { "Directory": "zones", "AllowQuery": [ "::1" ] } ], "Reload": { "Watch": false }, "Workers": 7,
              "RateLimit": { "Mode": "on" }, "Cookies": { "Secrets": [ "00112233445566778899aabbccddeeff" ] } } }
            """);
        const string waits = "note: Dns:Workers has changed: that takes effect at the next start\n";
        string[] names = ["Dns:Cookies:Secrets", "Dns:RateLimit:Mode", "Dns:Zones"];
        Assert.Equal(
            waits + string.Concat(names.Select(name => name + " would be in force, changed\n")),
            await PrintAsync("reload", "--dry-run"));
        Assert.Equal(waits + string.Concat(names.Select(name => name + " changed, in force\n")),
            await PrintAsync("reload"));
        await Process.WaitForLineAsync("Dns:RateLimit:Mode has changed and is applied");
        Assert.DoesNotContain(Process.Lines, line => line.Contains("00112233"));
        Assert.Equal(waits, await PrintAsync("reload"));
    }

    [Fact]
    public async Task The_status_counts_zones_whose_new_file_is_not_taken()
    {
        Write("zones/a.test.zone", "@ A 192.0.2.999\n");
        await FailAsync("zone", "reload", "a.test");
        Assert.Contains("zones      1 served, 1 with old data, 1 broken\n", await PrintAsync("status"));
        string data = await PrintAsync("status", "--json");
        Assert.Equal(1, (int)JsonNode.Parse(data)!["zonesOutdated"]!);
    }

    [Fact]
    public async Task The_status_warns_of_signed_zones()
    {
        Assert.DoesNotContain("warning", await PrintAsync("status"));
        Write("zones/a.test.zone", "@ 60 SOA ns.x. h.x. 2 2 3 4 5\n@ 60 NS ns.x.\n@ 60 NSEC www NS SOA\n");
        await PrintAsync("zone", "reload", "a.test");
        Assert.Matches("warning +1 zone signed, with faults for validating resolvers",
            await PrintAsync("status"));
        Assert.Equal(1, (int)(await DataAsync("status"))["zonesSigned"]!);
        Assert.Matches("warning +signed: NSEC at a.test.: found www.a.test. as the next name",
            await PrintAsync("zone", "status", "a.test"));
        Assert.True((bool)(await DataAsync("zone", "status", "a.test"))["isSigned"]!);
    }

    [Fact]
    public async Task What_was_answered_is_counted_and_what_is_explained_is_not()
    {
        System.Net.IPEndPoint server =
            System.Net.IPEndPoint.Parse((string)(await DataAsync("status"))["listening"]![0]!);
        await Client.AskUdpAsync(server, "www.a.test A");
        await Client.AskUdpAsync(server, "none.a.test MX");
        await PrintAsync("why", "www.a.test");
        string text = await PrintAsync("stats");
        Assert.Matches(@"(?m)^  positive +1$", text);
        Assert.Matches(@"(?m)^  NXDOMAIN +1$", text);
        Assert.Matches(@"(?m)^  cookies: none +2$", text);
        Assert.Equal(2, (await DataAsync("stats"))["types"]!.AsArray().Count);
    }

    [Theory]
    [InlineData("x.old.b.test CNAME", "an alias of x.wild.b.test.", "NODATA")]
    [InlineData("x.old.b.test ANY", "an alias of x.wild.b.test.", "Dns:MinimalAny")]
    [InlineData("below.b.test A", "delegated at sub.b.test.: its servers end the answer", "a referral")]
    public async Task What_the_answer_ends_before_is_not_explained(string question, string rule, string never)
    {
        await PrintAsync("zone", "add", "b.test", Write("more.zone", Zone + "below CNAME x.sub\n"));
        string text = await PrintAsync(["why", .. question.Split(' ')]);
        Assert.Contains(rule, text);
        Assert.DoesNotContain(never, text);
    }

    [Fact]
    public async Task Why_follows_a_forwarded_name_to_the_upstream_and_then_to_the_cache()
    {
        IPEndPoint upstream = await Process.WaitForAddressAsync();
        Write("forwarder.json", $$"""
            { "Dns": { "Listen": ["127.0.0.1:0"], "Forward": [ { "Zone": ".", "Upstreams": ["{{upstream}}"] } ],
              "Recursion": { "AllowFrom": ["localhost"], "LocalNames": false }, "Control": { "Socket": "forwarder.sock" } } }
            """);
        using DnsdProcess forwarder = DnsdProcess.Start(Folder, ["run", "--config", "forwarder.json"]);
        IPEndPoint server = await forwarder.WaitForAddressAsync();
        ControlSocket = (await forwarder.WaitForLineAsync("Control socket ")).Split(' ')[^1];
        string before = await PrintAsync("why", "www.a.test");
        Assert.Contains("upstreams are queried", before);
        const string hint = "the answer depends on the client: 127.0.0.1 is assumed";
        Assert.Contains(hint, before);
        Assert.DoesNotContain(hint, await PrintAsync("why", "www.a.test", "--from", "192.0.2.1"));
        Assert.Contains($"upstream {upstream}: up, not queried yet", before);
        Assert
            .Single(
                (await Client.AskUdpAsync(server,
                    QueryMessage.For("www.a.test A") with { Flags = MessageHeader.RecursionDesired })).Answer);
        Assert.Contains("the cache has the answer", await PrintAsync("why", "www.a.test"));
        Assert.Matches($@"UPSTREAM +STATE.*\n{upstream} +up ", await PrintAsync("stats"));
    }

    [Fact]
    public async Task The_log_level_changes_at_once()
    {
        Assert.Equal("log level Debug\n", await PrintAsync("loglevel", "debug"));
        await PrintAsync("zone", "reload", "a.test");
        await Process.WaitForLineAsync("DBG D213 Zone a.test. is unchanged");
        Assert.Equal("Debug", (string)(await DataAsync("status"))["logLevel"]!);
    }

    [Fact]
    public async Task A_server_stops_when_it_is_told_and_takes_its_socket_away()
    {
        Assert.Equal("stopping\n", await PrintAsync("stop"));
        Assert.Equal(0, await Process.WaitForExitAsync());
        Assert.False(Path.Exists(ControlSocket));
        Assert.Equal($"dnsd: error: {ControlSocket}: no server runs there\n", await FailAsync("status"));
    }

    [Fact]
    public async Task A_dead_socket_is_replaced_and_a_living_one_is_left_alone()
    {
        string dead = Path.Combine(Folder, "dead.sock");
        string[] args = ["run", "--config", "dnsd.json", $"--Dns:Control:Socket={dead}"];
        using (DnsdProcess first = DnsdProcess.Start(Folder, args)) await first.WaitForLineAsync("Control socket ");
        Assert.True(Path.Exists(dead));
        DnsdProcess second = DnsdProcess.Start(Folder, args);
        await second.WaitForLineAsync("Control socket " + dead);
        using DnsdProcess third = DnsdProcess.Start(Folder, args);
        await third.WaitForLineAsync($"The control socket {dead} cannot be used yet: another server has it");
        await third.WaitForLineAsync("Serving ");
        ControlSocket = dead;
        Assert.Contains("a.test.", await PrintAsync("zones"));
        // When its server has ended, it is free.
        second.Dispose();
        await third.WaitForLineAsync("Control socket " + dead);
        Assert.Contains("a.test.", await PrintAsync("zones"));
    }

    [Fact]
    public async Task A_file_that_is_no_socket_is_left_alone()
    {
        string file = Write("precious.txt", "somebody's");
        using DnsdProcess other =
            DnsdProcess.Start(Folder, ["run", "--config", "dnsd.json", $"--Dns:Control:Socket={file}"]);
        await other
            .WaitForLineAsync($"The control socket {file} cannot be used yet: there is a file that is no socket");
        Assert.Equal("somebody's", File.ReadAllText(file));
    }
}
