using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using Dns.Testing;

namespace Dns.Integration.Tests;

/// <summary>
/// Zone files and settings that change while the program serves, in the ways in which editors and scripts write them.
/// </summary>
public sealed class ReloadTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("dnsd-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private static string Zone(int serial, string more = "") =>
        $"$TTL 60\n@ SOA ns h {serial} 2 3 4 5\n@ NS ns\nns A 192.0.2.1\n{more}";

    private string PathOf(string name) => Path.Combine(_folder, name);

    private string Write(string name, string text)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(PathOf(name))!);
        File.WriteAllText(PathOf(name), text);
        return PathOf(name);
    }

    private DnsdProcess Start(string dns)
    {
        Write("dnsd.json", $$"""{ "Dns": { "Listen": ["127.0.0.1:0"], {{dns}} } }""");
        return DnsdProcess.Start(_folder, ["run", "--config", "dnsd.json"]);
    }

    /// <summary>The serial that is served; null while the name is in no zone.</summary>
    private static async Task<string?> SerialAsync(IPEndPoint server, string zone)
    {
        Reply reply = await Client.AskUdpAsync(server, zone + " SOA");
        return reply.Rcode == Rcode.NoError ? reply.Answer[0].RdataText.Split(' ')[2] : null;
    }

    private static string Served(string zone, int serial) => $"Zone {zone}. is served: serial {serial}, ";

    [Theory]
    [InlineData("""  "Reload": { "Watch": true } """)]
    [InlineData("""  "Reload": { "Watch": false, "PollSeconds": 1 } """)]
    public async Task Files_of_a_directory_change_come_and_go(string reload)
    {
        Write("zones/a.test.zone", Zone(1));
        using DnsdProcess dnsd = Start($$""" "Zones": [ { "Directory": "zones" } ], {{reload}} """);
        IPEndPoint server = await dnsd.WaitUntilLoadedAsync();
        Write("zones/a.test.zone", Zone(2));
        await dnsd.WaitForLineAsync(Served("a.test", 2));
        Write("zones/b.test.zone", Zone(7));
        await dnsd.WaitForLineAsync(Served("b.test", 7));
        Assert.Equal(("2", "7"), (await SerialAsync(server, "a.test"), await SerialAsync(server, "b.test")));
        File.Delete(PathOf("zones/a.test.zone"));
        await dnsd.WaitForLineAsync("Zone a.test. is not served any more");
        Assert.Equal((null, "7"), (await SerialAsync(server, "a.test"), await SerialAsync(server, "b.test")));
    }

    [Fact]
    public async Task An_odd_file_name_is_not_warned_of_each_time_that_the_directory_changes()
    {
        Write("zones/a copy.zone", Zone(1));
        using DnsdProcess dnsd = Start(""" "Zones": [ { "Directory": "zones" } ] """);
        await dnsd.WaitUntilLoadedAsync();
        for (int i = 0; i < 4; i++)
        {
            Write($"zones/b{i}.test.zone", Zone(7));
            await dnsd.WaitForLineAsync(Served($"b{i}.test", 7));
        }
        // At the start, and by the first look at the directory.
        Assert.InRange(dnsd.Lines.Count(line => line.Contains("is it a copy?")), 1, 2);
    }

    [Fact]
    public async Task A_file_written_in_pieces_is_taken_when_its_writer_closes_it()
    {
        Write("zones/a.test.zone", Zone(1));
        Write("zones/b.test.zone", Zone(1));
        using DnsdProcess dnsd = Start(""" "Zones": [ { "Directory": "zones" } ] """);
        IPEndPoint server = await dnsd.WaitUntilLoadedAsync();
        string text = Zone(2, "www A 192.0.2.80\n");
        using (FileStream file = new(PathOf("zones/a.test.zone"), FileMode.Create))
        {
            file.Write(System.Text.Encoding.ASCII.GetBytes(text[..50]));
            file.Flush();
            // Another zone is seen to be taken meanwhile: this one could have been, too.
            Write("zones/b.test.zone", Zone(2));
            await dnsd.WaitForLineAsync(Served("b.test", 2));
            Assert.Equal("1", await SerialAsync(server, "a.test"));
            file.Write(System.Text.Encoding.ASCII.GetBytes(text[50..]));
        }
        await dnsd.WaitForLineAsync(Served("a.test", 2));
        Assert.DoesNotContain(dnsd.Lines, line => line.Contains(" ERR "));
    }

    [Fact]
    public async Task Editors_that_rename_never_take_a_zone_away()
    {
        string zone = Write("zones/a.test.zone", Zone(1));
        using DnsdProcess dnsd = Start(""" "Zones": [ { "Directory": "zones" } ] """);
        IPEndPoint server = await dnsd.WaitUntilLoadedAsync();
        // A new file over the old one.
        Write("zones/.a.swp", Zone(2));
        File.Move(PathOf("zones/.a.swp"), zone, overwrite: true);
        await dnsd.WaitForLineAsync(Served("a.test", 2));
        // The old one to a copy, and a new one in its place.
        File.Move(zone, zone + "~");
        Write("zones/a.test.zone", Zone(3));
        await dnsd.WaitForLineAsync(Served("a.test", 3));
        // Emptied, closed, and written anew.
        Write("zones/a.test.zone", "");
        Write("zones/a.test.zone", Zone(4));
        await dnsd.WaitForLineAsync(Served("a.test", 4));
        Assert.Equal("4", await SerialAsync(server, "a.test"));
        Assert.DoesNotContain(dnsd.Lines, line => line.Contains("not served any more"));
    }

    [Fact]
    public async Task A_broken_file_and_a_vanished_one_keep_the_zone_served()
    {
        string file = Write("a.zone", Zone(1));
        using DnsdProcess dnsd = Start(""" "Zones": [ { "Name": "a.test", "File": "a.zone" } ] """);
        IPEndPoint server = await dnsd.WaitUntilLoadedAsync();
        Write("a.zone", Zone(2, "www A 192.0.2.999\n"));
        Assert.Contains("a.zone:5:7: error: ",
            await dnsd.WaitForLineAsync("Zone a.test. is still served with serial 1: "));
        File.Delete(file);
        await dnsd.WaitForLineAsync("there is no such file");
        Assert.Equal("1", await SerialAsync(server, "a.test"));
        Write("a.zone", Zone(1));
        await dnsd.WaitForLineAsync("a.zone is valid again, with the served serial 1");
        Write("a.zone", Zone(3));
        await dnsd.WaitForLineAsync(Served("a.test", 3));
    }

    [Fact]
    public async Task A_serial_that_does_not_rise_is_served_with_one_warning()
    {
        Write("a.zone", Zone(5));
        using DnsdProcess dnsd = Start(""" "Zones": [ { "Name": "a.test", "File": "a.zone" } ] """);
        IPEndPoint server = await dnsd.WaitUntilLoadedAsync();
        Write("a.zone", Zone(4, "www A 192.0.2.80\n"));
        await dnsd.WaitForLineAsync(Served("a.test", 4));
        Assert.Equal("4", await SerialAsync(server, "a.test"));
        Assert.Single(dnsd.Lines, line => line.Contains("WRN D210 Zone a.test.: serial 4 is not above 5"));
    }

    [Fact]
    public async Task A_directory_that_is_replaced_as_a_whole_is_watched_again()
    {
        Write("zones/a.test.zone", Zone(1));
        Write("fresh/a.test.zone", Zone(2, "www A 192.0.2.80\n"));
        using DnsdProcess dnsd = Start(""" "Zones": [ { "Directory": "zones" } ] """);
        await dnsd.WaitUntilLoadedAsync();
        Directory.Move(PathOf("zones"), PathOf("old"));
        Directory.Move(PathOf("fresh"), PathOf("zones"));
        await dnsd.WaitForLineAsync(Served("a.test", 2));
        Write("old/a.test.zone", Zone(9));
        Write("zones/a.test.zone", Zone(3));
        await dnsd.WaitForLineAsync(Served("a.test", 3));
        Assert.DoesNotContain(dnsd.Lines, line => line.Contains("serial 9"));
    }

    [Fact]
    public async Task A_directory_that_was_gone_is_watched_again()
    {
        Write("zones/a.test.zone", Zone(1));
        using DnsdProcess dnsd = Start(""" "Zones": [ { "Directory": "zones" } ] """);
        IPEndPoint server = await dnsd.WaitUntilLoadedAsync();
        Directory.Move(PathOf("zones"), PathOf("old"));
        await dnsd.WaitForLineAsync("ERR D308 ");
        Assert.Equal(Rcode.NoError, (await Client.AskUdpAsync(server, "a.test SOA")).Rcode);
        Write("old/a.test.zone", Zone(2));
        Directory.Move(PathOf("old"), PathOf("zones"));
        await dnsd.WaitForLineAsync($"INF D312 {PathOf("zones")} is watched again");
        await dnsd.WaitForLineAsync(Served("a.test", 2));
    }

    [Fact]
    public async Task A_directory_of_links_that_are_turned_together_is_read_again()
    {
        // As containers are given their settings: a.test.zone -> ..data/a.test.zone, ..data -> one directory or the
        // next.
        Write("zones/..1/a.test.zone", Zone(1));
        Write("zones/..2/a.test.zone", Zone(2, "www A 192.0.2.80\n"));
        File.CreateSymbolicLink(PathOf("zones/..data"), "..1");
        File.CreateSymbolicLink(PathOf("zones/a.test.zone"), "..data/a.test.zone");
        using DnsdProcess dnsd = Start(""" "Zones": [ { "Directory": "zones" } ] """);
        await dnsd.WaitUntilLoadedAsync();
        File.CreateSymbolicLink(PathOf("zones/..next"), "..2");
        using (Process move = Process.Start("mv", ["-T", PathOf("zones/..next"), PathOf("zones/..data")]))
            await move.WaitForExitAsync();
        await dnsd.WaitForLineAsync(Served("a.test", 2));
    }

    [Fact]
    public async Task What_a_symlink_in_the_path_leads_to_is_watched_after_a_reload()
    {
        Write("r1/zones/a.test.zone", Zone(1, $"$INCLUDE {PathOf("link/more.inc")}\n"));
        Write("r1/inc/more.inc", "www A 192.0.2.80\n");
        Write("r2/zones/a.test.zone", Zone(2, $"$INCLUDE {PathOf("link/more.inc")}\n"));
        Write("r2/inc/more.inc", "www A 192.0.2.81\n");
        Directory.CreateSymbolicLink(PathOf("current"), "r1");
        Directory.CreateSymbolicLink(PathOf("link"), "current/inc");
        using DnsdProcess dnsd = Start(""" "Zones": [ { "Directory": "current/zones" } ] """);
        await dnsd.WaitUntilLoadedAsync();
        Directory.CreateSymbolicLink(PathOf("next"), "r2");
        using (Process move = Process.Start("mv", ["-T", PathOf("next"), PathOf("current")]))
            await move.WaitForExitAsync();
        await dnsd.ReloadAsync();
        await dnsd.WaitForLineAsync(Served("a.test", 2));
        Write("r2/zones/a.test.zone", Zone(3, $"$INCLUDE {PathOf("link/more.inc")}\n"));
        await dnsd.WaitForLineAsync(Served("a.test", 3));
        Write("r2/inc/more.inc", "www A 192.0.2.82\n");
        await dnsd.WaitForLineAsync("serial 3 is not above 3");
    }

    [Theory]
    [InlineData(""" "Zones": [ { "Directory": "zones" } ] """)]
    [InlineData(""" "Zones": [ { "Name": "a.test", "File": "zones/a.test.zone" } ] """)]
    public async Task A_file_behind_a_link_is_watched_where_it_is(string zones)
    {
        Write("kept/one", Zone(1));
        Directory.CreateDirectory(PathOf("zones"));
        File.CreateSymbolicLink(PathOf("zones/a.test.zone"), "../kept/one");
        using DnsdProcess dnsd = Start(zones);
        await dnsd.WaitUntilLoadedAsync();
        Write("kept/one", Zone(2));
        await dnsd.WaitForLineAsync(Served("a.test", 2));
        Write("kept/new", Zone(3));
        File.Move(PathOf("kept/new"), PathOf("kept/one"), overwrite: true);
        await dnsd.WaitForLineAsync(Served("a.test", 3));
    }

    [Fact]
    public async Task An_included_file_of_another_directory_is_watched_from_the_start()
    {
        Write("more/more.inc", "www A 192.0.2.80\n");
        Write("zones/a.test.zone", Zone(1, "$INCLUDE ../more/more.inc\n"));
        using DnsdProcess dnsd = Start(""" "Zones": [ { "Directory": "zones" } ] """);
        await dnsd.WaitUntilLoadedAsync();
        Write("more/more.inc", "www A 192.0.2.81\n");
        await dnsd.WaitForLineAsync("serial 1 is not above 1");
    }

    [Fact]
    public async Task A_directory_that_is_known_by_two_names_is_watched_by_both()
    {
        Write("kept/more.inc", "www A 192.0.2.80\n");
        Write("kept/a.test.zone", Zone(1, $"$INCLUDE {PathOf("kept/more.inc")}\n"));
        Directory.CreateSymbolicLink(PathOf("zones"), "kept");
        using DnsdProcess dnsd = Start(""" "Zones": [ { "Directory": "zones" } ] """);
        await dnsd.WaitUntilLoadedAsync();
        await dnsd.WaitForLineAsync("Control socket ");
        Write("kept/a.test.zone", Zone(2, $"$INCLUDE {PathOf("kept/more.inc")}\n"));
        await dnsd.WaitForLineAsync(Served("a.test", 2));
        Write("kept/b.test.zone", Zone(7));
        await dnsd.WaitForLineAsync(Served("b.test", 7));
        Write("kept/more.inc", "www A 192.0.2.81\n");
        await dnsd.WaitForLineAsync("serial 2 is not above 2");
    }

    [Fact]
    public async Task A_signal_takes_over_the_settings_that_can_change_and_names_the_others()
    {
        Write("a.zone", Zone(1));
        Write("b.zone", Zone(2));
        using DnsdProcess dnsd =
            Start(""" "Zones": [ { "Name": "a.test", "File": "a.zone" } ], "Identity": "first" """);
        IPEndPoint server = await dnsd.WaitUntilLoadedAsync();
        Write("dnsd.json", """
            { "Dns": { "Listen": ["127.0.0.1:0", "127.0.0.1:0"], "Identity": "second", "Workers": 1,
              "Zones": [ { "Name": "b.test", "File": "b.zone" } ] } }
            """.Replace("\"127.0.0.1:0\", ", ""));
        await dnsd.ReloadAsync();
        await dnsd.WaitForLineAsync("Zones are up to date");
        Assert.Equal((null, "2"), (await SerialAsync(server, "a.test"), await SerialAsync(server, "b.test")));
        Assert.Equal("\"second\"", (await Client.AskUdpAsync(server, "id.server TXT CH")).Answer[0].RdataText);
        Assert.Contains(dnsd.Lines,
            line => line.Contains("WRN D305 Dns:Workers has changed: that takes effect at the next start"));
        Assert.DoesNotContain(dnsd.Lines, line => line.Contains("Dns:Listen has changed"));
    }

    [Fact]
    public async Task Limits_cookies_proxies_and_the_clients_of_zones_change_with_a_reload()
    {
        const string zones =
            """ "Zones": [ { "Name": "a.test", "File": "a.zone", "AllowQuery": [ "127.0.0.0/8" ] } ] """;
        QueryMessage query = QueryMessage.For("a.test SOA").WithOption(EdnsOptionCode.Cookie, "0102030405060708");
        Write("a.zone", Zone(1));
        using DnsdProcess dnsd = Start(zones);
        IPEndPoint server = await dnsd.WaitUntilLoadedAsync();
        Reply before = await Client.AskUdpAsync(server, query);
        Assert.Equal((Rcode.NoError, 28), (before.Rcode, before.Opt!.Rdata.Length));
        Write("dnsd.json", $$"""
            { "Dns": { "Listen": ["127.0.0.1:0"], {{zones.Replace("127.0.0.0/8", "192.0.2.0/24")}}, "Cookies": { "Enabled": false },
              "RateLimit": { "Mode": "on", "ErrorsPerSecond": 1, "Slip": 1 }, "Proxy": { "From": [ "127.0.0.2" ] }, "Udp": { "ReceiveBufferBytes": 65536 } } }
            """);
        await dnsd.ReloadAsync();
        await dnsd.WaitForLineAsync("Dns:Udp:ReceiveBufferBytes has changed: that takes effect at the next start");
        await dnsd.WaitForLineAsync("The new settings are applied");
        Reply[] after = [];
        // The limit is that of a second, which may end between two queries.
        for (int i = 0; i < 3 || after.All(reply => reply.Header != "NOERROR tc"); i++)
            after = [.. after, await Client.AskUdpAsync(server, query)];
        Assert.All(after, reply => Assert.True(reply.Rcode == Rcode.Refused || reply.Header == "NOERROR tc"));
        Assert.All(after.Where(reply => reply.Rcode == Rcode.Refused),
            reply => Assert.Equal(6, reply.Opt!.Rdata.Length));
        Assert.Equal(1, dnsd.Lines.Count(line => line.Contains("takes effect at the next start")));

        // A proxy from now on: it is heard with its header alone, and the client that it names is of the zone's
        // networks.
        using UdpClient proxy = new(new IPEndPoint(IPAddress.Parse("127.0.0.2"), 0));
        byte[] header = [.. "\r\n\r\n\0\r\nQUIT\n"u8, 0x21, 0x12, 0, 12, 192, 0, 2, 9, 127, 0, 0, 1, 0x12, 0x34, 0, 53];
        await proxy.SendAsync(query.ToOctets(), server);
        await proxy.SendAsync((byte[])[.. header, .. (query with { Id = 77 }).ToOctets()], server);
        using CancellationTokenSource deadline = new(TimeSpan.FromMinutes(3));
        byte[] proxied = (await proxy.ReceiveAsync(deadline.Token)).Buffer;
        Assert.Equal((77, Rcode.NoError), (proxied[1], Reply.Read(proxied).Rcode));
    }

    [Fact]
    public async Task A_settings_file_half_written_changes_nothing()
    {
        Write("a.zone", Zone(1));
        using DnsdProcess dnsd = Start(""" "Zones": [ { "Name": "a.test", "File": "a.zone" } ] """);
        IPEndPoint server = await dnsd.WaitUntilLoadedAsync();
        Write("dnsd.json", """{ "Dns": { "Zones": [ """);
        await dnsd.ReloadAsync();
        await dnsd.WaitForLineAsync("dnsd.json:1:23: error: not valid JSON");
        await dnsd.WaitForLineAsync("are not applied: nothing has changed");
        Assert.Equal("1", await SerialAsync(server, "a.test"));
        Assert.Matches("settings not reloaded, .*dnsd.json:1:23: error: not valid JSON", await StatusAsync(dnsd));
        Write("dnsd.json", """{ "Dns": { "Zones": [ { "Name": "a.test", "File": "a.zone" } ] } }""");
        await dnsd.ReloadAsync();
        await dnsd.WaitForLineAsync("The new settings are applied");
        Assert.DoesNotContain("not reloaded", await StatusAsync(dnsd));
    }

    private static async Task<string> StatusAsync(DnsdProcess dnsd)
    {
        string socket = (await dnsd.WaitForLineAsync("Control socket ")).Split(' ')[^1];
        StringWriter output = new(), errors = new();
        await DnsdCommand.InvokeAsync(["status", "--socket", socket], output, errors);
        return output.ToString();
    }
}
