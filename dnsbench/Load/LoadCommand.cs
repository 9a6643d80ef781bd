using System.Globalization;

namespace Dns.Bench;

/// <summary>The command <c>load</c>: the generator by itself.</summary>
internal static class LoadCommand
{
    internal static BenchCommand Command { get; } = new(
        "load", "asks a server many questions and tells how it went",
        new OptionSet(
            ("server", "127.0.0.1:53", "address and port"),
            ("allow-remote", OptionSet.Switch, "the server may be one that is not on loopback"),
            ("queries", "", "file of lines \"NAME TYPE\"; else a mix of the zone of dnsbench"),
            ("mix", "mixed", string.Join(", ", QueryMix.Names)),
            ("zone-names", "100000", "names of the zone that the mix is drawn from"),
            ("count", "100000", "different queries of the mix"),
            ("sockets", "16", "clients"),
            ("window", "16", "queries of a client on their way"),
            ("rate", "0", "queries a second over all clients; 0 asks again as answers come"),
            ("seconds", "5", "how long"),
            ("edns", OptionSet.Switch, "with an OPT record"),
            ("do", OptionSet.Switch, "with the DO bit"),
            ("recursion", OptionSet.Switch, "with RD"),
            ("segments", OptionSet.Switch, "queries sorted by length and sent many at a time (UDP_SEGMENT)"),
            ("tcp", OptionSet.Switch, "over TCP"),
            ("connection-queries", "0", "queries after which a TCP connection is made anew; 0 for never"),
            ("timeout", "500", "milliseconds after which a query is lost"),
            ("cpu", "", "processor to pin the generator to"),
            ("no-check", OptionSet.Switch, "take any answer, such as an echo"),
            ("zone-file", "", "only write the zone of --zone-names to this file")),
        Run);

    private static Task<int> Run(OptionValues options)
    {
        if (options.Has("zone-file"))
        {
            ZoneText.Write(options["zone-file"], Math.Max(100, options.Int("zone-names")));
            return Task.FromResult(0);
        }
        Question[] questions = options.Has("queries")
            ? [.. QueryText.ReadFile(options["queries"])]
            : QueryMix.Draw(options["mix"], Math.Max(100, options.Int("zone-names")), options.Int("count"));
        if (options.Has("segments")) questions = QueryText.ByLength(questions);
        QuerySet queries = new(questions, options.Has("edns"), options.Has("do"), options.Has("recursion"));
        if (options.Has("no-check")) queries.ExpectAnything();
        long before = 0;
        LoadPlan plan = new()
        {
            Server = Load.Target(options["server"], options.Has("allow-remote")),
            Queries = queries,
            Sockets = Math.Clamp(options.Int("sockets"), 1, 1024),
            Window = Math.Clamp(options.Int("window"), 1, 4096),
            Rate = options.Number("rate"),
            Seconds = options.Number("seconds"),
            Tcp = options.Has("tcp"),
            Segments = options.Has("segments"),
            ConnectionQueries = options.Int("connection-queries"),
            TimeoutMs = Math.Max(1, options.Int("timeout")),
            Processor = options.Has("cpu") ? options.Int("cpu") : -1,
            Progress = answered =>
            {
                Console.Error.WriteLine($"{answered - before:N0} answers in the last second");
                before = answered;
            },
        };
        Print(Load.Run(plan));
        return Task.FromResult(0);
    }

    private static void Print(LoadResult result) => Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"""
        sent      {result.Sent}
        answered  {result.Answered}
        lost      {result.Lost}
        wrong     {result.Wrong}
        stray     {result.Stray}
        per s     {result.PerSecond:F0}
        p50 us    {result.Microseconds(0.5):F1}
        p99 us    {result.Microseconds(0.99):F1}
        p99.9 us  {result.Microseconds(0.999):F1}
        """));
}
