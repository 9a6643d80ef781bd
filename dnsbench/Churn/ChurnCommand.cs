namespace Dns.Bench;

/// <summary>
/// The command <c>churn</c>: memory and lost answers of the whole program while its zones change, its cache turns over
/// and random names are queried: a day compressed into minutes.
/// </summary>
internal static class ChurnCommand
{
    private const double MaxWait = 60;

    internal static BenchCommand Command { get; } = new(
        "churn", "memory and lost answers while zones are reloaded, the cache turns over and random names are asked",
        new OptionSet(
            ("hours", "24", "how many of them"),
            ("seconds", "8", "that stand for an hour"),
            ("reloads", "5", "of the large zone in an hour"),
            ("names", "100000", "names of the large zone"),
            ("zones", "1000", "small zones; all change once an hour, some come and go"),
            ("rate", "50000", "queries a second to zones: a quarter names that do not exist"),
            ("forward-rate", "2000", "queries a second that the cache or an upstream answers"),
            ("cache", "4000000", "bytes of the cache: many times less than what is asked"),
            ("drift", "5", "per cent by which memory may differ between the hours of the last half"),
            ("server-cpus", "", "processors of the server; all if empty"),
            ("out", "", "also write the Markdown to this file")),
        Run);

    private static Task<int> Run(OptionValues options)
    {
        using TemporaryFolder folder = TemporaryFolder.InMemory();
        ChurningZones zones = new(folder, options.Int("names"));
        zones.WriteLarge(1);
        zones.WriteSmall(options.Int("zones"), 1);
        File.WriteAllText(
            folder.File("far.zone"),
            "$TTL 3600\n@ SOA ns h 1 2 3 4 5\n@ NS ns\nns A 192.0.2.1\n* A 192.0.2.2\n* TXT \"far\"\n");
        Peer own = PeerTable.Find("dnsd");
        string program = PeerTable.OwnProgram(own.Name);
        using ServerProcess upstream = new(own, program, new PeerSetup(
            folder.File("upstream"), PeerPaths.FreePort(), "", 1, [("far.test", folder.File("far.zone"))]));
        upstream.WaitReady(["far.test"], MaxWait);
        Peer subject = own with { Configure = (path, setup) => Configure(path, setup, zones, options.Int("cache")) };
        using ServerProcess server = new(subject, program, new PeerSetup(
            folder.File("server"), PeerPaths.FreePort(), options["server-cpus"], 1, [], upstream.EndPoint.Port));
        server.WaitReady([ChurningZones.Apex, ChurningZones.NameOf(Math.Max(0, options.Int("zones") - 1))], MaxWait);
        return Task.FromResult(new ChurnDay(options, zones, server).Run() ? 0 : 1);
    }

    private static PeerCommand Configure(string path, PeerSetup setup, ChurningZones zones, int cacheBytes) =>
        PeerTable.Dotnet(
        path, "run", "--config", setup.Write("dnsd.json", $$"""
            { "Dns": { "Listen": [ "127.0.0.1:{{setup.Port}}" ], "Workers": {{setup.Threads}},
                "Zones": [ { "Name": "{{ChurningZones.Apex}}", "File": "{{zones.Large}}" },
                           { "Directory": "{{zones.Small}}", "Pattern": "*.zone" } ],
                "Forward": [ { "Zone": "far.test", "Upstreams": [ "127.0.0.1:{{setup.UpstreamPort}}" ] } ],
                "Cache": { "MaxBytes": {{cacheBytes}} },
                "Recursion": { "AllowFrom": [ "127.0.0.0/8" ], "MaxInFlightPerClient": 20000 } },
              "Serilog": { "MinimumLevel": "Warning" } }
            """));
}
