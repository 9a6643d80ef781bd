using System.Globalization;
using System.Net;
using System.Net.Sockets;
using Dns.Testing;

namespace Dns.Integration.Tests;

/// <summary>
/// Floods and hoards of connections against the program itself: memory has a bound, and others are served.
/// </summary>
public sealed class AbuseTests : IDisposable
{
    private const int Connections = 10_000;
    private const int PerClient = 500;
    private const int Clients = Connections / PerClient;
    private const int ClientsPerPrefix = 4;

    /// <summary>
    /// The most that the heap may hold; beyond it an allocation fails. Unlike the memory of a process at some moment,
    /// it does not depend on when the collector runs.
    /// </summary>
    private static (string, string) Heap(long megabytes) =>
        ("DOTNET_GCHeapHardLimit", (megabytes << 20).ToString("X", CultureInfo.InvariantCulture));

    private readonly string _folder = Directory.CreateTempSubdirectory("dnsd-abuse").FullName;
    private readonly HttpClient _http = new();

    public void Dispose()
    {
        _http.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [Fact]
    public async Task Ten_thousand_idle_connections_take_little_memory_and_others_are_served()
    {
        using DnsdProcess dnsd = DnsdProcess.Start(
            _folder, ["run", "--listen", "127.0.0.1:0"], ("Dns__Tcp__IdleTimeoutSeconds", "600"),
            ("Dns__Admin__Listen", "127.0.0.1:0"), Heap(512));
        IPEndPoint server = await dnsd.WaitUntilLoadedAsync();
        Uri admin = await AdminOf(dnsd);
        await Client.AskTcpAsync(server, "www.example.com A");
        List<Socket> hoard = [];
        try
        {
            for (int client = 0; client < Clients; client++)
                for (int i = 0; i < PerClient; i++) hoard.Add(Connect(server, client));
            // Those that wait in the system's queue are taken in, too.
            while (await MetricAsync(admin, "dnsd_tcp_connections_total{result=\"accepted\"}") < Connections)
                await Task.Yield();
            // One client's hoard costs that client; a descriptor limit may leave room for fewer.
            hoard.Add(Connect(server, 0));
            Assert.Equal("NOERROR aa", (await Client.AskTcpAsync(server, "www.example.com A")).Header);
            Assert.Equal("NOERROR aa", (await Client.AskUdpAsync(server, "www.example.com A")).Header);
            double open = await MetricAsync(admin, "dnsd_tcp_connections");
            Assert.InRange(open, 1, Connections);
            Assert.InRange(await MetricAsync(admin, "dnsd_tcp_buffer_bytes"), 0, Connections * 4096);
            Assert.Equal(0, await MetricAsync(admin, "dnsd_tcp_connections_total{result=\"refused\"}"));
            Assert.True(await MetricAsync(admin, "dnsd_tcp_closed_total{reason=\"room\"}") >= 1);
            Assert.DoesNotContain(dnsd.Lines, line => line.Contains(" ERR "));
        }
        finally
        {
            hoard.ForEach(socket => socket.Dispose());
        }
    }

    [Theory]
    [InlineData(2)]
    [InlineData(20_000)]
    public async Task Thousands_of_messages_announced_as_long_end_neither_TCP_nor_a_server_of_small_memory(int octets)
    {
        const int attackers = 3_000, clients = 8, limitMB = 512;
        using DnsdProcess dnsd = DnsdProcess.Start(
            _folder, ["run", "--listen", "127.0.0.1:0"], ("Dns__Tcp__ReceiveTimeoutSeconds", "600"),
            ("Dns__Admin__Listen", "127.0.0.1:0"), ("DOTNET_GCHeapHardLimit", "0x20000000"));
        IPEndPoint server = await dnsd.WaitUntilLoadedAsync();
        Uri admin = await AdminOf(dnsd);
        byte[] part = [0xFF, 0xFF, .. new byte[octets - 2]];
        List<Socket> hoard = [];
        try
        {
            for (int i = 0; i < attackers; i++)
            {
                hoard.Add(Connect(server, i % clients));
                hoard[^1].SendTimeout = 20_000;
                hoard[^1].Send(part);
            }
            while (await MetricAsync(admin, "dnsd_tcp_connections_total{result=\"accepted\"}") < attackers)
                await Task.Yield();
            Assert.InRange(await MetricAsync(admin, "dnsd_tcp_buffer_bytes"), 1, limitMB / 8 << 20);
            Assert.Equal("NOERROR aa", (await Client.AskTcpAsync(server, "www.example.com A")).Header);
            Assert.Equal("NOERROR aa", (await Client.AskUdpAsync(server, "www.example.com A")).Header);
        }
        finally
        {
            hoard.ForEach(socket => socket.Dispose());
        }
        while (await MetricAsync(admin, "dnsd_tcp_connections") > 0) await Task.Yield();
        Assert.Equal("NOERROR aa", (await Client.AskTcpAsync(server, "www.example.com A")).Header);
        Assert.Equal("ok\n", await _http.GetStringAsync(new Uri(admin, "/health/live")));
        foreach (string loop in (string[])["tcp_accept", "tcp_connection", "tcp_timer"])
            Assert.Equal(0, await MetricAsync(admin, $"dnsd_faults_total{{loop=\"{loop}\"}}"));
        Assert.DoesNotContain(dnsd.Lines, line => line.Contains(" ERR "));
    }

    [Fact]
    public async Task A_flood_of_forged_clients_takes_no_memory_and_is_limited()
    {
        const int flood = 100_000, warm = 10_000;
        long began = Environment.TickCount64;
        // Whoever may speak for others can say any source, as a forger can.
        using DnsdProcess dnsd = DnsdProcess.Start(
            _folder, ["run", "--listen", "127.0.0.1:0"], ("Dns__Proxy__From__0", "127.0.0.1"),
            ("Dns__Admin__Listen", "127.0.0.1:0"),
            ("Dns__RateLimit__Mode", "on"), ("Dns__RateLimit__Table", "1000"), Heap(128));
        IPEndPoint server = await dnsd.WaitUntilLoadedAsync();
        Uri admin = await AdminOf(dnsd);
        await SendAsync(server, admin, warm, before: 0);
        double table = await MetricAsync(admin, "dnsd_rate_limit_bytes");
        await SendAsync(server, admin, flood, before: warm);
        Assert.Equal(table, await MetricAsync(admin, "dnsd_rate_limit_bytes"));
        Assert.InRange(table, 8 * 1000, 8 * 4096);
        Assert.True(await MetricAsync(admin, "dnsd_rate_limit_total{verdict=\"dropped\"}") > 0);
        using (UdpClient bare = new(AddressFamily.InterNetwork))
        {
            await bare.SendAsync(QueryMessage.For("www.example.com A").ToOctets(), server);
            while (await MetricAsync(admin, "dnsd_bad_proxy_headers_total{transport=\"udp\"}") < 1) await Task.Yield();
        }
        Assert.DoesNotContain(dnsd.Lines, line => line.Contains(" ERR "));
        // A line a second at most, however many answers are over the limit.
        await dnsd.WaitForLineAsync("Rate limit: ");
        Assert.InRange(dnsd.Lines.Count(line => line.Contains("Rate limit: ")), 1,
            (Environment.TickCount64 - began) / 1000 + 1);
    }

    /// <summary>
    /// Sends queries of many clients, in pieces that the receive buffer holds, and waits until they were received.
    /// </summary>
    private async Task SendAsync(IPEndPoint server, Uri admin, int count, int before)
    {
        const int piece = 250;
        byte[] query = QueryMessage.For("www.example.com A").ToOctets();
        using Socket socket = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        socket.Connect(server);
        Random random = new(before);
        byte[] datagram = [.. "\r\n\r\n\0\r\nQUIT\n"u8, 0x21, 0x12, 0, 12, .. new byte[12], .. query];
        for (int sent = 0; sent < count;)
        {
            for (int i = 0; i < piece; i++, sent++)
            {
                // One in four is of the network that is to be hit.
                random.NextBytes(datagram.AsSpan(16, 4));
                if (i % 4 == 0) (datagram[16], datagram[17], datagram[18]) = (198, 51, 100);
                datagram[25] = 53;
                socket.Send(datagram);
            }
            while (await MetricAsync(admin, "dnsd_queries_total{transport=\"udp\"}")
                + await MetricAsync(admin, "dnsd_udp_kernel_drops_total") < before + sent) await Task.Yield();
        }
    }

    private static Socket Connect(IPEndPoint server, int client)
    {
        Socket socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        socket.Bind(new IPEndPoint(
            new IPAddress([127, 1, (byte)(client / ClientsPerPrefix), (byte)(1 + client % ClientsPerPrefix)]), 0));
        socket.Connect(server);
        return socket;
    }

    private static async Task<Uri> AdminOf(DnsdProcess dnsd)
    {
        string line = await dnsd.WaitForLineAsync("Admin port on ");
        return new Uri(line[line.IndexOf("http://", StringComparison.Ordinal)..]);
    }

    private async Task<double> MetricAsync(Uri admin, string series)
    {
        string text = await _http.GetStringAsync(new Uri(admin, "/metrics"));
        string line = text.Split('\n').Single(one => one.StartsWith(series + " ", StringComparison.Ordinal));
        return double.Parse(line[(series.Length + 1)..], CultureInfo.InvariantCulture);
    }
}
