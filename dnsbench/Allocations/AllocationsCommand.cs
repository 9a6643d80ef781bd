namespace Dns.Bench;

/// <summary>The command <c>allocations</c>: bytes of each benchmark's operation against the recorded ones.</summary>
internal static class AllocationsCommand
{
    // A queue segment, amortised over many thousands of operations, is a tenth of a byte. A change of a zone copies the
    // table pages of random names: its bytes differ by up to one per cent.
    private static readonly Ratchet Record =
        new("allocations.json", "bytes", recorded => Math.Max(0.1, recorded * 0.01));

    internal static BenchCommand Command { get; } = new(
        "allocations", "bytes allocated by an operation of every benchmark, in seconds; a gate of CI", Record.Options,
        options => Task.FromResult(Record.Conclude(options, Measure())));

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
}
