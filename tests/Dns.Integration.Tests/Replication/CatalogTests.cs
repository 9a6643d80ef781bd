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

    public static TheoryData<string> Consumers => new("knot", "bind");

    [PeersTheory, MemberData(nameof(Consumers))]
    public async Task Another_server_consumes_a_catalog_that_is_made_here(string server)
    {
        using PortLease port = PortLease.Take();
        WriteSettings(port.Port, ["a.test", "b.test"], notify: null);
        _dnsd = DnsdProcess.Start(_folder, ["run", "--config", "dnsd.json"]);
        await _dnsd.WaitUntilLoadedAsync();
        // It serves the members only where it knows them by the catalog.
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

    private static async Task AwaitAsync(PeerServer peer, string zone, bool isServed)
    {
        byte[] query = QueryMessage.For($"{zone} SOA").ToOctets();
        using CancellationTokenSource limit = new(Patience);
        using PeriodicTimer turns = new(TimeSpan.FromMilliseconds(50));
        while ((peer.Ask(query) is { Length: > 3 } answer && (answer[3] & 15) == 0) != isServed)
            await turns.WaitForNextTickAsync(limit.Token);
    }

    private void WriteSettings(int port, string[] zones, int? notify)
    {
        foreach (string zone in zones)
            File.WriteAllText(Path.Combine(_folder, zone + ".zone"), "$TTL 300\n@ SOA ns hostmaster 1 3600 600 86400 60\n@ NS ns\nns A 192.0.2.1\n");
        string entries = string.Concat(zones.Select(zone =>
            $$"""{ "Name": "{{zone}}", "File": "{{zone}}.zone", "MemberOf": "catalog.test", "Group": "g1" }, """));
        string aside = Path.Combine(_folder, "dnsd.json.new");
        File.WriteAllText(aside, $$"""
            { "Dns": { "Listen": ["127.0.0.1:{{port}}"], "AllowTransfer": [ "127.0.0.1" ],
                "Notify": [ {{(notify is null ? "" : $"\"127.0.0.1:{notify}\"")}} ],
                "Zones": [ {{entries}} { "Name": "catalog.test", "Catalog": "producer" } ] } }
            """);
        File.Move(aside, Path.Combine(_folder, "dnsd.json"), overwrite: true);
    }
}
