using System.Diagnostics;
using System.Globalization;
using System.Net;

namespace Dns.Bench;

/// <summary>The hours of <c>churn</c>: changes files, samples memory, and counts the clients' answers.</summary>
internal sealed class ChurnDay(OptionValues options, ChurningZones zones, ServerProcess server)
{
    private const double MaxWait = 60;
    private const int TimeoutMs = 5000;
    private const int MaxLateMs = 10;
    private const int Questions = 400_000;
    private const int FarNames = 200_000;
    private const int SmallStep = 20;
    private const double BusyShare = 0.6;
    private static readonly TimeSpan SampleInterval = TimeSpan.FromMilliseconds(100);

    private readonly List<long> _samples = [];
    private readonly List<double> _reloadMs = [];
    private readonly List<long> _levels = [];
    private int _serial = 1;

    /// <summary>Runs to the end and prints its table.</summary>
    /// <returns>Whether memory was stable, and every answer received and complete.</returns>
    internal bool Run()
    {
        int hours = Math.Max(2, options.Int("hours"));
        Report report = new(options["out"]);
        Task<LoadResult> own =
            Start(options.Number("rate"), hours, ChurningZones.Questions(options.Int("names"), Questions));
        Task<LoadResult> far = Start(options.Number("forward-rate"), hours, FarQuestions());
        report
            .Line(
                $"{hours} hours of {options["seconds"]} s: {options["reloads"]} reloads of {options["names"]} names " +
                    $"and one of "
            +
            $"{options["zones"]} zones in each; {options["rate"]} queries a second to zones, " +
            $"{options["forward-rate"]} forwarded\n");
        report.Line("| hour | RSS MB at its end | median | most | large zone: file to answer ms, median | longest |");
        report.Line("| ---: | ---: | ---: | ---: | ---: | ---: |");
        long began = Stopwatch.GetTimestamp();
        for (int hour = 1; hour <= hours; hour++)
        {
            Live(hour, began);
            report.Line(Line(hour));
        }
        Task.WaitAll(own, far);
        bool isWhole = Tell(report, "to zones", own.Result) & Tell(report, "forwarded", far.Result);
        long[] half = [.. _levels.Skip(hours / 2)];
        double drift = 100.0 * (half.Max() - half.Min()) / half.Min();
        report.Line(string.Create(CultureInfo.InvariantCulture,
            $"\n{_serial - 1} reloads of the large zone; memory of the last {half.Length} hours differs by " +
                $"{drift:F1} per cent"));
        return isWhole && drift <= options.Number("drift");
    }

    /// <summary>
    /// One hour: its reloads, its small zones in between, then rest, in which memory must return to its level.
    /// </summary>
    private void Live(int hour, long began)
    {
        _samples.Clear();
        _reloadMs.Clear();
        double seconds = options.Number("seconds"), first = (hour - 1) * seconds;
        int reloads = options.Int("reloads");
        for (int i = 0; i < reloads; i++)
        {
            WaitUntil(began, first + seconds * BusyShare * i / reloads);
            long since = Stopwatch.GetTimestamp();
            zones.WriteLarge(++_serial);
            _reloadMs.Add(ChurningZones.WaitFor(server.EndPoint, ChurningZones.Apex, _serial, since, MaxWait));
            // Some zones are added in one hour and removed in the next.
            if (i == reloads / 2) zones.WriteSmall(options.Int("zones") + hour % 2 * SmallStep, hour + 1);
        }
        WaitUntil(began, first + seconds);
        _levels.Add(_samples[^1]);
        _samples.Sort();
    }

    private void WaitUntil(long began, double seconds)
    {
        do
        {
            _samples.Add(ProcessTree.RssBytes(server.Members));
            // Memory is sampled: the kernel reports no changes of it.
            Thread.Sleep(SampleInterval);
        }
        while (Stopwatch.GetElapsedTime(began).TotalSeconds < seconds);
    }

    private string Line(int hour)
    {
        _reloadMs.Sort();
        return string.Create(CultureInfo.InvariantCulture,
            $"| {hour} | {_levels[^1] / 1e6:F1} | {_samples[_samples.Count / 2] / 1e6:F1} | {_samples[^1] / 1e6:F1} "
            + $"| {_reloadMs.ElementAtOrDefault(_reloadMs.Count / 2):F0} | {_reloadMs.LastOrDefault():F0} |");
    }

    private Task<LoadResult> Start(double rate, int hours, IEnumerable<Question> questions)
    {
        LoadPlan plan = new()
        {
            Server = server.EndPoint,
            Queries = new QuerySet([.. questions], edns: false, dnssecOk: false, recursion: true),
            Rate = rate, Seconds = hours * options.Number("seconds"), TimeoutMs = TimeoutMs, MaxLateMs = MaxLateMs,
            Sockets = 32,
        };
        return Task.Factory.StartNew(() => Load.Run(plan), TaskCreationOptions.LongRunning);
    }

    private static IEnumerable<Question> FarQuestions() => Enumerable.Range(0, FarNames)
        .Select(i => new Question($"n{i}.far.test", i % 2 == 0 ? RRType.A : RRType.TXT, Expectation.Positive));

    private static bool Tell(Report report, string what, LoadResult result)
    {
        report.Line(string.Create(CultureInfo.InvariantCulture,
            $"\n{what}: {result.Sent:N0} queries, {result.Sent / result.Seconds:N0} a second, {result.Lost:N0} lost, "
            +
            $"{result.Wrong:N0} wrong or of two versions; p50 {result.Microseconds(0.5):F0} µs, p99 " +
            $"{result.Microseconds(0.99):F0} µs, "
            + $"p99.9 {result.Microseconds(0.999) / 1000:F1} ms, longest {result.Microseconds(1) / 1000:F1} ms"));
        return result is { Lost: 0, Wrong: 0 };
    }
}
