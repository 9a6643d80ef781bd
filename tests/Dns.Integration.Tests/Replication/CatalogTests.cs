using System.Net;
using System.Net.Sockets;
using Dns.Testing;

namespace Dns.Integration.Tests;

/// <summary>Catalog zones (RFC 9432) between the program and other servers.</summary>
[Trait("RFC", "9432")]
public sealed class CatalogTests : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    private readonly string _folder = Directory.CreateTempSubdirectory("dnsd-catalog-").FullName;
    private DnsdProcess? _dnsd;

    public void Dispose()
    {
        _dnsd?.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    public static TheoryData<string> Consumers => new("knot", "bind", "pdns");

    [PeersTheory, MemberData(nameof(Consumers))]
    public async Task Another_server_consumes_a_catalog_that_is_made_here(string server)
    {
        PowerDnsKind.SkipIfMissing(server);
        using PortLease port = PortLease.Take();
        WriteSettings(port.Port, ["a.test", "b.test"], notify: null);
        _dnsd = DnsdProcess.Start(_folder, ["run", "--config", "dnsd.json"]);
        await _dnsd.WaitUntilLoadedAsync();
        // It serves the members only through the catalog.
        using PeerServer peer = new(CatalogKind.Consumer(server, port.Port), _folder, ["a.test", "b.test"]);
        WriteSettings(port.Port, ["a.test", "b.test"], peer.Port);
        await _dnsd.ReloadAsync();
        await _dnsd.WaitForLineAsync("Dns:Notify has changed");
        WriteSettings(port.Port, ["b.test", "c.test"], peer.Port);
        await _dnsd.ReloadAsync();
        await _dnsd.WaitForLineAsync("Catalog catalog.test. is served");
        await AwaitAsync(peer, "c.test", isServed: true);
        await AwaitAsync(peer, "a.test", isServed: false);
        await AwaitAsync(peer, "b.test", isServed: true);
    }

    [PeersTheory, MemberData(nameof(Consumers))]
    public async Task A_catalog_of_another_server_is_consumed_and_its_members_survive_a_restart(string server)
    {
        PowerDnsKind.SkipIfMissing(server);
        WriteZones(["a.test", "b.test"]);
        string settings;
        using (PeerServer peer = new(CatalogKind.Producer(server), _folder, ["a.test", "b.test"]))
        {
            settings = $$"""
                { "Dns": { "Listen": ["127.0.0.1:0"], "StateDirectory": "state",
                    "Templates": { "g1": { "AllowQuery": [ "127.0.0.0/8" ] } },
                    "Zones": [ { "Name": "catalog.test", "Type": "secondary", "Primaries": [ "127.0.0.1:{{peer.Port}}" ],
                                 "Catalog": "consumer" } ] } }
                """;
            await AssertServedAsync(settings, ["a.test", "b.test"]);
        }
        _dnsd!.Dispose();
        await AssertServedAsync(settings, ["a.test", "b.test"]);
    }

    [Fact]
    public async Task A_catalog_takes_over_neither_the_root_nor_what_the_settings_forward()
    {
        using PortLease port = PortLease.Take();
        string folder = Directory.CreateDirectory(Path.Combine(_folder, "consumer")).FullName;
        WriteSettings(port.Port, [".", "forwarded.test", "a.test"], notify: null);
        _dnsd = DnsdProcess.Start(_folder, ["run", "--config", "dnsd.json"]);
        await _dnsd.WaitUntilLoadedAsync();
        await File.WriteAllTextAsync(Path.Combine(folder, "dnsd.json"), $$"""
            { "Dns": { "Listen": ["127.0.0.1:0"], "Forward": [ { "Zone": "forwarded.test", "Upstreams": [ "127.0.0.1:{{port.Port}}" ] } ],
                "Zones": [
                { "Name": "catalog.test", "Type": "secondary", "Primaries": [ "127.0.0.1:{{port.Port}}" ], "Catalog": "consumer" } ] } }
            """);
        using DnsdProcess consumer = DnsdProcess.Start(folder, ["run", "--config", "dnsd.json"]);
        IPEndPoint address = await consumer.WaitForAddressAsync();
        await AwaitAsync(address, "a.test", Rcode.NoError);
        await consumer.WaitForLineAsync("zone . is not taken from it: the root can only be a zone of the settings");
        await consumer.WaitForLineAsync("zone forwarded.test. is not taken from it: it is forwarded by Dns:Forward");
        Assert.Equal(Rcode.Refused, (await Client.AskUdpAsync(address, QueryMessage.For("elsewhere.example A"))).Rcode);
        Assert.Matches("catalog +producer", await CommandAsync(_dnsd, "zone", "status", "catalog.test"));
        Assert.Matches("member of +catalog[.]test[.]", await CommandAsync(_dnsd, "zone", "status", "a.test"));
        Assert.Contains("\"catalog\": \"consumer\"",
            await CommandAsync(consumer, "zone", "status", "catalog.test", "--json"));
        Assert.Contains("\"memberOf\": \"catalog.test.\"",
            await CommandAsync(consumer, "zone", "status", "a.test", "--json"));
        Assert.Contains("is a secondary: take it out of the settings or its catalog",
            await CommandAsync(consumer, "zone", "remove", "a.test"));
    }

    private async Task<string> CommandAsync(DnsdProcess server, params string[] words)
    {
        string socket = (await server.WaitForLineAsync("Control socket ")).Split(' ')[^1];
        using DnsdProcess command = DnsdProcess.Start(_folder, [.. words, "--socket", socket]);
        await command.WaitForExitAsync();
        return string.Join('\n', command.Lines);
    }

    [Fact]
    public async Task The_program_consumes_its_own_catalogs_and_members_go_with_them()
    {
        using PortLease port = PortLease.Take();
        string folder = Directory.CreateDirectory(Path.Combine(_folder, "consumer")).FullName;
        WriteSettings(port.Port, ["a.test", "b.test"], notify: null);
        _dnsd = DnsdProcess.Start(_folder, ["run", "--config", "dnsd.json"]);
        await _dnsd.WaitUntilLoadedAsync();
        await File.WriteAllTextAsync(Path.Combine(folder, "dnsd.json"), $$"""
            { "Dns": { "Listen": ["127.0.0.1:0"], "Zones": [
                { "Name": "catalog.test", "Type": "secondary", "Primaries": [ "127.0.0.1:{{port.Port}}" ], "Catalog": "consumer" } ] } }
            """);
        using DnsdProcess consumer = DnsdProcess.Start(folder, ["run", "--config", "dnsd.json"]);
        IPEndPoint address = await consumer.WaitForAddressAsync();
        await AwaitAsync(address, "a.test", Rcode.NoError);
        WriteSettings(port.Port, ["b.test", "c.test"], address.Port);
        await _dnsd.ReloadAsync();
        await AwaitAsync(address, "c.test", Rcode.NoError);
        await AwaitAsync(address, "a.test", Rcode.Refused);
        await AwaitAsync(address, "b.test", Rcode.NoError);
        await File.WriteAllTextAsync(Path.Combine(folder, "dnsd.json"),
            $$"""{ "Dns": { "Listen": ["127.0.0.1:0"] } }""");
        await consumer.ReloadAsync();
        await AwaitAsync(address, "b.test", Rcode.Refused);
    }

    [Fact]
    public async Task A_notification_of_a_member_is_not_refused_while_the_start_reads_the_catalog()
    {
        using PortLease port = PortLease.Take(), own = PortLease.Take();
        string[] zones = [.. Enumerable.Range(0, 500).Select(i => $"m{i}.test")];
        WriteSettings(port.Port, zones, notify: null);
        string folder = Directory.CreateDirectory(Path.Combine(_folder, "consumer")).FullName;
        await File.WriteAllTextAsync(Path.Combine(folder, "dnsd.json"), $$"""
            { "Dns": { "Listen": ["{{own.Loopback}}"], "StateDirectory": "state", "Zones": [
                { "Name": "catalog.test", "Type": "secondary", "Primaries": [ "127.0.0.1:{{port.Port}}" ], "Catalog": "consumer" } ] } }
            """);
        _dnsd = DnsdProcess.Start(_folder, ["run", "--config", "dnsd.json"]);
        await _dnsd.WaitUntilLoadedAsync();
        using (DnsdProcess first = DnsdProcess.Start(folder, ["run", "--config", "dnsd.json"]))
        {
            await first.WaitForAddressAsync();
            foreach (string zone in zones) await AwaitAsync(own.Loopback, zone, Rcode.NoError);
            await first.TerminateAsync();
            Assert.Equal(0, await first.WaitForExitAsync());
        }
        using UdpClient primary = new(new IPEndPoint(IPAddress.Loopback, 0));
        using DnsdProcess consumer = DnsdProcess.Start(folder, ["run", "--config", "dnsd.json"]);
        byte[] notify = (QueryMessage.For($"{zones[^1]} SOA") with { Flags = (int)Opcode.Notify << 11 }).ToOctets();
        using CancellationTokenSource patience = new(Patience);
        using PeriodicTimer turns = new(TimeSpan.FromMilliseconds(1));
        // From before the first one that the server receives.
        while (primary.Available == 0)
        {
            await primary.SendAsync(notify, own.Loopback, patience.Token);
            await turns.WaitForNextTickAsync(patience.Token);
        }
        while (primary.Available > 0)
            Assert.Equal(Rcode.NoError, Reply.Read((await primary.ReceiveAsync(patience.Token)).Buffer).Rcode);
    }

    [Fact]
    public async Task The_owner_keeps_its_members_over_a_restart_without_a_usable_version()
    {
        using PortLease port = PortLease.Take();
        WriteSettings(port.Port, ["a.test", "b.test"], notify: null);
        _dnsd = DnsdProcess.Start(_folder, ["run", "--config", "dnsd.json"]);
        await _dnsd.WaitUntilLoadedAsync();
        string folder = Directory.CreateDirectory(Path.Combine(_folder, "consumer")).FullName;
        WriteCatalog(folder, "one.test", "x.zones PTR a.test.");
        WriteCatalog(folder, "two.test", "y.zones PTR b.test.");
        await File.WriteAllTextAsync(Path.Combine(folder, "dnsd.json"), $$"""
            { "Dns": { "Listen": ["127.0.0.1:0"], "StateDirectory": "state",
                "Templates": { "members": { "Primaries": [ "127.0.0.1:{{port.Port}}" ] } },
                "Zones": [ { "Name": "two.test", "File": "two.test.zone", "Catalog": "consumer", "MemberTemplate": "members" },
                           { "Name": "one.test", "File": "one.test.zone", "Catalog": "consumer", "MemberTemplate": "members" } ] } }
            """);
        using (DnsdProcess first = DnsdProcess.Start(folder, ["run", "--config", "dnsd.json"]))
        {
            IPEndPoint address = await first.WaitForAddressAsync();
            await AwaitAsync(address, "a.test", Rcode.NoError);
            await AwaitAsync(address, "b.test", Rcode.NoError);
            await first.TerminateAsync();
            Assert.Equal(0, await first.WaitForExitAsync());
        }
        await File.WriteAllTextAsync(Path.Combine(folder, "one.test.zone"), "damaged");
        WriteCatalog(folder, "two.test", "y.zones PTR b.test.\nz.zones PTR a.test.");
        using DnsdProcess second = DnsdProcess.Start(folder, ["run", "--config", "dnsd.json"]);
        await AwaitAsync(await second.WaitForAddressAsync(), "a.test", Rcode.NoError);
        await second.WaitForLineAsync("zone a.test. is not taken from it: it is a member of one.test.");
        Assert.Contains("\"memberOf\": \"one.test.\"",
            await CommandAsync(second, "zone", "status", "a.test", "--json"));
    }

    private static void WriteCatalog(string folder, string catalog, string records) =>
        File.WriteAllText(Path.Combine(folder, $"{catalog}.zone"),
            $"$TTL 0\n@ SOA invalid. invalid. 1 3600 600 86400 0\n@ NS invalid.\nversion TXT 2\n{records}\n");

    private async Task AssertServedAsync(string settings, string[] zones)
    {
        await File.WriteAllTextAsync(Path.Combine(_folder, "dnsd.json"), settings);
        _dnsd = DnsdProcess.Start(_folder, ["run", "--config", "dnsd.json"]);
        IPEndPoint address = await _dnsd.WaitForAddressAsync();
        foreach (string zone in zones) await AwaitAsync(address, zone, Rcode.NoError);
    }

    private static async Task AwaitAsync(IPEndPoint server, string zone, Rcode rcode)
    {
        using CancellationTokenSource limit = new(Patience);
        using PeriodicTimer turns = new(TimeSpan.FromMilliseconds(50));
        while ((await Client.AskUdpAsync(server, QueryMessage.For($"{zone} SOA"))).Rcode != rcode)
            await turns.WaitForNextTickAsync(limit.Token);
    }

    private static async Task AwaitAsync(PeerServer peer, string zone, bool isServed)
    {
        byte[] query = QueryMessage.For($"{zone} SOA").ToOctets();
        using CancellationTokenSource limit = new(Patience);
        using PeriodicTimer turns = new(TimeSpan.FromMilliseconds(50));
        while ((peer.Ask(query) is { Length: > 3 } answer && (answer[3] & 15) == 0) != isServed)
            await turns.WaitForNextTickAsync(limit.Token);
    }

    private void WriteZones(string[] zones)
    {
        foreach (string zone in zones)
            File.WriteAllText(
                Path.Combine(_folder, (zone == "." ? "root" : zone) + ".zone"),
                "$TTL 300\n@ SOA ns hostmaster 1 3600 600 86400 60\n@ NS ns\nns A 192.0.2.1\n");
    }

    private void WriteSettings(int port, string[] zones, int? notify)
    {
        WriteZones(zones);
        string entries = string.Concat(zones.Select(zone =>
            $$"""{ "Name": "{{zone}}", "File": "{{(zone == "." ? "root" : zone)}}.zone", "MemberOf": "catalog.test", "Group": "g1" }, """));
        string aside = Path.Combine(_folder, "dnsd.json.new");
        File.WriteAllText(aside, $$"""
            { "Dns": { "Listen": ["127.0.0.1:{{port}}"], "AllowTransfer": [ "127.0.0.1" ],
                "Notify": [ {{(notify is null ? "" : $"\"127.0.0.1:{notify}\"")}} ],
                "Zones": [ {{entries}} { "Name": "catalog.test", "Catalog": "producer" } ] } }
            """);
        File.Move(aside, Path.Combine(_folder, "dnsd.json"), overwrite: true);
    }
}
