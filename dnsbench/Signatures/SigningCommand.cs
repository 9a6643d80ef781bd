using System.Diagnostics;

namespace Dns.Bench;

/// <summary>
/// The command <c>sign</c>: signing a whole zone file, beside other signers, and one changed name of a signed zone.
/// </summary>
internal static class SigningCommand
{
    private const int WarmUpChanges = 50;

    internal static BenchCommand Command { get; } = new(
        "sign", "seconds to sign a zone file, beside other signers; milliseconds for one changed name of a signed zone",
        new OptionSet(
            ("names", "100000", "names of the zone file that is signed; 0 leaves that out"),
            ("algorithm", "ecdsap256sha256", "of the key, one that signs everything"),
            ("denial", "nsec", "nsec, nsec3 or opt-out"),
            ("signers", "dnsd,dnssec-signzone,kzonesign,ldns-signzone",
                "programs that take part where installed; the first is ours"),
            ("threads", "2", "threads of each signer that has any"),
            ("rounds", "3", "signings by each; the median is reported with the range"),
            ("changed", "1000000", "names of the zone of which one is changed; 0 leaves that out"),
            ("changes", "2000", "changes: by turns an address, a name that comes, and the same that goes"),
            ("zonemd", OptionSet.Switch, "the zone that is changed has ZONEMD"),
            ("folder", "", "where to make the temporary folder"),
            ("out", "", "also write the Markdown to this file")),
        Run);

    private static Task<int> Run(OptionValues options)
    {
        if (options.Has("folder")) Environment.SetEnvironmentVariable("TMPDIR", Path.GetFullPath(options["folder"]));
        Report report = new(options["out"]);
        report.Line($"# Signing\n\n{PeerReport.Machine()}");
        if (options.Int("names") > 0) SignFiles(options, report);
        if (options.Int("changed") > 0) ChangeNames(options, report);
        return Task.FromResult(0);
    }

    private static void SignFiles(OptionValues options, Report report)
    {
        using TemporaryFolder folder = new();
        int names = options.Int("names");
        SignerSetup setup = new(folder, options["algorithm"], options["denial"], Math.Max(1, options.Int("threads")));
        ZoneText.Write(setup.Source, names);
        setup.MakeKey();
        List<Signer> signers = [.. options.List("signers").Select(name => Signer.Make(name, setup)).OfType<Signer>()];
        Dictionary<string, (Spread Wall, Spread Processor)> figures =
            signers.ToDictionary(signer => signer.Name, _ => (new Spread(), new Spread()));
        for (int round = 0; round < options.Int("rounds"); round++)
        {
            foreach (Signer signer in signers)
            {
                (double wall, double processor) = signer.Run();
                figures[signer.Name].Wall.Add(wall);
                figures[signer.Name].Processor.Add(processor);
                Console.Error.WriteLine($"{signer.Name}: {wall:F2} s, {processor:F2} s of processors");
            }
        }
        double ours = figures[signers[0].Name].Wall.Middle, ourProcessor = figures[signers[0].Name].Processor.Middle;
        report.Line($"\n## {names:N0} names, {options["algorithm"]}, {options["denial"]}, {Counted(setup.Threads)}\n");
        report
            .Line($"| signer | s (range) | {signers[0].Name}'s by it | s of processors | {signers[0].Name}'s by it |");
        report.Line("| --- | ---: | ---: | ---: | ---: |");
        foreach (Signer signer in signers)
        {
            (Spread wall, Spread processor) = figures[signer.Name];
            report.Line($"| {signer.Name} | {wall.ToString(2)} | {ours / wall.Middle:F2} "
                + $"| {processor.Middle:F2} | {ourProcessor / processor.Middle:F2} |");
        }
    }

    private static void ChangeNames(OptionValues options, Report report)
    {
        int names = Math.Max(100, options.Int("changed")), changes = Math.Max(3, options.Int("changes"));
        if (!DnssecAlgorithms.TryParse(options["algorithm"], out DnssecAlgorithm algorithm))
            throw new UsageException("no such algorithm");
        using SigningKey key = SigningKey.Generate(algorithm, isSep: true);
        SigningPlan plan = new()
        {
            Published = [key.Public], KeySigners = [key], ZoneSigners = [key], Zonemd = options.Has("zonemd"),
            Denial = options["denial"] switch { "nsec" => DenialPlan.Nsec, "nsec3" => DenialPlan.Nsec3,
                _ => DenialPlan.Nsec3OptOut },
        };
        DateTimeOffset now = DateTimeOffset.UnixEpoch.AddDays(20_000);
        SignedChanges zone = new(names, plan, now, Math.Max(1, options.Int("threads")));
        for (int i = 0; i < WarmUpChanges; i++) zone.Change(now, out _);
        LatencyHistogram times = new();
        long most = 0, all = 0, longest = 0, made = 0;
        for (int i = 0; i < changes; i++)
        {
            long octets = GC.GetAllocatedBytesForCurrentThread(), began = Stopwatch.GetTimestamp();
            zone.Change(now.AddSeconds(i), out long signatures);
            long spent = (long)Stopwatch.GetElapsedTime(began).TotalNanoseconds;
            octets = GC.GetAllocatedBytesForCurrentThread() - octets;
            times.Add(spent);
            (longest, most, all, made) =
                (Math.Max(longest, spent), Math.Max(most, octets), all + octets, made + signatures);
        }
        string what = $"{options["algorithm"]}, {options["denial"]}{(plan.Zonemd ? ", ZONEMD" : "")}";
        report.Line($"\n## One name of {names:N0}, {what}, {changes:N0} times\n");
        report
            .Line(
                $"The zone was signed in {zone.SignedIn.TotalSeconds:F1} s, {zone.Signatures:N0} signatures; its " +
                    $"order took "
            + $"{zone.OrderedIn.TotalSeconds:F1} s more. "
            + $"{zone.SourceOctets / 1e6:F0} MB unsigned, {zone.SignedOctets / 1e6:F0} MB signed.\n");
        report.Line("| median ms | p99 | longest | signatures each | octets allocated, mean | most |");
        report.Line("| ---: | ---: | ---: | ---: | ---: | ---: |");
        report.Line($"| {times.Percentile(0.5) / 1e6:F3} | {times.Percentile(0.99) / 1e6:F3} | {longest / 1e6:F1} "
            + $"| {(double)made / changes:F1} | {all / changes:N0} | {most:N0} |");
    }

    private static string Counted(int threads) => threads == 1 ? "1 thread" : $"{threads} threads";
}
