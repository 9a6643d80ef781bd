namespace Dns.Bench;

/// <summary>
/// The command <c>transfer</c>: a zone like that of a top-level domain, transferred out of our server and of others.
/// </summary>
internal static class TransferCommand
{
    internal static Verb Verb { get; } = new(
        "transfer", "wall and processor time, octets and messages of a whole zone transferred out, ours beside others",
        new OptionSet(
            ("servers", "dnsd,knotd,nsd,named", "servers that take part where they are installed; the first is ours"),
            ("paths", "", "NAME=FILE,… for servers that you have built yourself"),
            ("delegations", "1000000", "delegations of the zone"),
            ("rounds", "5", "transfers of each server, in turn; the median is reported with the range"),
            ("warm-up", "2", "transfers of each server before the first that counts"),
            ("limit", "300", "seconds after which a start has failed"),
            ("server-cpus", "0", "processors of the servers, a list for taskset"),
            ("threads", "1", "threads of each server"),
            ("folder", "", "where to make the temporary folder"),
            ("out", "", "also write the Markdown to this file")),
        Run);

    private static Task<int> Run(OptionValues options)
    {
        if (options.Has("folder")) Environment.SetEnvironmentVariable("TMPDIR", Path.GetFullPath(options["folder"]));
        List<(Peer Peer, string Path)> peers = PeerPaths.Installed(options);
        Report report = new(options["out"]);
        using TemporaryFolder folder = new(), state = TemporaryFolder.InMemory();
        string file = folder.File("tld.zone");
        long records = TldText.Write(file, options.Int("delegations"));
        List<(RunningTransfers Server, string Version)> running = [];
        try
        {
            foreach ((Peer peer, string path) in peers)
            {
                PeerSetup setup = new(
                    state.File(peer.Name), PeerPaths.FreePort(), options["server-cpus"], options.Int("threads"), [(TldText.Apex, file)])
                {
                    GivesZones = true,
                };
                running.Add((RunningTransfers.Start(peer, path, setup, options.Number("limit")), peer.Version(path)));
            }
            for (int round = -options.Int("warm-up"); round < options.Int("rounds"); round++)
                foreach ((RunningTransfers server, _) in running) server.Transfer(records + 1, isCounted: round >= 0);
            Print(running, records, report);
        }
        finally
        {
            foreach ((RunningTransfers server, _) in running) server.Dispose();
        }
        return Task.FromResult(0);
    }

    private static void Print(List<(RunningTransfers Server, string Version)> running, long records, Report report)
    {
        RunningTransfers ours = running[0].Server;
        report.Line($"# A zone of {records:N0} records transferred out\n\n{PeerReport.Machine()}\n");
        report.Line(
            $"| server | wall s (range) | {ours.Name}'s by it | CPU s (range) | {ours.Name}'s by it | octets | messages | version |");
        report.Line("| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |");
        foreach ((RunningTransfers server, string version) in running)
            report.Line(
                $"| {server.Name} | {server.Wall.ToString(3)} | {ours.Wall.Middle / server.Wall.Middle:F2} | {server.Cpu.ToString(3)} " +
                $"| {ours.Cpu.Middle / server.Cpu.Middle:F2} | {server.Octets:N0} | {server.Messages:N0} | {version} |");
    }
}
