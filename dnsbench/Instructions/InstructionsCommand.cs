using System.Globalization;
using System.Runtime.InteropServices;

namespace Dns.Bench;

/// <summary>
/// The command <c>instructions</c>: user-space instructions of what the product does, against the recorded ones.
/// </summary>
internal static class InstructionsCommand
{
    /// <summary>The exit code of a machine that cannot count: neither passed nor failed.</summary>
    private const int CannotCount = 3;

    // Runs differ by up to 2 per cent, since hashes of names are seeded at random.
    private static readonly Ratchet Record =
        new("instructions.json", "instructions", recorded => Math.Max(1, recorded * 0.05));

    internal static BenchCommand Command { get; } = new(
        "instructions", "user-space instructions of answers, cache hits and questions in flight; a gate of CI",
        Record.Options.With(
            ("only", "", "count only what has this in its name"),
            ("methods", OptionSet.Switch, "step, and print the instructions of each method too"),
            ("child", "", "perf or asked: count here and print names and figures; for this command's own use")), Run);

    private static Task<int> Run(OptionValues options)
    {
        if (options.Has("child")) return Task.FromResult(Count(options["child"], options["only"]));
        if (!OperatingSystem.IsLinux() || RuntimeInformation.ProcessArchitecture != Architecture.X64)
            return Skip("they are recorded for Linux on x64");
        bool byMethod = options.Has("methods");
        PerfCounter? counter = null;
        bool isPerf = !byMethod && PerfCounter.TryOpen(out counter);
        counter?.Dispose();
        if (!isPerf && !SteppedThread.IsPermitted)
            return Skip("the processor's counter cannot be read, and no process may be traced");
        Console.WriteLine(isPerf ? "counted by the processor" : "counted step by step");
        SortedDictionary<string, double> measured = InAnotherProcess(options["only"]);
        if (!options.Has("only"))
            return Task.FromResult(Record.Conclude(options, measured, name => InAnotherProcess(name)[name]));
        foreach ((string name, double figure) in measured)
            Console.WriteLine(FormattableString.Invariant($"{figure,10} {name}"));
        return Task.FromResult(0);

        SortedDictionary<string, double> InAnotherProcess(string only)
        {
            using CountedProcess process =
                new(byMethod, Command.Name, "--child", isPerf ? "perf" : "asked", "--only", only);
            SortedDictionary<string, double> figures = new(StringComparer.Ordinal);
            foreach (string line in process.Lines())
                if (line.Split(' ') is [string name, string figure])
                    figures.Add(name, double.Parse(figure, CultureInfo.InvariantCulture));
                else Console.WriteLine(line);
            return figures;
        }
    }

    private static Task<int> Skip(string reason)
    {
        Console.WriteLine($"instructions are not counted here: {reason}");
        return Task.FromResult(CannotCount);
    }

    private static int Count(string way, string only)
    {
        IInstructionCounter counter = way == "asked" ? new AskedCounter(Console.Out, Console.In)
            : PerfCounter.TryOpen(out PerfCounter? perf)
                ? perf : throw new UsageException("the processor's counter cannot be read");
        foreach ((string name, double instructions) in InstructionCases.Measure(counter, only))
            Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{name} {instructions}"));
        return 0;
    }
}
