namespace Dns.Bench;

/// <summary>
/// The command <c>peers</c>: processor time of an answered query, ours and others, each between two runs of a baseline.
/// </summary>
internal static class PeersCommand
{
    private const double UpstreamSeconds = 120;

    internal static BenchCommand Command { get; } = new(
        "peers", "processor time, rate and latency beside other servers, as ratios to a neighbour in the same run",
        new OptionSet(
            ("servers", "dnsd,knotd,nsd,named,unbound,pdns,coredns", "servers that take part where they are installed"),
            ("paths", "", "NAME=FILE,… for servers that you have built yourself"),
            ("neighbour", "", "what runs before and after each; echo, for TCP knotd"),
            ("names", "100000", "names of the zone"),
            ("zone", "",
                "NAME=FILE: a zone of your own, such as the root; mixes positive, referral, nxdomain, mixed; " +
                    "--signed: DO=1"),
            ("mixes", "positive,mixed,nxdomain,skewed", string.Join(", ", QueryMix.Names)),
            ("clients", "1,16,64", "numbers of client sockets"),
            ("in-flight", "256", "queries on their way over all clients; at most 200 for one client"),
            ("rounds", "5", "triples for each server, mix and number of clients"),
            ("leg", "0.7", "seconds of each part of a triple"),
            ("warm-up", "8", "seconds of load on each server before the first triple; later mixes get one"),
            ("tries", "3", "how often a triple is repeated that does not count"),
            ("drift", "15", "per cent by which the two runs of the neighbour may differ"),
            ("foreign", "15", "per cent of a processor that others may take"),
            ("queries", "100000", "different queries of a mix"),
            ("edns", OptionSet.Switch, "with an OPT record"),
            ("cookies", OptionSet.Switch, "with an OPT record that has a client cookie"),
            ("signed", OptionSet.Switch,
                "the zone is signed and the queries have DO; needs dnssec-keygen and dnssec-signzone"),
            ("nsec3", OptionSet.Switch, "the signed zone has NSEC3 records and not NSEC"),
            ("recursion", OptionSet.Switch,
                "queries have RD; for the servers named …-forward, which ask a dnsd of their own"),
            ("ttl", "3600", "TTL of the zone in seconds; 0 = no forwarder keeps anything, every query is a miss"),
            ("segments", OptionSet.Switch,
                "queries sorted by length and sent many at a time: as hard as one processor can ask"),
            ("tcp", OptionSet.Switch, "over TCP"),
            ("connection-queries", "100", "queries of a TCP connection"),
            ("rate", "0", "queries a second instead of as many as come back"),
            ("server-cpus", "0", "processors of the servers, a list for taskset"),
            ("threads", "1", "threads of each server that answer"),
            ("client-cpu", "1", "processor of the generator"),
            ("instructions", OptionSet.Switch, "also count user instructions of a query with perf"),
            ("out", "", "folder for peers.md and peers.svg, such as docs/explanation/performance"),
            ("name", "peers", "name of these files")),
        Run);

    private static Task<int> Run(OptionValues options)
    {
        string neighbour =
            options.Has("neighbour") ? options["neighbour"] : options.Has("tcp") ? "knotd" : PeerTable.Echo;
        List<(Peer Peer, string Path)> peers = PeerPaths.Installed(options);
        if (peers.All(one => one.Peer.Name != neighbour))
        {
            Peer peer = PeerTable.Find(neighbour);
            peers.Insert(0, (peer, peer.Find(PeerPaths.Parse(options.List("paths")))
                ?? throw new UsageException($"the neighbour {neighbour} is not here")));
        }
        using TemporaryFolder folder = new();
        (string apex, string zone) = PrepareZone(options, folder);
        List<RunningPeer> running = [];
        ServerProcess? upstream = null;
        try
        {
            if (peers.Any(one => one.Peer.IsForwarder)) upstream = StartUpstream(options, folder, apex, zone);
            foreach ((Peer peer, string path) in peers)
            {
                PeerSetup setup = new(
                    folder.File(peer.Name), PeerPaths.FreePort(), options["server-cpus"], options.Int("threads"),
                    [(apex, zone)], upstream?.EndPoint.Port ?? 0);
                if (TryStart(peer, path, setup) is { } started) running.Add(started);
                else if (peer.Name == neighbour) return Task.FromResult(1);
            }
            ZoneQuestions? own = options.Has("zone") ? new ZoneQuestions(apex, zone) : null;
            PeerComparison comparison = new(options, own, running, running.First(one => one.Name == neighbour));
            PeerReport.Write(comparison.Run(), running, options, neighbour);
        }
        finally
        {
            foreach (RunningPeer one in running) one.Dispose();
            upstream?.Dispose();
        }
        return Task.FromResult(0);
    }

    /// <summary>
    /// The upstream of the forwarders: our server, on the generator's processor, whose time is not measured.
    /// </summary>
    private static ServerProcess StartUpstream(OptionValues options, TemporaryFolder folder, string apex, string zone)
    {
        Peer peer = PeerTable.Find("dnsd");
        PeerSetup setup = new(folder.File("upstream"), PeerPaths.FreePort(), options["client-cpu"], 1, [(apex, zone)]);
        ServerProcess upstream = new(peer, PeerTable.OwnProgram(peer.Name), setup);
        upstream.WaitReady([apex], UpstreamSeconds);
        return upstream;
    }

    private static RunningPeer? TryStart(Peer peer, string path, PeerSetup setup)
    {
        try
        {
            return RunningPeer.Start(peer, path, setup);
        }
        catch (TimeoutException error)
        {
            Console.Error.WriteLine($"left out: {error.Message}");
            return null;
        }
    }

    private static (string Apex, string File) PrepareZone(OptionValues options, TemporaryFolder folder)
    {
        if (options.Has("zone"))
            return options["zone"].Split('=', 2) is [var apex, var file] && File.Exists(file)
                ? (apex, Path.GetFullPath(file))
                : throw new UsageException($"--zone {options["zone"]}: expected NAME=FILE with a file that exists");
        string zone = folder.File("bench.test.zone");
        ZoneText.Write(zone, Math.Max(100, options.Int("names")), options.Int("ttl"));
        return (ZoneText.Apex, options.Has("signed") ? ZoneSigning.Sign(zone, folder, options.Has("nsec3")) : zone);
    }
}
