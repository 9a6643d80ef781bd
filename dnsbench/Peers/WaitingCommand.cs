using System.Globalization;
using System.Net;
using System.Net.Sockets;

namespace Dns.Bench;

/// <summary>
/// The command <c>waiting</c>: the latency of cached answers while other clients wait for a dead upstream.
/// </summary>
internal static class WaitingCommand
{
    private const double ReadySeconds = 120;
    private const string DeadZone = "dead.test";

    internal static BenchCommand Command { get; } = new(
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
            own, program,
            new PeerSetup(folder.File("upstream"), PeerPaths.FreePort(), options["client-cpu"], 1, zones));
        upstream.WaitReady([ZoneText.Apex], ReadySeconds);
        Peer forwarder =
            own with { Configure = (path, setup) => Forwarder(path, setup, ((IPEndPoint)dead.LocalEndPoint!).Port) };
        using ServerProcess server = new(forwarder, program, new PeerSetup(
            folder.File("forwarder"), PeerPaths.FreePort(), options["server-cpus"], 1, [], upstream.EndPoint.Port));
        server.WaitReady([ZoneText.Apex], ReadySeconds);
        Compare(options, server);
        return Task.FromResult(0);
    }

    private static void Compare(OptionValues options, ServerProcess server)
    {
        Question[] cached = QueryMix.Draw("positive", options.Int("names"), options.Int("names"));
        LoadPlan hits = new()
        {
            Server = server.EndPoint, Queries = Ask(cached), Rate = options.Number("hits"),
            Seconds = options.Number("seconds"), Sockets = 4, Processor = options.Int("client-cpu"),
        };
        // Twice through the names: the first pass fills the cache, the second runs compiled code.
        Load.Run(hits);
        Load.Run(hits);
        Console.WriteLine(
            "| round | hits alone, p50 and p99 µs | beside the misses | p99 ratio | hits lost | processor µs of a " +
                "hit | of a miss |");
        Console.WriteLine("| ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
        List<double> ratios = [];
        for (int round = 1; round <= options.Int("rounds"); round++)
        {
            QuerySet mixed = Ask(Mix(cached, options, round));
            long began = ProcessTree.CpuNanoseconds(server.Members);
            LoadResult alone = Load.Run(hits);
            long between = ProcessTree.CpuNanoseconds(server.Members);
            LoadResult beside =
                Load.Run(hits with { Queries = mixed, Rate = options.Number("hits") + options.Number("misses") });
            double ofHit = (between - began) / (1000.0 * alone.Sent);
            double ofMiss = ((ProcessTree.CpuNanoseconds(server.Members) - between) / 1000.0 - ofHit * beside.Answered)
                / (beside.Sent - beside.Answered);
            ratios.Add(beside.Microseconds(0.99) / alone.Microseconds(0.99));
            Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
                $"| {round} | {alone.Microseconds(0.5):F0}, {alone.Microseconds(0.99):F0} "
                + $"| {beside.Microseconds(0.5):F0}, {beside.Microseconds(0.99):F0} | {ratios[^1]:F2} | {beside.Lost} "
                + $"| {ofHit:F1} | {ofMiss:F1} |"));
        }
        ratios.Sort();
        Console.WriteLine(
            string.Create(CultureInfo.InvariantCulture, $"\nmedian ratio of p99: {ratios[ratios.Count / 2]:F2}"));
    }

    private static QuerySet Ask(IReadOnlyCollection<Question> questions) =>
        new(questions, edns: false, dnssecOk: false, recursion: true);

    /// <summary>
    /// Queries with cached answers, and new ones between them. One generator sends both: two on one processor would
    /// wait for each other, which would be measured.
    /// </summary>
    private static List<Question> Mix(Question[] cached, OptionValues options, int round)
    {
        double missesPerHit = options.Number("misses") / options.Number("hits");
        int hits = (int)(options.Number("hits") * options.Number("seconds")), misses = 0;
        List<Question> questions = [];
        for (int i = 0; i < hits; i++)
        {
            questions.Add(cached[i % cached.Length]);
            for (; misses < i * missesPerHit; misses++)
                questions.Add(new Question($"m{misses}.r{round}.{DeadZone}.", RRType.A, Expectation.Unheeded));
        }
        return questions;
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
