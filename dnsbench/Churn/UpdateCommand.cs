using System.Diagnostics;
using System.Net;
using System.Net.Sockets;

namespace Dns.Bench;

/// <summary>
/// The command <c>update</c>: milliseconds from an UPDATE message to the answer that shows it, through the whole
/// program with its journal on disk; and the cost of updates for concurrent queries.
/// </summary>
internal static class UpdateCommand
{
    private const double MaxWait = 300;
    private const int Seed = 2136;
    private const int FloorOctets = 256;
    private const string Secret = "ZG5zYmVuY2gtdXBkYXRlLWtleS0zMi1vY3RldHMhISE=";

    internal static BenchCommand Command { get; } = new(
        "update", "milliseconds from an update of a large zone to the answer that shows it; queries beside updates",
        new OptionSet(
            ("names", "1000000", "names of the zone"),
            ("changes", "100", "updates that are timed one by one, each of a name drawn at random"),
            ("kinds", "address", "what they change, by turns: address, a name that comes, a delegation that comes"),
            ("denial", "", "the zone is signed by the server, with nsec or nsec3, and the server restarted once"),
            ("rate", "100", "updates a second beside the queries"),
            ("seconds", "10",
                "how long queries are timed, first while nothing changes, then while it does; 0 leaves that out"),
            ("folder", "", "where zone and journal are: a disk; the system's folder for temporary files if empty"),
            ("server-cpus", "", "processors of the server; all if empty"),
            ("out", "", "also write the Markdown to this file")),
        Run);

    private static Task<int> Run(OptionValues options)
    {
        int names = Math.Max(100, options.Int("names"));
        Report report = new(options["out"]);
        using TemporaryFolder folder = options["folder"].Length > 0 ? TemporaryFolder.In(options["folder"]) : new();
        ChurningZones zones = new(folder, names);
        zones.WriteLarge(serial: 1);
        string denial = options["denial"];
        if (denial is not ("" or "nsec" or "nsec3")) throw new UsageException($"no such denial: {denial}");
        Peer own = PeerTable.Find("dnsd") with { Configure = (path, setup) => Configure(path, setup, zones, denial) };
        PeerSetup setup = new(folder.File("server"), PeerPaths.FreePort(), options["server-cpus"], 1, []);
        for (int start = denial.Length > 0 ? 0 : 1; start < 2; start++)
        {
            using ServerProcess server = new(own, PeerTable.OwnProgram(own.Name), setup);
            server.WaitReady([ChurningZones.Apex], MaxWait);
            if (denial.Length > 0) WaitSigned(server.EndPoint);
            report.Line($"## {(start == 0 ? "Signed at this start" : "Started")}, "
                + $"{names:N0} names{(denial.Length > 0 ? ", signed with " + denial : "")}\n");
            using Updater updater = new(server.EndPoint, names, options.List("kinds"), Seed + start);
            long since = Stopwatch.GetTimestamp();
            updater.UpdateAndSee();
            double first = Stopwatch.GetElapsedTime(since).TotalMilliseconds;
            report.Line($"The first update was seen after {first:F1} ms.\n");
            for (int i = 0; i < 20; i++) updater.Update();
            using FileStream floor = new(folder.File($"floor{start}"), FileMode.CreateNew, FileAccess.Write,
                FileShare.None, bufferSize: 0);
            MeasureChanges(options, report, updater, floor, names);
            if (options.Int("seconds") > 0) MeasureQueries(options, report, updater, server.EndPoint, names);
        }
        return Task.FromResult(0);
    }

    // A zone is served unsigned until its first signed version.
    private static void WaitSigned(IPEndPoint server)
    {
        using Socket socket =
            new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp) { ReceiveTimeout = 1000 };
        socket.Connect(server);
        byte[] query = QueryText.Encode(ChurningZones.Apex, RRType.DNSKEY), answer = new byte[4096];
        long since = Stopwatch.GetTimestamp();
        do
        {
            if (Stopwatch.GetElapsedTime(since).TotalSeconds > MaxWait) throw new TimeoutException("not signed");
            Thread.Sleep(100); // Between two queries.
            socket.Send(query);
            socket.Receive(answer);
        }
        while (MessageHeader.Count(answer, 1) == 0);
    }

    private static void MeasureChanges(OptionValues options, Report report, Updater updater,
        FileStream floor, int names)
    {
        int changes = Math.Max(1, options.Int("changes"));
        LatencyHistogram flushed = new(), acknowledged = new(), seen = new();
        for (int i = 0; i < changes; i++)
        {
            // The baseline: as many octets on the same disk, without a server.
            long since = Stopwatch.GetTimestamp();
            floor.Write(new byte[FloorOctets]);
            floor.Flush(flushToDisk: true);
            flushed.Add((long)Stopwatch.GetElapsedTime(since).TotalNanoseconds);
            updater.NoteSerial();
            since = Stopwatch.GetTimestamp();
            updater.Update();
            acknowledged.Add((long)Stopwatch.GetElapsedTime(since).TotalNanoseconds);
            updater.RequireOtherSerial();
            seen.Add((long)Stopwatch.GetElapsedTime(since).TotalNanoseconds);
        }
        report.Line(
            $"### {changes:N0} updates of a zone of {names:N0} names, one by one, signed, with the journal on disk\n");
        report.Line("| until | median ms | p90 | longest |\n| --- | ---: | ---: | ---: |");
        report.Line("| as many octets are written to the same disk and flushed, without a server " + Row(flushed));
        report.Line("| the update is acknowledged " + Row(acknowledged));
        report.Line("| an answer shows it " + Row(seen) + "\n");
    }

    private static void MeasureQueries(OptionValues options, Report report, Updater updater,
        IPEndPoint server, int names)
    {
        int seconds = options.Int("seconds"), rate = Math.Max(1, options.Int("rate"));
        report.Line($"### Queries one by one for {seconds} s beside updates\n");
        report.Line("| updates a second | queries | median µs | p99 | p99.9 |\n| ---: | ---: | ---: | ---: | ---: |");
        foreach (int pace in (int[])[0, rate, 0, rate])
        {
            using CancellationTokenSource end = new();
            int updates = 0;
            Thread writer = new(() => updates = updater.UpdateAtPace(pace, end.Token));
            if (pace > 0) writer.Start();
            LatencyHistogram times = Ask(server, names, seconds);
            end.Cancel();
            if (pace > 0) writer.Join();
            report.Line($"| {(double)updates / seconds:N0} | {times.Count:N0} | {times.Percentile(0.5) / 1e3:F1} "
                + $"| {times.Percentile(0.99) / 1e3:F0} | {times.Percentile(0.999) / 1e3:F0} |");
        }
    }

    private static LatencyHistogram Ask(IPEndPoint server, int names, int seconds)
    {
        using Socket socket =
            new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp) { ReceiveTimeout = 1000 };
        socket.Connect(server);
        Random random = new(Seed);
        byte[] answer = new byte[512];
        LatencyHistogram times = new();
        long started = Stopwatch.GetTimestamp();
        while (Stopwatch.GetElapsedTime(started).TotalSeconds < seconds)
        {
            byte[] query = QueryText.Encode($"n{random.Next(names)}.{ChurningZones.Apex}", RRType.A);
            long since = Stopwatch.GetTimestamp();
            socket.Send(query);
            socket.Receive(answer);
            times.Add((long)Stopwatch.GetElapsedTime(since).TotalNanoseconds);
            if (MessageHeader.Count(answer, 1) != 1) throw new InvalidDataException("an answer without its record");
        }
        return times;
    }

    private static PeerCommand Configure(string path, PeerSetup setup, ChurningZones zones, string denial)
    {
        string state = Directory.CreateDirectory(Path.Combine(setup.Folder, "state")).FullName;
        string policy = denial.Length > 0 ? $", \"Dnssec\": \"{denial}\"" : "";
        return PeerTable.Dotnet(path, "run", "--config", setup.Write("dnsd.json", $$"""
            { "Dns": { "Listen": [ "127.0.0.1:{{setup.Port}}" ], "Workers": {{setup.Threads}}, "StateDirectory": "{{state}}",
                "TsigKeys": [ { "Name": "bench.", "Secret": "{{Secret}}" } ], "AllowUpdate": [ "key:bench." ],
                "DnssecPolicies": { "nsec": { "Denial": "nsec" }, "nsec3": { "Denial": "nsec3" } },
                "Zones": [ { "Name": "{{ChurningZones.Apex}}", "File": "{{zones.Large}}"{{policy}} } ], "Reload": { "Watch": false } },
              "Serilog": { "MinimumLevel": "Warning" } }
            """));
    }

    private static string Row(LatencyHistogram times) =>
        $"| {times.Percentile(0.5) / 1e6:F2} | {times.Percentile(0.9) / 1e6:F2} | {times.Percentile(1) / 1e6:F2} |";

    /// <summary>Updates the zone over one TCP connection.</summary>
    private sealed class Updater : IDisposable
    {
        private readonly TsigKey _key =
            new(DomainName.Parse("bench."), TsigAlgorithm.HmacSha256, Convert.FromBase64String(Secret));
        private readonly DomainName _apex = DomainName.Parse(ChurningZones.Apex);
        private readonly Random _random;
        private readonly byte[] _room = new byte[2048];
        private readonly IPEndPoint _server;
        private readonly TcpClient _connection = new() { NoDelay = true };
        private readonly int _names;
        private readonly IReadOnlyList<string> _kinds;
        private uint _serial;
        private int _number;

        internal Updater(IPEndPoint server, int names, IReadOnlyList<string> kinds, int seed)
        {
            (_server, _names, _kinds, _random) = (server, names, kinds, new Random(seed));
            if (kinds.Count == 0 || kinds.Except(["address", "name", "delegation"]).Any())
                throw new UsageException("the kinds of changes are address, name and delegation");
            _connection.Connect(server);
        }

        /// <summary>Updates, and queries until the answer shows it.</summary>
        internal void UpdateAndSee()
        {
            NoteSerial();
            Update();
            RequireOtherSerial();
        }

        /// <summary>Changes one name, and waits for the answer.</summary>
        internal void Update()
        {
            int octets = WriteMessage();
            (_room[0], _room[1]) = ((byte)(octets >> 8), (byte)octets);
            NetworkStream stream = _connection.GetStream();
            stream.Write(_room, 0, octets + 2);
            stream.ReadExactly(_room, 0, 2);
            octets = _room[0] << 8 | _room[1];
            stream.ReadExactly(_room, 0, octets);
            int rcode = MessageHeader.Flags(_room) & MessageHeader.RcodeMask;
            if (rcode != 0) throw new InvalidDataException($"an update got {(Rcode)rcode}");
        }

        /// <summary>Updates at a rate until cancelled.</summary>
        internal int UpdateAtPace(int pace, CancellationToken end)
        {
            long started = Stopwatch.GetTimestamp();
            for (int i = 1; ; i++)
            {
                Update();
                int wait = (int)(i * 1000.0 / pace - Stopwatch.GetElapsedTime(started).TotalMilliseconds);
                if (end.WaitHandle.WaitOne(Math.Max(0, wait))) return i;
            }
        }

        /// <summary>Notes the serial before an update.</summary>
        internal void NoteSerial() => _serial = ChurningZones.AskSerial(_server, ChurningZones.Apex);

        /// <summary>Queries until the serial is another: the server may choose that of a signed zone.</summary>
        internal void RequireOtherSerial()
        {
            long since = Stopwatch.GetTimestamp();
            while (ChurningZones.AskSerial(_server, ChurningZones.Apex) == _serial)
            {
                if (Stopwatch.GetElapsedTime(since).TotalSeconds > MaxWait) throw new TimeoutException("not seen");
                Thread.Sleep(1); // The resolution of the result.
            }
        }

        public void Dispose() => _connection.Dispose();

        private int WriteMessage()
        {
            MessageWriter writer = new(_room.AsSpan(2), names: null);
            writer.WriteHeader((ushort)_random.Next(65536), (int)Opcode.Update << 11);
            writer.TryWriteQuestion(_apex.Octets, RRType.SOA, RRClass.IN);
            string kind = _kinds[_number++ % _kinds.Count], label = $"n{_random.Next(_names)}";
            if (kind != "address") label = $"{label}x{_number}";
            ReadOnlySpan<byte> owner = DomainName.Parse($"{label}.{ChurningZones.Apex}").Octets;
            if (kind == "address")
            {
                writer.Begin(MessageSection.Authority, owner, RRType.A, RRClass.ANY, 0);
                writer.TryEnd();
            }
            byte[] address = [172, (byte)_random.Next(256), (byte)_random.Next(256), (byte)_random.Next(256)];
            ReadOnlySpan<byte> host = DomainName.Parse($"ns.other.{label}.test").Octets;
            if (kind == "delegation") writer.TryWrite(MessageSection.Authority, owner, RRType.NS, RRClass.IN, 60, host);
            else writer.TryWrite(MessageSection.Authority, owner, RRType.A, RRClass.IN, 60, address);
            int octets = writer.Finish();
            using TsigChain chain = TsigChain.Request(
                _key, _room.AsSpan(2), ref octets, TimeProvider.System.GetUtcNow().ToUnixTimeSeconds());
            return octets;
        }
    }
}
