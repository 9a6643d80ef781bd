namespace Dns.Bench;

/// <summary>
/// The command <c>transfer</c>: a zone like that of a top-level domain, transferred out of our server and of others, or
/// from ours into each of them; and changes that go from one of ours to another.
/// </summary>
internal static class TransferCommand
{
    internal static string[] Kinds { get; } = ["out", "in", "ixfr"];

    internal static OptionSet Options { get; } = new(
        ("kinds", "out",
            "what is measured, a list: out (AXFR out), in (AXFR in, from ours), ixfr (changes, from ours to ours)"),
        ("servers", "dnsd,knotd,nsd,named", "servers that take part where they are installed; the first is ours"),
        ("paths", "", "NAME=FILE,… for servers that you have built yourself"),
        ("delegations", "1000000",
            "delegations of the zone, 2.3 records each: 15217390 make 35 million records, 1.3 GB in the folder"),
        ("rounds", "5", "transfers of each server, in turn; the median is reported with the range"),
        ("warm-up", "2", "out: transfers of each server before the first that counts"),
        ("apart", OptionSet.Switch,
            "out: one server at a time, where memory does not hold all of them beside each other"),
        ("settle", "5", "in: seconds after the first answer when memory and processor time are read again"),
        ("names", "1000000", "ixfr: names of the zone"),
        ("rate", "1000", "ixfr: changes a second; 0: as many as it takes"),
        ("seconds", "10", "ixfr: for how long"),
        ("limit", "300", "seconds after which a start has failed"),
        ("server-cpus", "0", "processors of the servers that are compared, a list for taskset"),
        ("primary-cpus", "", "in, ixfr: processors of the primary; all if empty"),
        ("threads", "1", "threads of each server"),
        ("folder", "", "where to make the temporary folder"),
        ("out", "", "also write the Markdown to this file"));

    internal static BenchCommand Command { get; } = new(
        "transfer",
        "wall and processor time, octets and memory of whole zones transferred out and in, ours beside others; IXFR",
        Options, Run);

    private static Task<int> Run(OptionValues options)
    {
        string[] kinds = ReadKinds(options);
        if (options.Has("folder")) Environment.SetEnvironmentVariable("TMPDIR", Path.GetFullPath(options["folder"]));
        Report report = new(options["out"]);
        if (kinds.Contains("out") || kinds.Contains("in")) MeasureZone(options, kinds, report);
        if (kinds.Contains("ixfr")) IncrementalTransfers.Measure(options, report);
        return Task.FromResult(0);
    }

    /// <summary>The selected measurement.</summary>
    /// <exception cref="UsageException">It does not exist.</exception>
    internal static string[] ReadKinds(OptionValues options)
    {
        string[] kinds = options.List("kinds");
        return kinds.Length > 0 && kinds.All(Kinds.Contains)
            ? kinds : throw new UsageException(
                $"--kinds wants a list of {string.Join(", ", Kinds)}, not \"{options["kinds"]}\"");
    }

    private static void MeasureZone(OptionValues options, string[] kinds, Report report)
    {
        List<(Peer Peer, string Path)> peers = PeerPaths.Installed(options);
        if (peers.Count == 0) throw new UsageException("none of --servers is here");
        using TemporaryFolder folder = new(), state = TemporaryFolder.InMemory();
        string file = folder.File("tld.zone");
        long records = TldText.Write(file, options.Int("delegations"));
        if (kinds.Contains("out")) MeasureOut(options, peers, state, file, records, report);
        if (kinds.Contains("in")) MeasureIn(options, peers, state, file, records, report);
    }

    private static void MeasureOut(
        OptionValues options, List<(Peer Peer, string Path)> peers, TemporaryFolder state, string file, long records,
        Report report)
    {
        List<(RunningTransfers Server, string Version)> running = [], all = [];
        try
        {
            foreach ((Peer peer, string path) in peers)
            {
                PeerSetup setup = new(
                    state.File(peer.Name), PeerPaths.FreePort(), options["server-cpus"], options.Int("threads"),
                    [(TldText.Apex, file)])
                {
                    GivesZones = true,
                };
                running.Add((RunningTransfers.Start(peer, path, setup, options.Number("limit")), peer.Version(path)));
                all.Add(running[^1]);
                if (!options.Has("apart")) continue;
                TransferInTurns(options, running, records);
                running[0].Server.Dispose();
                running.Clear();
            }
            TransferInTurns(options, running, records);
            PrintOut(all, records, report);
        }
        finally
        {
            foreach ((RunningTransfers server, _) in running) server.Dispose();
        }
    }

    private static void TransferInTurns(OptionValues options, List<(RunningTransfers Server, string Version)> running,
        long records)
    {
        for (int round = -options.Int("warm-up"); round < options.Int("rounds"); round++)
            foreach ((RunningTransfers server, _) in running) server.Transfer(records + 1, isCounted: round >= 0);
    }

    private static void PrintOut(List<(RunningTransfers Server, string Version)> running, long records, Report report)
    {
        RunningTransfers ours = running[0].Server;
        report.Line($"# A zone of {records:N0} records transferred out\n\n{PeerReport.Machine()}\n");
        report.Line(
            $"| server | wall s (range) | {ours.Name}'s by it | CPU s (range) | {ours.Name}'s by it | octets | " +
                $"messages " +
            "| PSS MB | bytes/record | version |");
        report.Line("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |");
        foreach ((RunningTransfers server, string version) in running)
            report.Line(
                $"| {server.Name} | {server.Wall.ToString(3)} | {ours.Wall.Middle / server.Wall.Middle:F2} " +
                $"| {server.Cpu.ToString(3)} | {ours.Cpu.Middle / server.Cpu.Middle:F2} | {server.Octets:N0} | " +
                $"{server.Messages:N0} " +
                $"| {server.Bytes / 1e6:F0} | {(double)server.Bytes / records:F0} | {version} |");
    }

    private static void MeasureIn(
        OptionValues options, List<(Peer Peer, string Path)> peers, TemporaryFolder state, string file, long records,
        Report report)
    {
        List<IncomingTransfers> secondaries = [.. peers.Select(peer => new IncomingTransfers(peer.Peer, peer.Path))];
        Peer own = PeerTable.Find("dnsd");
        PeerSetup setup = new(state.File("primary"), PeerPaths.FreePort(), options["primary-cpus"], 1,
            [(TldText.Apex, file)])
        {
            GivesZones = true,
        };
        using RunningTransfers primary =
            RunningTransfers.Start(own, PeerTable.OwnProgram(own.Name), setup, options.Number("limit"));
        for (int round = 0; round < options.Int("warm-up"); round++) primary.Transfer(records + 1, isCounted: false);
        for (int round = 0; round < options.Int("rounds"); round++)
            foreach (IncomingTransfers secondary in secondaries)
            {
                string folder = state.File($"{secondary.Name}-in-{round}");
                PeerSetup one = new(
                    folder, PeerPaths.FreePort(), options["server-cpus"], options.Int("threads"), [(TldText.Apex, "")]);
                secondary.Run(one, primary.EndPoint, options.Number("limit"), options.Number("settle"),
                    round == 0 ? records + 1 : 0);
                TemporaryFolder.Delete(folder);
            }
        PrintIn(secondaries, records, options.Number("settle"), report);
    }

    private static void PrintIn(List<IncomingTransfers> secondaries, long records, double settle, Report report)
    {
        IncomingTransfers ours = secondaries[0];
        report.Line($"# A zone of {records:N0} records transferred in, from {ours.Name}\n\n{PeerReport.Machine()}\n");
        report
            .Line(
                "Wall time from the first octet to the first answer with data; processor time from the start of the " +
                    "process; "
            + "memory is PSS.\n");
        report.Line(
            $"| server | wall s (range) | {ours.Name}'s by it | from start s | CPU s (range) | {ours.Name}'s by it "
            +
            $"| CPU s after {settle} s | MB | bytes/record | MB after {settle} s | bytes/record | {ours.Name}'s by " +
            $"it | version |");
        report.Line("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |");
        foreach (IncomingTransfers one in secondaries)
            report.Line(
                $"| {one.Name} | {one.Wall.ToString(3)} | {ours.Wall.Middle / one.Wall.Middle:F2} | " +
                    $"{one.FromStart.Middle:F3} " +
                $"| {one.Cpu.ToString(3)} | {ours.Cpu.Middle / one.Cpu.Middle:F2} | {one.CpuAfter.Middle:F3} " +
                $"| {one.Bytes.Middle / 1e6:F0} | {one.Bytes.Middle / records:F0} | {one.BytesAfter.Middle / 1e6:F0} " +
                $"| {one.BytesAfter.Middle / records:F0} | {ours.BytesAfter.Middle / one.BytesAfter.Middle:F2} | " +
                $"{one.Version} |");
    }
}
