using System.Diagnostics;
using System.Net;

namespace Dns.Bench;

/// <summary>
/// Changes of a large zone from one of our servers to another by NOTIFY and IXFR: rate, lag, and the processor time of
/// both.
/// </summary>
internal static class IncrementalTransfers
{
    private const int Connections = 32;
    private const double MaxWait = 120;

    /// <summary>Measures, and prints.</summary>
    internal static void Measure(OptionValues options, Report report)
    {
        int names = Math.Max(100, options.Int("names"));
        using TemporaryFolder folder = new();
        ChurningZones zones = new(folder, names);
        zones.WriteLarge(serial: 1);
        int primaryPort = PeerPaths.FreePort(), secondaryPort = PeerPaths.FreePort();
        Peer own = PeerTable.Find("dnsd");
        string path = PeerTable.OwnProgram(own.Name);
        using ServerProcess primary = new(
            own with { Configure = (program, setup) => Primary(program, setup, zones, secondaryPort) }, path,
            new PeerSetup(folder.File("primary"), primaryPort, options["primary-cpus"], 1, []));
        primary.WaitReady([ChurningZones.Apex], MaxWait);
        using ServerProcess secondary = new(
            SecondaryTable.Of(own, primaryPort), path,
            new PeerSetup(
                folder.File("secondary"), secondaryPort, options["server-cpus"], options.Int("threads"),
                [(ChurningZones.Apex, "")]));
        secondary.WaitReady([ChurningZones.Apex], MaxWait);
        Warm(primary.EndPoint, secondary.EndPoint, names);
        Follow(options, report, primary, secondary, names);
    }

    /// <summary>Changes that are not measured: code is compiled, the first NOTIFY is answered.</summary>
    private static void Warm(IPEndPoint primary, IPEndPoint secondary, int names)
    {
        ChangeStream warm = new(primary, names, 1);
        warm.Run(rate: 200, seconds: 2);
        int serial = (int)ChurningZones.AskSerial(primary, ChurningZones.Apex);
        ChurningZones.WaitFor(secondary, ChurningZones.Apex, serial, Stopwatch.GetTimestamp(), MaxWait);
    }

    private static void Follow(OptionValues options, Report report, ServerProcess primary,
        ServerProcess secondary, int names)
    {
        int rate = options.Int("rate");
        double seconds = Math.Max(1, options.Int("seconds"));
        int from = (int)ChurningZones.AskSerial(primary.EndPoint, ChurningZones.Apex), seen = 0, versions = 0,
            arrived = 0;
        ChangeStream changes = new(primary.EndPoint, names, Connections);
        Exception? failure = null;
        Thread sender = new(() => failure = Record(() => changes.Run(rate, seconds)));
        LatencyHistogram late = new();
        (long primaryBefore, long secondaryBefore) = (Cpu(primary), Cpu(secondary));
        long began = Stopwatch.GetTimestamp();
        sender.Start();
        while (sender.IsAlive || seen < changes.Acknowledged)
        {
            if (Stopwatch.GetElapsedTime(began).TotalSeconds > seconds + MaxWait)
                throw new TimeoutException($"change {changes.Acknowledged} did not arrive, {seen} is the last one");
            int now = (int)ChurningZones.AskSerial(secondary.EndPoint, ChurningZones.Apex) - from;
            long moment = Stopwatch.GetTimestamp();
            if (now > seen) versions++;
            while (seen < now)
                late.Add((long)Math.Max(0, Stopwatch.GetElapsedTime(changes.TimeOf(++seen), moment).TotalNanoseconds));
            if (Stopwatch.GetElapsedTime(began).TotalSeconds < seconds) arrived = seen;
            // The resolution of the lag; polling faster would load the secondary.
            Thread.Sleep(1);
        }
        sender.Join();
        if (failure is not null) throw failure;
        double cpu = (Cpu(primary) - primaryBefore) / 1e9, cpuSecondary = (Cpu(secondary) - secondaryBefore) / 1e9;
        RequireSame(primary, secondary);
        report.Line(
            $"# Changes of a zone of {names:N0} names, from one server to another by IXFR\n\n{PeerReport.Machine()}\n");
        report
            .Line($"By UPDATE over {Connections} connections, {2 * ChangeStream.Names} records each; late is from the "
            + "acknowledgement of the primary to an answer of the secondary.\n");
        report
            .Line("| asked for a second | changes | acknowledged a second | arrived a second | versions seen a second "
            +
            "| late ms p50 | p99 | longest | primary CPU µs a change | secondary CPU µs a change | primary PSS MB | " +
            "secondary PSS MB |");
        report.Line("| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
        report
            .Line(
                $"| {(rate == 0 ? "all" : rate)} | {seen:N0} | {changes.Acknowledged / seconds:N0} | " +
                    $"{arrived / seconds:N0} "
            + $"| {versions / seconds:N0} | {late.Percentile(0.5) / 1e6:F1} | {late.Percentile(0.99) / 1e6:F1} "
            + $"| {late.Percentile(1) / 1e6:F1} | {cpu * 1e6 / seen:F0} | {cpuSecondary * 1e6 / seen:F0} "
            +
            $"| {ProcessTree.PssBytes(primary.Members) / 1e6:F0} | " +
            $"{ProcessTree.PssBytes(secondary.Members) / 1e6:F0} |");
    }

    /// <summary>Checks that both send the same number of records and octets, in the same order.</summary>
    private static void RequireSame(ServerProcess primary, ServerProcess secondary)
    {
        TransferSink one = TransferSink.Run(primary.EndPoint, ChurningZones.Apex);
        TransferSink other = TransferSink.Run(secondary.EndPoint, ChurningZones.Apex);
        if ((one.Records, one.Octets) != (other.Records, other.Octets))
            throw new InvalidDataException($"the primary has {one.Records} records, the secondary {other.Records}");
    }

    private static Exception? Record(Action action)
    {
        try
        {
            action();
            return null;
        }
        catch (InvalidDataException error)
        {
            return error;
        }
    }

    private static long Cpu(ServerProcess server) => ProcessTree.CpuNanoseconds(server.Members);

    private static PeerCommand Primary(string path, PeerSetup setup, ChurningZones zones, int secondary) =>
        PeerTable.Dotnet(
        path, "run", "--config", setup.Write("dnsd.json", $$"""
            { "Dns": { "Listen": [ "127.0.0.1:{{setup.Port}}" ], "Workers": {{setup.Threads}},
                "StateDirectory": "{{Directory.CreateDirectory(Path.Combine(setup.Folder, "state")).FullName}}",
                "AllowUpdate": [ "127.0.0.1" ], "AllowTransfer": [ "127.0.0.1" ], "Notify": [ "127.0.0.1:{{secondary}}" ],
                "Zones": [ { "Name": "{{ChurningZones.Apex}}", "File": "{{zones.Large}}" } ], "Reload": { "Watch": false } },
              "Serilog": { "MinimumLevel": "Warning" } }
            """));
}
