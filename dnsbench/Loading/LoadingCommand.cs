namespace Dns.Bench;

/// <summary>
/// The command <c>loading</c>: seconds from start to first answer, and memory, ours beside others.
/// </summary>
internal static class LoadingCommand
{
    internal static BenchCommand Command { get; } = new(
        "loading", "seconds from start to first answer, and memory, of ours and of other servers, with their ratios",
        new OptionSet(
            ("servers", "dnsd,knotd,nsd,named", "servers that take part where they are installed; the first is ours"),
            ("paths", "", "NAME=FILE,… for servers that you have built yourself"),
            ("cases", "1m",
                "one zone of 1m or 10m records (and 5), 1m-random: its names shuffled; many: 100,000 zones of 8; " +
                    "examples"),
            ("scale", "1", "divides the sizes, to try it out"),
            ("rounds", "3", "starts of each server; the median is reported with the range"),
            ("limit", "300", "seconds after which a start has failed"),
            ("server-cpus", "", "processors of the servers, a list for taskset"),
            ("threads", "1", "threads of each server"),
            ("folder", "", "where to make the temporary folder; the 10m case takes 0.4 GB there"),
            ("out", "", "also write the Markdown to this file")),
        Run);

    private static Task<int> Run(OptionValues options)
    {
        if (options.Has("folder")) Environment.SetEnvironmentVariable("TMPDIR", Path.GetFullPath(options["folder"]));
        List<(Peer Peer, string Path)> peers = PeerPaths.Installed(options);
        Report report = new(options["out"]);
        report.Line($"# Start to first answer, and memory\n\n{PeerReport.Machine()}");
        foreach (string name in options.List("cases")) Compare(name, peers, options, report);
        return Task.FromResult(0);
    }

    private static void Compare(string name, List<(Peer Peer, string Path)> peers, OptionValues options, Report report)
    {
        using TemporaryFolder folder = new(), state = TemporaryFolder.InMemory();
        LoadingCase one = LoadingCase.Prepare(name, Math.Max(1, options.Int("scale")), folder);
        Dictionary<string, (Spread Seconds, Spread Bytes, string? Failure)> figures =
            peers.ToDictionary(peer => peer.Peer.Name, _ => (new Spread(), new Spread(), (string?)null));
        for (int round = 0; round < options.Int("rounds"); round++)
            foreach ((Peer peer, string path) in peers)
            {
                if (figures[peer.Name].Failure is not null) continue;
                if (one.Zones.Count > 1 && peer.Name.StartsWith("listener", StringComparison.Ordinal)) continue;
                string own = state.File($"{peer.Name}-{round}");
                PeerSetup setup =
                    new(own, PeerPaths.FreePort(), options["server-cpus"], options.Int("threads"), one.Zones);
                figures[peer.Name] = Start(peer, path, setup, one, options.Number("limit"), figures[peer.Name]);
                TemporaryFolder.Delete(own);
            }
        Print(one, peers, figures, report);
    }

    private static (Spread Seconds, Spread Bytes, string? Failure) Start(
        Peer peer, string path, PeerSetup setup, LoadingCase one, double limit,
        (Spread Seconds, Spread Bytes, string?) figures)
    {
        using ServerProcess process = new(peer, path, setup);
        try
        {
            double seconds = process.WaitReady(one.Asked, limit);
            figures.Seconds.Add(seconds);
            figures.Bytes.Add(ProcessTree.PssBytes(process.Members));
            Console.Error.WriteLine($"{one.Name}: {peer.Name} {seconds:F2} s");
            return figures;
        }
        catch (TimeoutException error)
        {
            Console.Error.WriteLine(error.Message);
            return (figures.Seconds, figures.Bytes, error.Message);
        }
    }

    private static void Print(
        LoadingCase one, List<(Peer Peer, string Path)> peers,
        Dictionary<string, (Spread Seconds, Spread Bytes, string? Failure)> figures, Report report)
    {
        (Spread Seconds, Spread Bytes, string?) ours = figures[peers[0].Peer.Name];
        report.Line($"\n## {one.Title}\n");
        string name = peers[0].Peer.Name;
        report.Line(
            $"| server | s (range) | {name}'s time by it | PSS MB | bytes/record | {name}'s memory by it | version |");
        report.Line("| --- | ---: | ---: | ---: | ---: | ---: | --- |");
        foreach ((Peer peer, string path) in peers)
        {
            (Spread seconds, Spread bytes, string? failure) = figures[peer.Name];
            report.Line(failure is not null
                ? $"| {peer.Name} | failed: {OneLine(failure)} | | | | | {peer.Version(path)} |"
                : $"| {peer.Name} | {seconds.ToString(2)} | {ours.Seconds.Middle / seconds.Middle:F2} | " +
                    $"{bytes.Middle / 1e6:F0} " +
                $"| {bytes.Middle / one.Records:F0} | {ours.Bytes.Middle / bytes.Middle:F2} | {peer.Version(path)} |");
        }
    }

    private static string OneLine(string text) =>
        string.Join(' ', text.Split((char[])['\r', '\n', '|'], StringSplitOptions.RemoveEmptyEntries));
}
