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
                "one zone of 1m or 10m records (and 5), 1m-random: its names shuffled; signed, signed-1m: 100,000 " +
                    "and a million signed names; many: 100,000 zones of 8; examples"),
            ("share", OptionSet.Switch,
                "also start each server with a zone of 5 records, and report what the zone takes beyond that"),
            ("scale", "1", "divides the sizes, to try it out"),
            ("rounds", "3", "starts of each server; the median is reported with the range"),
            ("settle", "0", "seconds from the first answer until memory is measured"),
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
        using TemporaryFolder folder = new(), bareFolder = new(), state = TemporaryFolder.InMemory();
        LoadingCase one = LoadingCase.Prepare(name, Math.Max(1, options.Int("scale")), folder);
        LoadingCase? bare = options.Has("share") ? LoadingCase.Bare(bareFolder) : null;
        List<LoadingFigures> figures = [.. peers.Select(peer => new LoadingFigures(peer.Peer, peer.Path))];
        for (int round = 0; round < options.Int("rounds"); round++)
            foreach (LoadingFigures server in figures)
            {
                if (server.Failure is not null) continue;
                if (one.Zones.Count > 1 && server.Name.StartsWith("listener", StringComparison.Ordinal)) continue;
                Start(server, one, server.Whole, options, state.File($"{server.Name}-{round}"));
                if (bare is not null) Start(server, bare, server.Bare, options, state.File($"{server.Name}-{round}"));
            }
        Print(one, figures, bare is not null, report);
    }

    private static void Start(
        LoadingFigures server, LoadingCase one, StartFigures figures, OptionValues options, string folder)
    {
        PeerSetup setup =
            new(folder, PeerPaths.FreePort(), options["server-cpus"], options.Int("threads"), one.Zones);
        using (ServerProcess process = new(server.Peer, server.Path, setup))
        {
            try
            {
                double seconds = process.WaitReady(one.Asked, options.Number("limit"));
                figures.Seconds.Add(seconds);
                // A server at rest has given back what only the start needed, and has read the rest of its program.
                Thread.Sleep(TimeSpan.FromSeconds(options.Number("settle")));
                figures.Bytes.Add(ProcessTree.PssBytes(process.Members));
                figures.DataBytes.Add(ProcessTree.AnonymousBytes(process.Members));
                Console.Error.WriteLine($"{one.Name}: {server.Name} {seconds:F2} s");
            }
            catch (TimeoutException error)
            {
                Console.Error.WriteLine(error.Message);
                server.Failure = error.Message;
            }
        }
        TemporaryFolder.Delete(folder);
    }

    private static void Print(LoadingCase one, List<LoadingFigures> figures, bool hasShare, Report report)
    {
        LoadingFigures ours = figures[0];
        string names = "", rule = "", empty = "";
        if (hasShare)
        {
            names = " the zone's s | by it | the zone's MB | by it |";
            rule = " ---: | ---: | ---: | ---: |";
            empty = " | | | |";
        }
        report.Line($"\n## {one.Title}\n");
        report.Line($"| server | s (range) | {ours.Name}'s time by it | PSS MB | bytes/record " +
            $"| {ours.Name}'s memory by it |{names} version |");
        report.Line($"| --- | ---: | ---: | ---: | ---: | ---: |{rule} --- |");
        foreach (LoadingFigures server in figures)
        {
            string version = server.Peer.Version(server.Path);
            if (server.Failure is { } failure)
            {
                report.Line($"| {server.Name} | failed: {OneLine(failure)} | | | | |{empty} {version} |");
                continue;
            }
            (Spread seconds, Spread bytes) = (server.Whole.Seconds, server.Whole.Bytes);
            string share = !hasShare ? ""
                : $" {server.ZoneSeconds:F2} | {ours.ZoneSeconds / server.ZoneSeconds:F2} " +
                    $"| {server.ZoneBytes / 1e6:F0} | {ours.ZoneBytes / server.ZoneBytes:F2} |";
            report.Line($"| {server.Name} | {seconds.ToString(2)} | {ours.Whole.Seconds.Middle / seconds.Middle:F2} " +
                $"| {bytes.Middle / 1e6:F0} | {bytes.Middle / one.Records:F0} " +
                $"| {ours.Whole.Bytes.Middle / bytes.Middle:F2} |{share} {version} |");
        }
    }

    private static string OneLine(string text) =>
        string.Join(' ', text.Split((char[])['\r', '\n', '|'], StringSplitOptions.RemoveEmptyEntries));
}
