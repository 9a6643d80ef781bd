using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Text.Json;
using Dns.Testing;

namespace Dns.Integration.Tests;

/// <summary>The log of queries, dnstap and OTLP, of the program itself.</summary>
public sealed class RecordingTests : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(3);

    private readonly string _folder = Directory.CreateTempSubdirectory("dnsd-recording").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private string PathOf(string name) => Path.Combine(_folder, name);

    private async Task ServeAsync(int queries, params (string, string)[] environment)
    {
        using DnsdProcess dnsd = DnsdProcess.Start(_folder, ["run", "--listen", "127.0.0.1:0"], environment);
        IPEndPoint server = await dnsd.WaitUntilLoadedAsync();
        for (int i = 0; i < queries; i++)
            await (i % 2 == 0
                ? Client.AskUdpOnceAsync(server, "www.example.com A")
                : Client.AskTcpAsync(server, "none.example.com A"));
        await dnsd.TerminateAsync();
        Assert.Equal(0, await dnsd.WaitForExitAsync());
        Assert.DoesNotContain(dnsd.Lines, line => line.Contains("lost"));
    }

    [Fact]
    public async Task Every_answer_is_logged_and_in_the_dnstap_file()
    {
        await ServeAsync(6, ("Dns__QueryLog__File", PathOf("queries")), ("Dns__Dnstap__File", PathOf("tap")));
        JsonElement[] lines =
            [.. File.ReadAllLines(PathOf("queries")).Select(line => JsonDocument.Parse(line).RootElement)];
        Assert.Equal(
            Enumerable.Range(0, 6).Select(
                i => i % 2 == 0 ? ("udp", "www.example.com.", "NOERROR") : ("tcp", "none.example.com.", "NXDOMAIN")),
            lines.Select(line => (Text(line, "transport"), Text(line, "name"), Text(line, "rcode"))));
        Assert.Equal(6, DnstapReading.Frames(File.ReadAllBytes(PathOf("tap"))).Length);

        static string Text(JsonElement line, string key) => line.GetProperty(key).GetString()!;
    }

    [LinuxFact]
    public async Task Log_and_queries_share_standard_output_as_lines_of_json()
    {
        const int queries = 200;
        using DnsdProcess dnsd = DnsdProcess.Start(
            _folder, ["run", "--listen", "127.0.0.1:0"], ("Dns__QueryLog__File", "/dev/stdout"),
            ("Dns__Log__Format", "json"));
        IPEndPoint server = await dnsd.WaitUntilLoadedAsync();
        for (int i = 0; i < queries; i++) await Client.AskUdpOnceAsync(server, "www.example.com A");
        await dnsd.TerminateAsync();
        Assert.Equal(0, await dnsd.WaitForExitAsync());
        Assert.DoesNotContain(dnsd.Lines, line => line.StartsWith("stderr: ", StringComparison.Ordinal));
        JsonElement[] lines = [.. dnsd.Lines.Select(line => JsonDocument.Parse(line).RootElement)];
        Assert.Equal(queries, lines.Count(line => line.TryGetProperty("client", out _)));
        Assert.Contains(lines, line => line.TryGetProperty("event", out JsonElement id) && id.GetString() == "D201");
        Assert.Contains(lines,
            line => line.TryGetProperty("message", out JsonElement text) && text.GetString() == "Stopped");
    }

    [LinuxFact]
    public async Task Standard_output_that_is_a_file_keeps_what_the_log_has_written()
    {
        string file = PathOf("output");
        using SemaphoreSlim written = new(0);
        using FileSystemWatcher watcher = new(_folder, "output");
        watcher.Changed += (_, _) => written.Release();
        watcher.EnableRaisingEvents = true;
        using DnsdProcess dnsd = DnsdProcess.Start(
            "sh", ["-c", $"exec \"$@\" > '{file}'", "sh", "dotnet"], _folder,
            ["run", "--listen", "127.0.0.1:0", "--config", Examples],
            ("Dns__QueryLog__File", "/dev/stdout"), ("Dns__Log__Format", "json"));
        do Assert.True(await written.WaitAsync(Patience));
        while (!File.ReadAllText(file).Contains("\"D201\"", StringComparison.Ordinal));
        string listening = File.ReadAllLines(file).First(line => line.Contains("\"D101\"", StringComparison.Ordinal));
        JsonElement address = JsonDocument.Parse(listening).RootElement.GetProperty("properties")
            .GetProperty("Address");
        IPEndPoint server = IPEndPoint.Parse(address.GetString()!);
        for (int i = 0; i < 20; i++) await Client.AskUdpOnceAsync(server, "www.example.com A");
        await dnsd.TerminateAsync();
        Assert.Equal(0, await dnsd.WaitForExitAsync());
        string[] lines = File.ReadAllLines(file);
        Assert.All(lines, line => JsonDocument.Parse(line));
        Assert.Equal(20, lines.Count(line => line.Contains("\"client\"", StringComparison.Ordinal)));
        Assert.Contains(lines, line => line.Contains("\"D108\"", StringComparison.Ordinal));
        Assert.Contains(lines, line => line.Contains("\"D102\"", StringComparison.Ordinal));
    }

    private static string Examples => Path.Combine(DnsdProcess.ProgramFolder, "examples", "dnsd.json");

    [ToolFact("dnstap-ldns")]
    public async Task Another_program_reads_our_dnstap()
    {
        await ServeAsync(2, ("Dns__Dnstap__File", PathOf("tap")), ("Dns__Identity", "ns-of-the-test"));
        using Process reader = Process
            .Start(new ProcessStartInfo("dnstap-ldns", ["-r", PathOf("tap"), "-y"]) { RedirectStandardOutput = true })!;
        string text = await reader.StandardOutput.ReadToEndAsync().WaitAsync(Patience);
        Assert.Contains("AUTH_RESPONSE", text);
        Assert.Contains("ns-of-the-test", text);
        Assert.Contains("www.example.com", text);
    }

    [Fact]
    public async Task A_reader_of_dnstap_that_comes_and_goes_gets_what_comes_meanwhile()
    {
        string path = PathOf("tap.sock");
        using Socket listener = new(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        listener.Bind(new UnixDomainSocketEndPoint(path));
        listener.Listen(1);
        using DnsdProcess dnsd =
            DnsdProcess.Start(_folder, ["run", "--listen", "127.0.0.1:0"], ("Dns__Dnstap__Socket", path));
        IPEndPoint server = await dnsd.WaitUntilLoadedAsync();
        for (int turn = 0; turn < 2; turn++)
        {
            Task<Socket> accepting = listener.AcceptAsync();
            while (!accepting.IsCompleted) await Client.AskUdpOnceAsync(server, "www.example.com A");
            using Socket reader = await accepting;
            reader.ReceiveTimeout = (int)Patience.TotalMilliseconds;
            Assert.Equal(4u, ReadControl(reader));
            reader.Send(Control(1));
            Assert.Equal(2u, ReadControl(reader));
            await Client.AskUdpOnceAsync(server, "www.example.com A");
            byte[] frame = Read(reader, (int)Number(Read(reader, 4)));
            Assert.Contains("dnsd", Encoding.UTF8.GetString((byte[])DnstapReading.Fields(frame)[2]));
        }
        await dnsd.TerminateAsync();
        Assert.Equal(0, await dnsd.WaitForExitAsync());
    }

    [Fact]
    public async Task A_reader_of_dnstap_that_is_not_there_is_told()
    {
        string path = Path.Combine(_folder, "nobody");
        using DnsdProcess dnsd =
            DnsdProcess.Start(_folder, ["run", "--listen", "127.0.0.1:0"], ("Dns__Dnstap__Socket", path));
        await Client.AskUdpOnceAsync(await dnsd.WaitUntilLoadedAsync(), "www.example.com A");
        await dnsd.WaitForLineAsync($"Records of dnstap socket {path} were lost: 1, no process listens there");
    }

    [Fact]
    public async Task A_collector_that_hangs_does_not_hold_up_the_stop()
    {
        using TcpListener deaf = new(IPAddress.Loopback, 0);
        deaf.Start();
        using DnsdProcess dnsd =
            DnsdProcess.Start(
                _folder, ["run", "--listen", "127.0.0.1:0"], ("Dns__Telemetry__Otlp", $"http://{deaf.LocalEndpoint}/"),
                // What is sent last would wait for the collector longer than the test waits for the end.
                ("OTEL_EXPORTER_OTLP_TIMEOUT", "3600000"));
        await dnsd.WaitForLineAsync("Sending metrics to ");
        await dnsd.TerminateAsync();
        Assert.Equal(0, await dnsd.WaitForExitAsync());
    }

    [Fact]
    public async Task Metrics_go_to_a_collector()
    {
        using HttpListener collector = new();
        using PortLease port = PortLease.Take();
        string address = $"http://{port.Loopback}/";
        collector.Prefixes.Add(address);
        collector.Start();
        // The metrics of the end are sent within a second, or not at all on a busy machine.
        using DnsdProcess dnsd = DnsdProcess.Start(_folder, ["run", "--listen", "127.0.0.1:0"],
            ("Dns__Telemetry__Otlp", address), ("OTEL_METRIC_EXPORT_INTERVAL", "200"));
        IPEndPoint server = await dnsd.WaitUntilLoadedAsync();
        await dnsd.WaitForLineAsync("Sending metrics to ");
        for (int i = 0; i < 3; i++) await Client.AskUdpOnceAsync(server, "www.example.com A");
        (string Name, OtlpReading.Point[] Histogram)[] metrics;
        byte[] body;
        do
        {
            (string? path, body) = await ReceiveAsync(collector).WaitAsync(Patience);
            Assert.Equal("/v1/metrics", path);
            metrics = [.. OtlpReading.Metrics(body)];
        }
        while (!metrics.Any(metric => metric.Name == "dnsd_answer_seconds" && metric.Histogram is [{ Count: 3 }, ..])
            // At this interval the first export can come before all instruments are known.
            || !metrics.Any(metric => metric.Name == "dnsd_zones_records"));
        await dnsd.TerminateAsync();
        // A histogram and not its parts; said by the same resource.
        Assert.DoesNotContain(metrics, metric => metric.Name.EndsWith("_bucket", StringComparison.Ordinal));
        OtlpReading.Point udp = metrics.Single(metric => metric.Name == "dnsd_answer_seconds").Histogram[0];
        Assert.Equal((3ul, "transport=udp"), (udp.Count, udp.Labels));
        Assert.Equal(3ul, udp.Buckets.Aggregate((sum, count) => sum + count));
        Assert.Single(OtlpReading.Resources(body).Distinct());
        Assert.Equal(0, await dnsd.WaitForExitAsync());
    }

    private static async Task<(string?, byte[])> ReceiveAsync(HttpListener collector)
    {
        HttpListenerContext context = await collector.GetContextAsync();
        using MemoryStream body = new();
        await context.Request.InputStream.CopyToAsync(body);
        context.Response.Close();
        return (context.Request.Url?.AbsolutePath, body.ToArray());
    }

    private static uint ReadControl(Socket socket)
    {
        Assert.Equal(0u, Number(Read(socket, 4)));
        byte[] length = Read(socket, 4);
        ReadOnlySpan<byte> frame = [.. length, .. Read(socket, (int)Number(length))];
        return DnstapReading.ReadControl(ref frame);
    }

    private static byte[] Control(uint type) =>
        [0, 0, 0, 0, 0, 0, 0, 34, 0, 0, 0, (byte)type, 0, 0, 0, 1, 0, 0, 0, 22, .. "protobuf:dnstap.Dnstap"u8];

    private static uint Number(byte[] octets) => System.Buffers.Binary.BinaryPrimitives.ReadUInt32BigEndian(octets);

    private static byte[] Read(Socket socket, int count)
    {
        byte[] octets = new byte[count];
        for (int have = 0; have < count;)
        {
            int received = socket.Receive(octets.AsSpan(have));
            Assert.NotEqual(0, received);
            have += received;
        }
        return octets;
    }
}
