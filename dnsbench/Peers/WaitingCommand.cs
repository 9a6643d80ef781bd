using System.Globalization;
using System.Net;
using System.Net.Sockets;

namespace Dns.Bench;

/// <summary>
/// The command <c>waiting</c>: what a client with a cached answer notices while others wait for an upstream that is dead.
/// </summary>
internal static class WaitingCommand
{
    private const double ReadySeconds = 120;
    private const string DeadZone = "dead.test";

    internal static Verb Verb { get; } = new(
        "waiting", "latency of cached answers while misses wait for a dead upstream",
        new OptionSet(
            ("hits", "20000", "cached questions a second"),
            ("misses", "10000", "questions a second that nobody will answer"),
            ("seconds", "8", "of each part"),
            ("rounds", "5", "pairs of parts: without the misses, with them"),
            ("names", "10000", "names that are cached"),
            ("server-cpus", "0", "processors of the server"),
            ("client-cpu", "1", "processor of the generators and of the upstream that lives")),
        Run);

    private static Task<int> Run(OptionValues options)
    {
        using TemporaryFolder folder = new();
        string zone = folder.File("bench.test.zone");
        ZoneText.Write(zone, Math.Max(100, options.Int("names")));
        using Socket dead = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        dead.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        Peer own = PeerTable.Find("dnsd");
        string program = PeerTable.OwnProgram(own.Name);
        (string, string)[] zones = [(ZoneText.Apex, zone)];
        using ServerProcess upstream = new(
            own, program, new PeerSetup(folder.File("upstream"), PeerPaths.FreePort(), options["client-cpu"], 1, zones));
        upstream.WaitReady([ZoneText.Apex], ReadySeconds);
        Peer forwarder = own with { Configure = (path, setup) => Forwarder(path, setup, ((IPEndPoint)dead.LocalEndPoint!).Port) };
        using ServerProcess server = new(forwarder, program, new PeerSetup(
            folder.File("forwarder"), PeerPaths.FreePort(), options["server-cpus"], 1, [], upstream.EndPoint.Port));
        server.WaitReady([ZoneText.Apex], ReadySeconds);
        Compare(options, server.EndPoint);
        return Task.FromResult(0);
    }

    private static void Compare(OptionValues options, IPEndPoint server)
    {
        LoadPlan hits = new()
        {
            Server = server,
            Queries = new QuerySet(
                QueryMix.Draw("positive", options.Int("names"), options.Int("names")), edns: false, dnssecOk: false, recursion: true),
            Rate = options.Number("hits"), Seconds = options.Number("seconds"), Processor = options.Int("client-cpu"),
        };
        LoadPlan misses = hits with { Queries = Misses(options), Rate = options.Number("misses") };
        // Twice through the names: the first time they are asked for, the second time the code is warm.
        Load.Run(hits);
        Load.Run(hits);
        Console.WriteLine("| round | hits alone, p50 and p99 µs | beside the misses | p99 ratio | hits lost |");
        Console.WriteLine("| ---: | ---: | ---: | ---: | ---: |");
        List<double> ratios = [];
        for (int round = 1; round <= options.Int("rounds"); round++)
        {
            LoadResult alone = Load.Run(hits);
            Task<LoadResult> waiting = Task.Factory.StartNew(() => Load.Run(misses), TaskCreationOptions.LongRunning);
            LoadResult beside = Load.Run(hits);
            waiting.Wait();
            ratios.Add(beside.Microseconds(0.99) / alone.Microseconds(0.99));
            Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
                $"| {round} | {alone.Microseconds(0.5):F0}, {alone.Microseconds(0.99):F0} "
                + $"| {beside.Microseconds(0.5):F0}, {beside.Microseconds(0.99):F0} | {ratios[^1]:F2} | {beside.Lost} |"));
        }
        ratios.Sort();
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"\nmedian ratio of p99: {ratios[ratios.Count / 2]:F2}"));
    }

    /// <summary>Names that are asked once each.</summary>
    private static QuerySet Misses(OptionValues options)
    {
        int count = (int)(options.Number("misses") * options.Number("seconds") * (options.Int("rounds") + 1));
        Question[] questions = [.. Enumerable.Range(0, count).Select(i =>
            new Question($"m{i}.{DeadZone}.", Protocol.RRType.A, Expectation.Any))];
        return new QuerySet(questions, edns: false, dnssecOk: false, recursion: true);
    }

    private static PeerCommand Forwarder(string path, PeerSetup setup, int deadPort) => PeerTable.Dotnet(
        path, "run", "--config", setup.Write("dnsd.json", $$"""
            { "Dns": { "Listen": [ "127.0.0.1:{{setup.Port}}" ], "Workers": {{setup.Threads}},
                "Forward": [ { "Zone": ".", "Upstreams": [ "127.0.0.1:{{setup.UpstreamPort}}" ] },
                             { "Zone": "{{DeadZone}}", "Upstreams": [ "127.0.0.1:{{deadPort}}" ] } ],
                "Recursion": { "AllowFrom": [ "127.0.0.0/8" ], "LocalNames": false,
                               "MaxInFlight": 100000, "MaxInFlightPerClient": 100000 } },
              "Serilog": { "MinimumLevel": "Warning" } }
            """));
}
