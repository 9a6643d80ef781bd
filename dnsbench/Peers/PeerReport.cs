using System.Globalization;

namespace Dns.Bench;

/// <summary>The comparison as Markdown and as a chart.</summary>
internal static class PeerReport
{
    internal static void Write(
        List<PeerFigures> figures, IReadOnlyList<RunningPeer> peers, OptionValues options, string neighbour)
    {
        string folder = options["out"], name = options["name"];
        Report report = new(folder.Length == 0 ? "" : Path.Combine(folder, name + ".md"));
        report.Line($"# Processor time of an answered query, as a multiple of {neighbour}\n");
        report.Line(Machine() + "\n");
        report.Line($"{ZoneOf(options)}{SigningOf(options)}, " +
            $"{(options.Has("tcp") ? $"TCP with {options["connection-queries"]} queries a connection" : "UDP")}" +
            $"{(options.Has("edns") ? ", EDNS" : "")}, {options["threads"]} thread(s) on processor " +
            $"{options["server-cpus"]}, " +
            $"triples of {options["leg"]} s. Median (range; triples that count + discarded).\n");
        foreach (var load in figures.GroupBy(one => (one.Mix, one.Clients)))
        {
            report.Line($"\n## {load.Key.Mix}, {load.Key.Clients} client(s)\n");
            report.Line(
                "| server | ratio | µs CPU | queries/s | p50 µs | p99 µs | p99.9 µs | lost | wrong | instructions:u |");
            report.Line("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
            foreach (PeerFigures one in load.OrderBy(one => one.Ratio.Middle)) report.Line(Row(one));
        }
        report.Line("\n## The servers\n\n| server | version | load s | PSS MB |\n| --- | --- | ---: | ---: |");
        foreach (RunningPeer peer in peers)
            report.Line($"| {peer.Name} | {peer.Version} | {Number(peer.LoadSeconds, 2)} " +
                $"| {Number(ProcessTree.PssBytes(peer.Members) / 1e6, 0)} |");
        if (folder.Length == 0) return;
        BarChart.Write(
            Path.Combine(folder, name + ".svg"), $"Processor time of an answered query, as a multiple of {neighbour}",
            [.. figures.Select(one => ($"{one.Mix}, {one.Clients}", one.Server, one.Ratio.Middle))]);
    }

    private static string Row(PeerFigures one) =>
        $"| {one.Server} | {one.Ratio.ToString(2)}; {one.Ratio.Count} + {one.Discarded} " +
        $"| {Number(one.Nanoseconds.Middle / 1000, 2)} | {Number(one.PerSecond.Middle, 0)} " +
        $"| {Percentile(one, 0.5)} | {Percentile(one, 0.99)} | {Percentile(one, 0.999)} | {one.Lost} | {one.Wrong} " +
        $"| {Number(one.Instructions, 0)} |";

    private static string Percentile(PeerFigures one, double share) => Number(one.Latency.Percentile(share) / 1000, 0);

    private static string Number(double value, int decimals) =>
        double.IsNaN(value)
            ? "–" : value.ToString("F" + decimals.ToString(CultureInfo.InvariantCulture), CultureInfo.InvariantCulture);

    /// <summary>The machine in a line: processor, number of them, kernel, runtime.</summary>
    internal static string Machine()
    {
        string processor = File.ReadLines("/proc/cpuinfo")
            .FirstOrDefault(line => line.StartsWith("model name", StringComparison.Ordinal))?.Split(':')[1].Trim()
                ?? "unknown processor";
        return $"{processor}, {Environment.ProcessorCount} processors, {Environment.OSVersion}, .NET " +
            $"{Environment.Version}, " +
            $"{DateTime.UtcNow:yyyy-MM-dd}.";
    }

    private static string ZoneOf(OptionValues options) => options.Has("zone")
        ? $"Zone {options["zone"].Split('=')[0]}"
        : string.Create(System.Globalization.CultureInfo.InvariantCulture, $"Zone of {options.Int("names"):N0} names");

    private static string SigningOf(OptionValues options) =>
        !options.Has("signed") ? "" : options.Has("nsec3") ? ", signed with NSEC3, DO=1" : ", signed, DO=1";
}
