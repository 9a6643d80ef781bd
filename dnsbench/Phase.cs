namespace Dns.Bench;

/// <summary>
/// One theme of measurement: benchmark classes, or a command where a benchmark in one process would not do.
/// </summary>
internal sealed record Phase(int Number, string Title, Type[] Types, string? BenchCommand = null)
{
    /// <summary>All phases in their order.</summary>
    internal static Phase[] All { get; } =
    [
        new(1, "wire: reading and writing of names, fields and messages",
            [typeof(WireNames), typeof(WireFields), typeof(WireMessages), typeof(WireCycle)]),
        new(2, "buffers: socket operations",
            [typeof(SocketOperations)]),
        new(3, "names: reading, comparing, lower-casing", [typeof(NameReading), typeof(NameComparing)]),
        new(4, "keys: keys, queries in flight, cached answers",
            [typeof(KeyMaking), typeof(InFlightTables), typeof(CacheHits)]),
        new(5, "rendering: answers with and without compression; whole answers in memory",
            [typeof(Rendering), typeof(WholeAnswers), typeof(SignedAnswers), typeof(EditedZones)]),
        new(6, "end to end: one question over UDP and TCP on loopback",
            [typeof(EndToEnd)]),
        new(7, "load: the generator (the command load)", [], "load"),
        new(8, "peers: other servers beside ours (the command peers)", [], "peers"),
    ];

    /// <summary>The phase with this number; null if there is none.</summary>
    internal static Phase? Find(int number) => Array.Find(All, phase => phase.Number == number);
}
