using System.Globalization;
using System.Runtime.InteropServices;

namespace Dns.Bench;

/// <summary>Instructions of a stepped thread by method, as the runtime's map of compiled code names them.</summary>
internal sealed class MethodProfile
{
    private const int Shown = 40;

    private readonly Dictionary<nint, long> _addresses = [];

    /// <summary>Counts one instruction.</summary>
    internal void Add(nint address) => CollectionsMarshal.GetValueRefOrAddDefault(_addresses, address, out _)++;

    /// <summary>Prints the methods with most instructions since the last call.</summary>
    /// <param name="process">
    /// The process that was stepped; it writes <c>perf-PID.map</c> to the folder for temporary files.
    /// </param>
    /// <param name="output">Receives a line for each.</param>
    internal void Print(int process, TextWriter output)
    {
        List<(nint Start, nint End, string Name)> methods =
            Read(Path.Combine(Path.GetTempPath(), $"perf-{process}.map"));
        Dictionary<string, long> sums = [];
        foreach ((nint address, long count) in _addresses)
        {
            int at = methods.FindLastIndex(method => method.Start <= address && address < method.End);
            CollectionsMarshal.GetValueRefOrAddDefault(sums, at < 0 ? "runtime" : methods[at].Name, out _) += count;
        }
        output.WriteLine(FormattableString.Invariant($"-- {_addresses.Values.Sum()} instructions"));
        foreach ((string name, long count) in sums.OrderByDescending(sum => sum.Value).Take(Shown))
            output.WriteLine(FormattableString.Invariant($"{count,10} {name}"));
        if (Environment.GetEnvironmentVariable("BENCH_OFFSETS") is { } wanted)
            foreach ((nint start, nint end, string name) in methods.Where(method => method.Name.Contains(wanted)))
                foreach ((nint address, long count) in _addresses.Where(one => start <= one.Key && one.Key < end)
                    .OrderBy(one => one.Key))
                    output.WriteLine($"@ {address - start:X4} {count}");
        _addresses.Clear();
    }

    private static List<(nint Start, nint End, string Name)> Read(string path)
    {
        List<(nint, nint, string)> methods = [];
        foreach (string line in File.ReadLines(path))
        {
            if (line.Split(' ', 3) is not [string start, string length, string name]) continue;
            nint from = ParseHex(start);
            methods.Add((from, from + ParseHex(length), name));
        }
        return methods;
    }

    private static nint ParseHex(string text) =>
        nint.Parse(text.Replace("0x", "", StringComparison.Ordinal), NumberStyles.HexNumber,
            CultureInfo.InvariantCulture);
}
