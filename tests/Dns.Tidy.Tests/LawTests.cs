using System.Text.RegularExpressions;
using Xunit;

namespace Dns.Tidy.Tests;

/// <summary>
/// What a part may not do (the law table of docs/explanation/architecture.md), as words that may not occur in its code.
/// </summary>
public class LawTests
{
    private const string Console = @"\bConsole\s*\.";
    private const string WallClock = @"\bDateTime(Offset)?\s*\.\s*(Now|UtcNow|Today)\b";
    private const string Clock = WallClock + @"|\bStopwatch\b|\bEnvironment\s*\.\s*TickCount|\bTimeProvider\b";
    private const string Sockets =
        @"\bSystem\.Net\.Sockets\b|\b(Socket|SocketAsyncEventArgs|UdpClient|TcpClient|TcpListener)\b";
    private const string Logging = @"\bILogger\b|\bILoggerFactory\b|\bSerilog\b|\bMicrosoft\.Extensions\.Logging\b";
    private const string Files = @"\b(File|Directory|FileStream|StreamReader|StreamWriter|FileInfo)\s*[.(]";
    private const string Hosting = @"\bIServiceProvider\b|\bIServiceCollection\b|\bMicrosoft\.Extensions\.";
    private const string Waiting = @"\b(async|await|lock)\b|\b(Task|ValueTask|Monitor|Mutex|Semaphore|SemaphoreSlim|" +
        @"ReaderWriterLockSlim|SpinLock|Lock|ManualResetEvent\w*|AutoResetEvent|BlockingCollection|ConcurrentQueue)\b";
    private const string Linq =
        @"(?<!\bMemoryMarshal)\.\s*(Select|SelectMany|Where|OrderBy|OrderByDescending|ThenBy|GroupBy|Any|All|First|FirstOrDefault|" +
        @"Single|SingleOrDefault|Last|LastOrDefault|Sum|Aggregate|ToList|ToDictionary|ToHashSet|OfType|Cast|Zip|Distinct|" +
        @"Take|Skip|Concat|Union|Except)\s*(<[^<>]*>)?\(|\bSystem\.Linq\b";
    private const string Walks = @">= 0xC0\b|\bWireName\s*\.\s*TryExpand\b";
    private const string Records = @"\b(RRType|RRset|RRClass|Rdata|Zone|ZoneSet|ZoneNode|PublishedZones|\w*Cache)\b";

    private const string Parts = @"\b(IServiceCollection|IServiceProvider|\w*Responder|Forwarder|ListenerSet)\b";

    /// <summary>Folder, forbidden words, and the law.</summary>
    public static TheoryData<string, string, string> Laws => new()
    {
        { "src/Dns.Protocol/", Console + "|" + Clock + "|" + Sockets + "|" + Logging + "|" + Files + "|" + Hosting,
            "Protocol: no I/O, clock, logging or hosting" },
        { "src/Dns.Zones/", Console + "|" + Clock + "|" + Sockets + "|" + Logging,
            "Zones: no sockets, clock or logging" },
        { "src/Dns.Dnssec/", Console + "|" + WallClock + "|" + Sockets + "|" + Logging,
            "Dnssec: no sockets, clock of its own or logging" },
        { "src/Dns.Dnssec/Signing/", Clock, "Signing: a moment is handed in" },
        { "src/Dns.Dnssec/Policies/", Clock, "Policies: a moment is handed in" },
        { "src/Dns.Dnssec/Validation/", Clock, "Validation: a moment is handed in" },
        { "src/Dns.Answering/", Console + "|" + WallClock + "|" + Waiting + "|" + Sockets + "|" + Logging + "|" + Files,
            "Answering: no async, locks, sockets, logging or clock of its own" },
        { "src/Dns.Transport.Outgoing/", Console + "|" + Records + @"|\bListen\s*\(|\bAccept(Async)?\s*\(",
            "Outgoing: opens connections and never listens, and knows messages by their length" },
        { "src/Dns.Transport.Streams/", Console + "|" + Records + @"|\bListen\s*\(",
            "Streams: carries octets, and knows no message" },
        { "src/Dns.Transport/", Console + "|" + Records,
            "Transport: what a record, a zone or a cache is stays unknown" },
        { "src/Dns.Providers/", Console + "|" + Sockets, "Providers: no console" },
        { "src/Dns.Reloading/", Console + "|" + Sockets + "|" + Parts,
            "Reloading: the parts that settings are for, and their composition, stay unknown" },
        { "src/Dns.Answering/", Linq, "LINQ allocates: not in a hot folder" },
        { "src/Dns.Zones/Lookup/", Linq, "LINQ allocates: not in a hot folder" },
        { "src/Dns.Transport/Udp/", Linq, "LINQ allocates: not in a hot folder" },
        { "src/Dns.Protocol/Names/", Linq, "LINQ allocates: not in a hot folder" },
        { "src/", WallClock, "time comes from a TimeProvider" },
        { "src/", @"\[SkipLocalsInit\]",
            "large locals are cleared wherever the method is inlined: NoInlining beside it" },
        { "src/", @"\.Log(Trace|Debug|Information|Warning|Error|Critical)?\s*\(",
            "what is logged is an event with an id: src/Dns.Telemetry/Events/" },
        { "src/Dns.Forwarding/", Walks, "records of messages are read by RecordReader" },
        { "src/Dns.Management/", Walks, "records of messages are read by RecordReader" },
        { "src/Dns.Commands/", Walks, "records of messages are read by RecordReader" },
        { "src/Dns.Server/", Walks, "records of messages are read by RecordReader" },
        { "src/", @"\b(private|internal)\s+const\s+int\s+\w*FixedOctets\s*=\s*10\s*;",
            "the fixed part of a record is RecordReader.FixedOctets" },
        { "src/", @"\basync\s+void\b", "an async void that throws kills the process" },
    };

    [Theory]
    [MemberData(nameof(Laws))]
    public void A_part_keeps_its_law(string folder, string words, string law) =>
        Diagnostics.None(Exceptions.Remove(Offenders(Repository.Under(folder), words)), law);

    [Fact]
    public void The_laws_catch_what_they_name()
    {
        string sample =
            "Console.Write(DateTime.UtcNow); lock (x) { } var s = new Socket(a); y.Where(z => z); [SkipLocalsInit] " +
                "async void F() { log.LogError(e); }"
            + " if (octet >= 0xC0) private const int FixedOctets = 10;";
        IEnumerable<string> words = Laws.Select(row => row.Data.Item2);
        Assert.All(words, word => Assert.True(Regex.IsMatch(sample + " RRType.A", word), word));
    }

    [Fact]
    public void A_listed_exception_is_still_needed() =>
        Diagnostics.None(
            from e in Exceptions.Words
            where !Laws.Any(law => Offenders(Repository.Under(law.Data.Item1), law.Data.Item2)
                .Any(offender => Exceptions.Matches(offender, e.Path, e.Word)))
            select $"{e.Path}: {e.Word}",
            "no longer needed");

    [Fact]
    public void Unsafe_code_and_native_calls_stay_where_they_may_live()
    {
        string[] allowed =
            ["src/Dns.Transport/", "src/Dns.Dnssec/Keys/Native/", "src/Dns.Hosting/Native/", "src/Dns.Files/Native/",
                "src/Dns.Protocol/SystemRandom.cs", "src/Dns.Zones/Building/ZoneMemory.cs",
                "src/Dns.Providers/MasterFile/FileIdentity.cs"];
        const string words = @"\bunsafe\b|\bfixed\s*\(|\bDllImport\b|\bLibraryImport\b|\bNativeMemory\b";
        Diagnostics.None(
            Exceptions.Remove(Offenders(
                Repository.Under("src/")
                    .Where(file => !allowed.Any(a => file.Path.StartsWith(a, StringComparison.Ordinal))),
                words)),
            "unsafe code and P/Invoke live in Dns.Transport, in Dns.Dnssec's Keys/Native, in Dns.Hosting's Native, " +
                "in SystemRandom, ZoneMemory and FileIdentity");
    }

    [Fact]
    public void Unit_tests_do_not_touch_the_network()
    {
        string[] allowed = ["tests/Dns.Transport.Tests/", "tests/Dns.Integration.Tests/", "tests/Dns.Testing/"];
        Diagnostics.None(
            Exceptions.Remove(Offenders(
                Repository.Under("tests/")
                    .Where(file => !allowed.Any(a => file.Path.StartsWith(a, StringComparison.Ordinal))),
                Sockets)),
            "sockets are for the tests of the transport and of the whole program, on loopback");
    }

    [Fact]
    public void The_console_is_written_only_by_commands_the_log_and_dnsbench()
    {
        string[] allowed =
        [
            "src/Dns.Server/Program.cs", "src/Dns.Commands/", "src/Dns.Hosting/Log/",
            "src/Dns.Hosting/Services/SystemdErrorWriter.cs", "src/Dns.Telemetry/Recording/StandardStreams.cs",
        ];
        Diagnostics.None(
            Offenders(
                Repository.Under("src/", "tests/")
                    .Where(file => !allowed.Any(a => file.Path.StartsWith(a, StringComparison.Ordinal))),
                Console),
            "only commands, the log, and a query log that goes there, write to the console");
    }

    private static IEnumerable<string> Offenders(IEnumerable<SourceFile> files, string words)
    {
        Regex pattern = new(words);
        return files.SelectMany(file => file.Find(pattern, file.Code));
    }
}
