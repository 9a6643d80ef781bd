using System.Text.Json;

namespace Dns.Bench;

/// <summary>
/// The command <c>allocations</c>: bytes of each benchmark's operation against the recorded ones.
/// </summary>
internal static class AllocationsCommand
{
    private const string DefaultFile = "allocations.json";

    // A tenth of a byte is a queue segment in many thousands of operations.
    private const double ToleranceBytes = 0.1;
    private static readonly JsonSerializerOptions Layout = new() { WriteIndented = true };

    internal static Verb Verb { get; } = new(
        "allocations", "bytes allocated by an operation of every benchmark, in seconds; the gate of CI",
        new OptionSet(
            ("check", OptionSet.Switch, "fail on a rise, on a benchmark that is not listed, on a listed one that is gone"),
            ("write", OptionSet.Switch, "record what is measured"),
            ("file", "", $"the record; by default {DefaultFile} of dnsbench")),
        Run);

    private static Task<int> Run(OptionValues options)
    {
        string file = options.Has("file") ? options["file"] : Path.Combine(Workspace.Root, "dnsbench", DefaultFile);
        SortedDictionary<string, double> measured = Measure();
        if (options.Has("write")) File.WriteAllText(file, JsonSerializer.Serialize(measured, Layout) + "\n");
        if (!options.Has("check"))
        {
            foreach ((string name, double bytes) in measured) Console.WriteLine($"{bytes,10:0.#}  {name}");
            return Task.FromResult(0);
        }
        Dictionary<string, double> recorded = JsonSerializer.Deserialize<Dictionary<string, double>>(File.ReadAllText(file))!;
        string[] findings = [.. Compare(measured, recorded)];
        foreach (string finding in findings) Console.WriteLine(finding);
        Console.WriteLine($"{measured.Count} benchmarks, {findings.Length} findings");
        return Task.FromResult(findings.Length == 0 ? 0 : 1);
    }

    private static SortedDictionary<string, double> Measure()
    {
        SortedDictionary<string, double> measured = new(StringComparer.Ordinal);
        foreach (Type type in Phase.All.SelectMany(phase => phase.Types))
        {
            BenchmarkCase[] cases = BenchmarkCase.Of(type, out Action cleanUp);
            foreach (BenchmarkCase one in cases) measured.Add(one.Name, one.MeasureBytes());
            cleanUp();
        }
        return measured;
    }

    private static IEnumerable<string> Compare(SortedDictionary<string, double> measured, Dictionary<string, double> recorded)
    {
        foreach ((string name, double bytes) in measured)
        {
            if (!recorded.TryGetValue(name, out double before)) yield return $"{name}: {bytes} bytes, not listed";
            else if (bytes > before + ToleranceBytes) yield return $"{name}: {bytes} bytes, {before} are recorded";
            else if (bytes < before - ToleranceBytes) Console.WriteLine($"{name}: {bytes} bytes, less than the {before} recorded");
        }
        foreach (string name in recorded.Keys)
            if (!measured.ContainsKey(name)) yield return $"{name}: listed, but there is no such benchmark";
    }
}
