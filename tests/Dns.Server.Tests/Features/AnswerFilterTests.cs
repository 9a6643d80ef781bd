using System.Net;
using System.Text;
using Dns.Testing;

namespace Dns.Server.Tests.Features;

/// <summary>Which answers are in the log of queries.</summary>
public sealed class AnswerFilterTests : IDisposable
{
    private readonly SettingsFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    private AnswerFilter Filter(string settings)
    {
        QueryLogOptions options = _folder.Options($$"""{ "QueryLog": {{settings}} }""").QueryLog;
        return new AnswerFilter(options.Clients, options.Zones, options.Rcodes);
    }

    private static byte[] Answer(string question, Rcode rcode)
    {
        byte[] message = QueryMessage.For(question).ToOctets();
        (message[2], message[3]) = (0x80, (byte)rcode);
        return message;
    }

    [Theory]
    [InlineData("{}", true)]
    [InlineData("""{ "Clients": [], "Zones": [], "Rcodes": [] }""", true)]
    [InlineData("""{ "Clients": [ "192.0.2.0/24" ] }""", true)]
    [InlineData("""{ "Clients": [ "198.51.100.0/24", "192.0.2.7" ] }""", true)]
    [InlineData("""{ "Clients": [ "192.0.2.8", "2001:db8::/32" ] }""", false)]
    [InlineData("""{ "Zones": [ "example.com" ] }""", true)]
    [InlineData("""{ "Zones": [ "www.EXAMPLE.com." ] }""", true)]
    [InlineData("""{ "Zones": [ "net", "." ] }""", true)]
    [InlineData("""{ "Zones": [ "a.www.example.com" ] }""", false)]
    [InlineData("""{ "Zones": [ "w.example.com", "ple.com" ] }""", false)]
    [InlineData("""{ "Rcodes": [ "NXDOMAIN" ] }""", true)]
    [InlineData("""{ "Rcodes": [ "noerror", "nxdomain" ] }""", true)]
    [InlineData("""{ "Rcodes": [ "NOERROR", "SERVFAIL" ] }""", false)]
    [InlineData("""{ "Clients": [ "192.0.2.7" ], "Zones": [ "com" ], "Rcodes": [ "NXDOMAIN" ] }""", true)]
    [InlineData("""{ "Clients": [ "192.0.2.7" ], "Zones": [ "com" ], "Rcodes": [ "REFUSED" ] }""", false)]
    [InlineData("""{ "Clients": [ "192.0.2.7" ], "Zones": [ "net" ], "Rcodes": [ "NXDOMAIN" ] }""", false)]
    [InlineData("""{ "Clients": [ "192.0.2.6" ], "Zones": [ "com" ], "Rcodes": [ "NXDOMAIN" ] }""", false)]
    public void An_answer_is_taken_if_it_fits_every_list(string settings, bool isTaken)
    {
        ClientAddress client = ClientAddress.From(IPEndPoint.Parse("192.0.2.7:5353"));
        Assert.Equal(isTaken, Filter(settings).Takes(Answer("wWw.example.com A", Rcode.NXDomain), ref client));
    }

    [Fact]
    public void A_header_alone_is_in_no_zone()
    {
        ClientAddress client = default;
        byte[] header = [0, 1, 0x80, 1, 0, 0, 0, 0, 0, 0, 0, 0];
        Assert.False(Filter("""{ "Zones": [ "." ] }""").Takes(header, ref client));
        Assert.True(Filter("""{ "Rcodes": [ "FORMERR" ] }""").Takes(header, ref client));
    }

    [Theory]
    [InlineData("""{ "Zones": [ "a..b" ] }""",
        "Dns:QueryLog:Zones:0 is \"a..b\": expected a domain name in ASCII (international names as xn--...)")]
    [InlineData("""{ "Zones": "com" }""", "Dns:QueryLog:Zones is \"com\": expected a list of names such as")]
    [InlineData("""{ "Rcodes": [ "NOERROR", "NXDOMIAN" ] }""",
        "Dns:QueryLog:Rcodes:1 is \"NXDOMIAN\": expected one of NOERROR, FORMERR, SERVFAIL")]
    [InlineData("""{ "Rcodes": [ "BADVERS" ] }""", "Dns:QueryLog:Rcodes:0 is \"BADVERS\": expected one of")]
    [InlineData("""{ "Clients": [ "10/8" ] }""", "Dns:QueryLog:Clients:0 is \"10/8\": expected a network")]
    public void What_is_no_filter_is_an_error(string settings, string problem) =>
        Assert.Contains(problem, Assert.Single(_folder.Problems($$"""{ "Dns": { "QueryLog": {{settings}} } }""")));

    [Fact]
    public void What_is_left_out_is_neither_written_nor_lost_and_the_share_is_of_the_rest()
    {
        ClientAddress client = ClientAddress.From(IPEndPoint.Parse("192.0.2.7:5353"));
        string file = Path.Combine(_folder.Root, "queries");
        VirtualClock clock = new();
        using AnswerRecorder recorder = new(
            new QueryLogSink(file, QueryLogFormat.Json, clock), 1, clock,
            Microsoft.Extensions.Logging.Abstractions.NullLogger<AnswerRecorder>.Instance)
        {
            Filter = Filter("""{ "Rcodes": [ "SERVFAIL" ] }"""),
        };
        AnswerFacts facts = new(AnswerOrigin.Datagram, DnsTransport.Udp, 0, 1);
        foreach (Rcode rcode in (Rcode[])[Rcode.NoError, Rcode.ServFail, Rcode.NXDomain])
            recorder.OnAnswer(Answer("www.example.com A", rcode), ref client, in facts);
        recorder.Drain();
        Assert.Contains("\"SERVFAIL\"", Assert.Single(File.ReadAllLines(file)));
        Assert.Equal((1, 0), (recorder.Written, recorder.Lost));
    }

    [Fact]
    public void The_filter_allocates_nothing()
    {
        AnswerFilter filter =
            Filter("""{ "Clients": [ "192.0.2.0/24" ], "Zones": [ "net", "com" ], "Rcodes": [ "NXDOMAIN" ] }""");
        ClientAddress client = ClientAddress.From(IPEndPoint.Parse("192.0.2.7:5353"));
        byte[] answer = Answer("www.example.com A", Rcode.NXDomain);
        Assert.Equal(0, AllocatedOctets.Least(() =>
        {
            for (int i = 0; i < 1000; i++) filter.Takes(answer, ref client);
        }));
    }

    [Fact]
    public void Lines_for_a_pipe_are_written_whole_and_several_at_once()
    {
        string[] lines =
            [.. Enumerable.Range(0, 300).Select(i => new string('x', i * 7 % 1000 + (i == 150 ? 5000 : 0)) + "\n")];
        Pieces pieces = new();
        StandardStreams.WriteLines(pieces, Encoding.ASCII.GetBytes(string.Concat(lines)));
        Assert.Equal(string.Concat(lines), string.Concat(pieces.Written));
        Assert.All(pieces.Written, piece => Assert.EndsWith("\n", piece));
        Assert.All(pieces.Written, piece => Assert.True(piece.Length <= 4096 || piece.Count(c => c == '\n') == 1));
        Assert.InRange(pieces.Written.Count, 1, lines.Length / 4);
        StandardStreams.WriteLines(pieces, "no end"u8);
        Assert.Equal("no end", pieces.Written[^1]);
    }

    private sealed class Pieces : MemoryStream
    {
        public List<string> Written { get; } = [];

        public override void Write(ReadOnlySpan<byte> buffer) => Written.Add(Encoding.ASCII.GetString(buffer));
    }
}
