using System.Buffers.Binary;
using System.Net;
using System.Text;
using System.Text.Json;
using Dns.Testing;

namespace Dns.Telemetry.Tests;

public sealed class RecordFileTests : IDisposable
{
    private static readonly DateTimeOffset At =
        new DateTimeOffset(2030, 1, 2, 3, 4, 5, TimeSpan.Zero).AddTicks(1234567);

    private readonly SettingsFolder _folder = new();
    private readonly VirtualClock _clock = new();

    public void Dispose() => _folder.Dispose();

    private string PathOf(string name) => Path.Combine(_folder.Root, name);

    /// <summary>An answer as a record: flags, question, nothing else.</summary>
    private static AnswerRecord Record(string client, int flags, AnswerOrigin source, bool isStream, params byte[] name)
    {
        ClientAddress address = ClientAddress.From(IPEndPoint.Parse(client));
        byte[] message = TelemetrySources.Message(name);
        BinaryPrimitives.WriteUInt16BigEndian(message.AsSpan(2), (ushort)flags);
        AnswerRecord record = new();
        record.Fill(message, ref address,
            new AnswerFacts(source, isStream ? DnsTransport.Tcp : DnsTransport.Udp, 0, 0));
        return record;
    }

    private string[] Logged(QueryLogFormat format, params AnswerRecord[] records)
    {
        string file = PathOf("queries");
        using (QueryLogSink sink = new(file, format, _clock))
        {
            foreach (AnswerRecord record in records) sink.Write(record, At, TimeSpan.FromMicroseconds(12.34));
            sink.Flush();
        }
        return File.ReadAllLines(file);
    }

    [Fact]
    public void A_line_of_text_has_who_what_and_how()
    {
        Assert.Equal(
            [
                "2030-01-02T03:04:05.123456Z 192.0.2.7:5353 udp wWw. IN A NXDOMAIN qr+aa+rd 0 21 12.3",
                "2030-01-02T03:04:05.123456Z [2001:db8::1]:53 tcp . IN A NOERROR qr+tc+ra+ad 0 17 12.3",
            ],
            Logged(QueryLogFormat.Text,
                Record("192.0.2.7:5353", 0x8503, AnswerOrigin.Datagram, false, 3, (byte)'w', (byte)'W', (byte)'w', 0),
                Record("[2001:db8::1]:53", 0x82A0, AnswerOrigin.Forwarded, true, 0)));
    }

    [Fact]
    public void A_line_of_json_is_json_whatever_octets_the_name_has()
    {
        string line = Assert.Single(Logged(QueryLogFormat.Json,
            Record("192.0.2.7:5353", 0x8500, AnswerOrigin.Datagram, false,
                [5, (byte)'"', (byte)'\n', 0, 0xFF, (byte)'<', 0])));
        Assert.Contains("\"flags\":\"qr+aa+rd\"", line);
        using JsonDocument read = JsonDocument.Parse(line);
        Assert.Equal("\\\"\\010\\000\\255<.", read.RootElement.GetProperty("name").GetString());
        Assert.Equal(("192.0.2.7", 5353, "NOERROR", false), (read.RootElement.GetProperty("client").GetString(),
            read.RootElement.GetProperty("port").GetInt32(), read.RootElement.GetProperty("rcode").GetString(),
            read.RootElement.GetProperty("forwarded").GetBoolean()));
    }

    [Theory]
    [InlineData("", true)]
    [InlineData("\n", true)]
    [InlineData("\0\0\0\0", true)]
    [InlineData("{\"time\":\"2026-01-01T00:00:00Z\"}\n", true)]
    [InlineData("2026-01-01T00:00:00.000000Z 192.0.2.1:53 udp\n", true)]
    [InlineData("2.0.2.1:53 udp . IN A\n2026-01-01T00:00:00.000000Z 192.0.2.1:53 udp\n", true)]
    [InlineData("\0\0\n{\"time\":\"2026-01-01T00:00:00Z\"}\n", true)]
    [InlineData("2026-01-01T00:00:00.000Z client @0x7f 192.0.2.1#53 (.): query: . IN A\n", false)]
    [InlineData("{\n  \"zones\": [] }", false)]
    [InlineData("$ORIGIN sub.example.\n", false)]
    [InlineData("2026010100 x", false)]
    [InlineData("a", false)]
    public void A_query_log_is_appended_to_a_query_log_alone(string text, bool isGood)
    {
        foreach (string padding in (string[])["", new string('\0', 100_000)])
        {
            string file = _folder.Write("queries", padding + text);
            using QueryLogSink sink = new(file, QueryLogFormat.Text, _clock);
            sink.Write(Record("192.0.2.7:5353", 0x8500, AnswerOrigin.Datagram, false, 0), At, TimeSpan.Zero);
            if (isGood) sink.Flush();
            else Assert.Contains("expected a file of its own", Assert.Throws<IOException>(sink.Flush).Message);
            Assert.Equal(isGood, File.ReadAllText(file) != padding + text);
            // Moved away, it is none.
            if (isGood) continue;
            File.Delete(file);
            sink.Write(Record("192.0.2.7:5353", 0x8500, AnswerOrigin.Datagram, false, 0), At, TimeSpan.Zero);
            sink.Flush();
            Assert.Single(File.ReadAllLines(file));
        }
    }

    [Theory]
    [InlineData("/dev/stdout")]
    [InlineData("/dev/null")]
    [InlineData("/proc/self/status")]
    public void Files_of_the_system_are_not_read_before_they_are_appended_to(string path) =>
        Assert.Null(QueryLogFile.FindFault(path));

    [Fact]
    public void A_symlink_is_not_read_before_it_is_refused()
    {
        if (OperatingSystem.IsWindows()) Assert.Skip("symlinks need a right");
        File.CreateSymbolicLink(PathOf("link"), _folder.Write("other", "text"));
        Assert.Null(QueryLogFile.FindFault(PathOf("link")));
    }

    [Fact]
    public void A_header_alone_is_logged_without_a_question()
    {
        ClientAddress address = ClientAddress.From(IPEndPoint.Parse("192.0.2.7:5353"));
        AnswerRecord record = new();
        record.Fill([0, 1, 0x80, 1, 0, 0, 0, 0, 0, 0, 0, 0], ref address, default);
        Assert.Contains(" udp - - - FORMERR qr 0 12 ", Assert.Single(Logged(QueryLogFormat.Text, record)));
    }

    [Fact]
    public void A_file_that_was_moved_away_is_begun_anew()
    {
        string file = PathOf("queries");
        AnswerRecord record = Record("192.0.2.7:5353", 0x8500, AnswerOrigin.Datagram, false, 0);
        using QueryLogSink sink = new(file, QueryLogFormat.Text, _clock);
        sink.Write(record, At, default);
        sink.Flush();
        File.Move(file, file + ".1");
        _clock.Advance(1100);
        sink.Write(record, At, default);
        sink.Flush();
        Assert.Equal((1, 1), (File.ReadAllLines(file).Length, File.ReadAllLines(file + ".1").Length));
    }

    [Fact]
    public void A_log_goes_on_where_it_was_at_the_next_start()
    {
        AnswerRecord record = Record("192.0.2.7:5353", 0x8500, AnswerOrigin.Datagram, false, 0);
        Logged(QueryLogFormat.Text, record);
        Assert.Equal(2, Logged(QueryLogFormat.Text, record).Length);
    }

    [Fact]
    public void A_directory_that_is_not_there_is_an_error_each_time_and_no_more()
    {
        using QueryLogSink sink = new(PathOf("none/queries"), QueryLogFormat.Text, _clock);
        for (int i = 0; i < 3; i++)
        {
            sink.Write(Record("192.0.2.7:5353", 0x8500, AnswerOrigin.Datagram, false, 0), At, default);
            Assert.ThrowsAny<IOException>(sink.Flush);
        }
        Directory.CreateDirectory(PathOf("none"));
        sink.Write(Record("192.0.2.7:5353", 0x8500, AnswerOrigin.Datagram, false, 0), At, default);
        sink.Flush();
        Assert.Single(File.ReadAllLines(PathOf("none/queries")));
    }

    [LinuxFact]
    public void A_disk_that_is_full_is_an_error_and_no_end()
    {
        using QueryLogSink sink = new("/dev/full", QueryLogFormat.Text, _clock);
        for (int i = 0; i < 3; i++)
        {
            sink.Write(Record("192.0.2.7:5353", 0x8500, AnswerOrigin.Datagram, false, 0), At, default);
            Assert.ThrowsAny<IOException>(sink.Flush);
        }
    }

    [Fact]
    public void A_capture_of_before_is_kept_under_a_name_with_its_time_and_another_file_is_left_alone()
    {
        string file = PathOf("answers.dnstap");
        AnswerRecord record = Record("192.0.2.7:5353", 0x8500, AnswerOrigin.Datagram, false, 0);
        for (int i = 0; i < 3; i++)
        {
            using DnstapFileSink again = new(file, new DnstapMessage(null, "dnsd 1"), _clock);
            again.Write(record, At, default);
            again.Flush();
        }
        string[] captures = Directory.GetFiles(_folder.Root);
        Assert.Equal(3, captures.Length);
        Assert.All(captures, capture => Assert.Single(DnstapReading.Frames(File.ReadAllBytes(capture))));
        Assert.Contains(captures,
            capture => System.Text.RegularExpressions.Regex.IsMatch(capture, @"answers\.dnstap\.\d{8}T\d{6}Z-1$"));
        File.WriteAllText(file, "@ SOA ns h 1 2 3 4 5\n@ NS ns\nns A 192.0.2.1\n; somebody's zone");
        using DnstapFileSink sink = new(file, new DnstapMessage(null, "dnsd 1"), _clock);
        sink.Write(record, At, default);
        Assert.Contains("another kind of file", Assert.Throws<IOException>(sink.Flush).Message);
        Assert.EndsWith("somebody's zone", File.ReadAllText(file));
    }

    [Fact]
    public void A_dnstap_file_is_a_stream_of_frames_with_a_beginning_and_an_end()
    {
        string file = PathOf("answers.dnstap");
        AnswerRecord ours = Record("192.0.2.7:5353", 0x8500, AnswerOrigin.Datagram, false, 1, (byte)'a', 0);
        AnswerRecord relayed = Record("[2001:db8::1]:53", 0x8180, AnswerOrigin.Forwarded, true, 0);
        using (DnstapFileSink sink = new(file, new DnstapMessage("ns1", "dnsd 1"), _clock))
        {
            sink.Write(ours, At, TimeSpan.FromMilliseconds(1));
            sink.Write(relayed, At, TimeSpan.FromMilliseconds(1));
            sink.Flush();
        }
        byte[][] frames = DnstapReading.Frames(File.ReadAllBytes(file));
        Assert.Equal(2, frames.Length);
        Dictionary<int, object> first = DnstapReading.Fields(frames[0]);
        Assert.Equal(("ns1", "dnsd 1", 1UL),
            (Encoding.UTF8.GetString((byte[])first[1]), Encoding.UTF8.GetString((byte[])first[2]), first[15]));
        Dictionary<int, object> message = DnstapReading.Fields((byte[])first[14]);
        // AUTH_RESPONSE, INET, UDP.
        Assert.Equal((2UL, 1UL, 1UL, 5353UL), (message[1], message[2], message[3], message[6]));
        Assert.Equal([192, 0, 2, 7], (byte[])message[4]);
        Assert.Equal(ours.Message.ToArray(), (byte[])message[14]);
        Assert.Equal(((ulong)At.ToUnixTimeSeconds(), 123456700UL, 124456700UL), (message[8], message[9], message[13]));
        message = DnstapReading.Fields((byte[])DnstapReading.Fields(frames[1])[14]);
        // CLIENT_RESPONSE, INET6, TCP.
        Assert.Equal((6UL, 2UL, 2UL), (message[1], message[2], message[3]));
        Assert.Equal(IPAddress.Parse("2001:db8::1").GetAddressBytes(), (byte[])message[4]);
    }
}
