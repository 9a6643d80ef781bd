using System.Collections.Concurrent;
using System.Diagnostics;
using System.Net;
using System.Net.Sockets;

namespace Dns.Integration.Tests;

/// <summary>
/// The files of <c>dnsd query</c> are read once, so that they can be pipes, against a server that sends queries back.
/// </summary>
public sealed class QueryFileTests : IDisposable
{
    // Offsets of octets in a query for a.example.
    private const int Additional = 11, TypeOfExample = 23;
    private readonly string _folder = Directory.CreateTempSubdirectory("dns-query-files").FullName;
    private readonly Socket _server = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
    private readonly ConcurrentQueue<byte[]> _queries = [];
    private readonly StringWriter _output = new(), _errors = new();
    private RRType? _unanswered;
    private readonly string[] _at;

    public QueryFileTests()
    {
        _server.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        _at = ["@127.0.0.1", "-p", ((IPEndPoint)_server.LocalEndPoint!).Port.ToString()];
        _ = SendBackAsync();
    }

    public void Dispose()
    {
        _server.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [Fact]
    public async Task Anchors_of_a_pipe_give_a_verdict_for_each_type()
    {
        if (OperatingSystem.IsWindows()) Assert.Skip("a pipe has no path");
        string anchor = Pipe("a.example. IN DS 1 13 2 " + new string('A', 64));
        Assert.Equal(1, await RunAsync(["query", "a.example", "A", "MX", .. _at, "--anchor", anchor]));
        Assert.Equal(3, _output.ToString().Split(";; VERDICT: bogus: there is no DNSKEY at a.example.").Length);
        Assert.Empty(_errors.ToString());
    }

    [Fact]
    public async Task A_key_of_a_pipe_signs_the_query_of_each_type()
    {
        if (OperatingSystem.IsWindows()) Assert.Skip("a pipe has no path");
        string key = Pipe("""{ "Name": "k1.", "Algorithm": "hmac-sha256", "Secret": "MTIzNDU2Nzg5MDEyMzQ1Ng==" }""");
        await RunAsync(["query", "a.example", "A", "MX", .. _at, "--key", key]);
        // Besides OPT there is TSIG.
        Assert.Equal([2, 2], _queries.Select(query => query[Additional]));
    }

    [Fact]
    public async Task A_server_that_does_not_answer_for_keys_leaves_the_answer_indeterminate()
    {
        _unanswered = RRType.DNSKEY;
        string anchor = Path.Combine(_folder, "anchor");
        File.WriteAllText(anchor, "a.example. IN DS 1 13 2 " + new string('A', 64));
        Assert.Equal(1, await RunAsync(["query", "a.example", .. _at, "--anchor", anchor, "--timeout", "0.1"]));
        Assert.Contains(";; VERDICT: indeterminate: there is no answer for DNSKEY at a.example.: "
            + "no reply within 3 times 0.1 s", _output.ToString());
    }

    [Theory]
    [InlineData("--anchor", "the file is not there")]
    [InlineData("--anchor", "expected a DS or DNSKEY record, found none")]
    [InlineData("--key", "the file is not there")]
    [InlineData("--key", "expected one key as \"dnsd tsig generate NAME\" prints it")]
    public async Task A_file_that_cannot_be_used_is_reported_and_nothing_is_sent(string option, string expected)
    {
        bool isThere = expected.StartsWith("expected", StringComparison.Ordinal);
        string file = isThere ? Path.Combine(_folder, "file") : Path.Combine(_folder, "none");
        if (isThere) File.WriteAllText(file, "; nothing\n");
        Assert.Equal(2, await RunAsync(["query", "a.example", .. _at, option, file]));
        Assert.StartsWith($"dnsd: error: {option}: {file}:", _errors.ToString());
        if (isThere) Assert.Contains(expected, _errors.ToString());
        Assert.Empty(_queries);
    }

    private Task<int> RunAsync(params string[] args) =>
        Task.Run(() => DnsdCommand.InvokeAsync(args, _output, _errors)).WaitAsync(TimeSpan.FromSeconds(30));

    /// <summary>A pipe with a text that is written once.</summary>
    private string Pipe(string text)
    {
        string path = Path.Combine(_folder, "pipe");
        Assert.True(Process.Start("mkfifo", [path]).WaitForExit(60_000));
        _ = Task.Run(() => File.WriteAllText(path, text + "\n"));
        return path;
    }

    private async Task SendBackAsync()
    {
        byte[] buffer = new byte[512];
        try
        {
            while (true)
            {
                SocketReceiveFromResult received =
                    await _server.ReceiveFromAsync(buffer, new IPEndPoint(IPAddress.Any, 0));
                _queries.Enqueue(buffer[..received.ReceivedBytes]);
                if (_unanswered is { } type && buffer[TypeOfExample + 1] == (byte)type) continue;
                buffer[2] |= 0x80;
                await _server.SendToAsync(buffer.AsMemory(0, received.ReceivedBytes), received.RemoteEndPoint);
            }
        }
        catch (Exception error) when (error is SocketException or ObjectDisposedException)
        {
            // The end of the test.
        }
    }
}
