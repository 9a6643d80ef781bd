using System.Diagnostics;
using System.Globalization;

namespace Dns.Bench;

/// <summary>
/// The command <c>reload</c>: milliseconds until the whole program answers from the one zone of many that has changed.
/// </summary>
internal static class ReloadCommand
{
    private const double MaxWait = 120;
    private const int HangUp = 1;

    /// <summary>Waited before memory is read: the server returns memory a second after the last change.</summary>
    // The server gives memory back some time after the last change, and nothing reports it.
    private const int SettleMs = 4000;

    private const int Seed = 1996;

    internal static BenchCommand Command { get; } = new(
        "reload",
        "milliseconds from a changed file of one zone among many to its answer; memory after all are read again",
        new OptionSet(
            ("zones", "1000", "zones of 8 records"),
            ("changes", "50", "changes of one zone, drawn at random"),
            ("server-cpus", "", "processors of the server; all if empty")),
        Run);

    private static Task<int> Run(OptionValues options)
    {
        Console.WriteLine(
            "| one of so many zones changes | median ms | 90 per cent below | longest |\n| --- | ---: | ---: | ---: |");
        Measure(options, "its file is moved into place and seen by the watch", isWatched: true);
        Measure(options, "SIGHUP has settings and all files looked at", isWatched: false);
        MeasureMemory(options);
        return Task.FromResult(0);
    }

    private static void Measure(OptionValues options, string title, bool isWatched)
    {
        int count = Math.Max(1, options.Int("zones")), changes = Math.Max(1, options.Int("changes"));
        using TemporaryFolder folder = TemporaryFolder.InMemory();
        ChurningZones zones = new(folder, names: 0);
        using ServerProcess server = Start(options, folder, zones, count, isWatched);
        Random random = new(Seed);
        double[] milliseconds = [.. Enumerable.Range(2, changes).Select(serial =>
        {
            int zone = random.Next(count);
            zones.WriteOne(zone, serial);
            long since = Stopwatch.GetTimestamp();
            if (!isWatched) LinuxSockets.Signal(server.Id, HangUp);
            double passed = ChurningZones.WaitFor(server.EndPoint, ChurningZones.NameOf(zone), serial, since, MaxWait);
            // A change within the debounce interval of the last reload would include its wait.
            Thread.Sleep(100);
            return passed;
        })];
        Array.Sort(milliseconds);
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
            $"| {count:N0}: {title} | {milliseconds[changes / 2]:F1} | {milliseconds[changes * 9 / 10]:F1} | " +
                $"{milliseconds[^1]:F1} |"));
    }

    private static void MeasureMemory(OptionValues options)
    {
        int count = Math.Max(1, options.Int("zones"));
        using TemporaryFolder folder = TemporaryFolder.InMemory();
        ChurningZones zones = new(folder, names: 0);
        using ServerProcess server = Start(options, folder, zones, count, isWatched: false);
        // Memory at rest.
        Thread.Sleep(SettleMs);
        long before = ProcessTree.RssBytes(server.Members);
        zones.WriteSmall(count, serial: 2);
        long since = Stopwatch.GetTimestamp();
        LinuxSockets.Signal(server.Id, HangUp);
        foreach (int zone in (int[])[0, count / 2, count - 1])
            ChurningZones.WaitFor(server.EndPoint, ChurningZones.NameOf(zone), serial: 2, since, MaxWait);
        // The same.
        Thread.Sleep(SettleMs);
        long after = ProcessTree.RssBytes(server.Members);
        Console
            .WriteLine("\n| so many zones read again | RSS before, MB | four seconds after |\n| --- | ---: | ---: |");
        Console.WriteLine(
            string.Create(CultureInfo.InvariantCulture, $"| {count:N0} | {before / 1e6:F1} | {after / 1e6:F1} |"));
    }

    private static ServerProcess Start(OptionValues options, TemporaryFolder folder, ChurningZones zones, int count,
        bool isWatched)
    {
        zones.WriteSmall(count, serial: 1);
        Peer own =
            PeerTable.Find("dnsd") with { Configure = (path, setup) => Configure(path, setup, zones, isWatched) };
        ServerProcess server = new(own, PeerTable.OwnProgram(own.Name), new PeerSetup(
            folder.File("server"), PeerPaths.FreePort(), options["server-cpus"], 1, []));
        server.WaitReady([.. Enumerable.Range(0, count).Select(ChurningZones.NameOf)], MaxWait);
        return server;
    }

    private static PeerCommand Configure(string path, PeerSetup setup, ChurningZones zones, bool isWatched) =>
        PeerTable.Dotnet(
        path, "run", "--config", setup.Write("dnsd.json", $$"""
            { "Dns": { "Listen": [ "127.0.0.1:{{setup.Port}}" ], "Workers": {{setup.Threads}},
                "Zones": [ { "Directory": "{{zones.Small}}", "Pattern": "*.zone" } ],
                "Reload": { "Watch": {{(isWatched ? "true" : "false")}} } },
              "Serilog": { "MinimumLevel": "Warning" } }
            """));
}
