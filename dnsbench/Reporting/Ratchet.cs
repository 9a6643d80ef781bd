using System.Globalization;
using System.Text.Json;

namespace Dns.Bench;

/// <summary>
/// A recorded figure for each benchmark, which may fall but not rise: a flat JSON object of names and numbers.
/// </summary>
/// <param name="DefaultFile">The record, a file of dnsbench.</param>
/// <param name="Unit">What is counted.</param>
/// <param name="Tolerance">How far off a recorded figure another one counts as equal.</param>
internal sealed record Ratchet(string DefaultFile, string Unit, Func<double, double> Tolerance)
{
    private static readonly JsonSerializerOptions Layout = new() { WriteIndented = true };

    /// <summary>The options of a command with a ratchet.</summary>
    internal OptionSet Options { get; } = new(
        ("check", OptionSet.Switch, "fail on a rise, on a benchmark that is not listed, on a listed one that is gone"),
        ("write", OptionSet.Switch, "record what is measured"),
        ("file", "", $"the record; by default {DefaultFile} of dnsbench"));

    /// <summary>Records, compares or prints, by the options; returns the exit code.</summary>
    /// <param name="options">What was asked for.</param>
    /// <param name="measured">The figures by name; a rise is replaced by what the next parameter returns.</param>
    /// <param name="again">Measures one once more, if a figure may be disturbed; null if it never is.</param>
    internal int Conclude(
        OptionValues options, SortedDictionary<string, double> measured, Func<string, double>? again = null)
    {
        string file = options.Has("file") ? options["file"] : Path.Combine(Workspace.Root, "dnsbench", DefaultFile);
        if (options.Has("write")) File.WriteAllText(file, JsonSerializer.Serialize(measured, Layout) + "\n");
        if (!options.Has("check"))
        {
            foreach ((string name, double figure) in measured)
                Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{figure,10:0.#}  {name}"));
            return 0;
        }
        Dictionary<string, double> recorded =
            JsonSerializer.Deserialize<Dictionary<string, double>>(File.ReadAllText(file))!;
        if (again is not null) Repeat(measured, recorded, again);
        RatchetResult[] diagnostics = [.. Compare(measured, recorded)];
        foreach (RatchetResult diagnostic in diagnostics) Console.WriteLine(diagnostic.Text);
        int failures = diagnostics.Count(diagnostic => diagnostic.IsFailure);
        Console.WriteLine($"{measured.Count} benchmarks, {failures} failures");
        return failures == 0 ? 0 : 1;
    }

    /// <summary>What differs: rises and differences of the lists fail, a fall asks for a lower record.</summary>
    internal IEnumerable<RatchetResult> Compare(IReadOnlyDictionary<string, double> measured,
        IReadOnlyDictionary<string, double> recorded)
    {
        foreach ((string name, double now) in measured)
        {
            string figure = string.Create(CultureInfo.InvariantCulture, $"{name}: {now} {Unit}");
            if (!recorded.TryGetValue(name, out double before)) yield return new($"{figure}, not listed", true);
            else if (IsRise(now, before))
                yield return new(Beside($"{figure}, more than the", before), true);
            else if (now < before - Tolerance(before))
                yield return new(Beside($"{figure}, record it (--write): less than the", before), false);
        }
        foreach (string name in recorded.Keys)
            if (!measured.ContainsKey(name)) yield return new($"{name}: listed, but there is no such benchmark", true);
    }

    /// <summary>Measures what rose once more: a disturbance only adds, so the smaller figure holds.</summary>
    internal void Repeat(IDictionary<string, double> measured, IReadOnlyDictionary<string, double> recorded,
        Func<string, double> again)
    {
        foreach ((string name, double before) in recorded)
            if (measured.TryGetValue(name, out double now) && IsRise(now, before))
                measured[name] = Math.Min(now, again(name));
    }

    private bool IsRise(double now, double before) => now > before + Tolerance(before);

    private static string Beside(string text, double before) =>
        string.Create(CultureInfo.InvariantCulture, $"{text} {before} recorded");
}

/// <summary>A benchmark whose figure is not the recorded one.</summary>
internal readonly record struct RatchetResult(string Text, bool IsFailure);
