using System.Net;
using System.Net.Http.Headers;
using System.Net.Sockets;
using System.Text;
using System.Text.Json;

namespace Dns.Integration.Tests;

/// <summary>The admin port of the program itself.</summary>
public sealed class AdminTests : IDisposable
{
    private const string Token = "a-token-of-the-tests";
    private const string AnyPort = "127.0.0.1:0";

    private readonly string _folder = Directory.CreateTempSubdirectory("dnsd-admin").FullName;
    private readonly HttpClient _http = new() { Timeout = TimeSpan.FromMinutes(3) };

    public void Dispose()
    {
        _http.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    private DnsdProcess Start(params (string, string)[] environment) =>
        DnsdProcess.Start(_folder, ["run", "--listen", AnyPort], [("Dns__Admin__Listen", AnyPort), .. environment]);

    private static async Task<Uri> AddressOf(DnsdProcess dnsd)
    {
        string line = await dnsd.WaitForLineAsync("Admin port on ");
        return new Uri(line[line.IndexOf("http://", StringComparison.Ordinal)..]);
    }

    private async Task<string> GetAsync(Uri admin, string path) => await _http.GetStringAsync(new Uri(admin, path));

    [Fact]
    public async Task Metrics_health_and_status_are_served_and_nothing_else()
    {
        using DnsdProcess dnsd = Start();
        IPEndPoint server = await dnsd.WaitUntilLoadedAsync();
        Uri admin = await AddressOf(dnsd);
        for (int i = 0; i < 3; i++) await Client.AskUdpAsync(server, "www.example.com A");
        // More if a reply was late and its query was repeated.
        Assert.Matches("""dnsd_answers_total\{transport="udp",rcode="NOERROR"\} ([3-9]|[1-9][0-9])\n""",
            await GetAsync(admin, "/metrics"));
        Assert.Equal("ok\n", await GetAsync(admin, "/health/live"));
        Assert.StartsWith("ready\nserving 4\n", await GetAsync(admin, "/health/ready"));
        using JsonDocument status = JsonDocument.Parse(await GetAsync(admin, "/api/status"));
        Assert.Equal("www.example.com.", status.RootElement.GetProperty("names")[0].GetProperty("text").GetString());
        JsonElement zone = status.RootElement.GetProperty("zones").GetProperty("list")[0];
        foreach (string field in (string[])["nextRefresh", "expires", "lastError", "failure"])
            Assert.Equal(JsonValueKind.Null, zone.GetProperty(field).ValueKind);
        using HttpResponseMessage page = await _http.GetAsync(admin);
        Assert.Contains("frame-ancestors 'none'", page.Headers.GetValues("Content-Security-Policy").Single());
        Assert.Equal(HttpStatusCode.NotFound, (await _http.GetAsync(new Uri(admin, "/other"))).StatusCode);
        foreach (HttpMethod method in (HttpMethod[])[HttpMethod.Post, HttpMethod.Put, HttpMethod.Delete])
        {
            using HttpRequestMessage request = new(method, new Uri(admin, "/metrics"));
            Assert.Equal(HttpStatusCode.MethodNotAllowed, (await _http.SendAsync(request)).StatusCode);
        }
        using HttpRequestMessage posted = new(HttpMethod.Post, new Uri(admin, "/api/status"));
        using HttpResponseMessage refused = await _http.SendAsync(posted);
        Assert.Equal(["GET", "HEAD"], refused.Content.Headers.Allow.Order());
        Assert.Equal("only GET and HEAD: nothing can be changed here\n", await refused.Content.ReadAsStringAsync());
        using HttpRequestMessage head = new(HttpMethod.Head, new Uri(admin, "/health/live"));
        using HttpResponseMessage length = await _http.SendAsync(head);
        Assert.Equal((HttpStatusCode.OK, 3L, ""),
            (length.StatusCode, length.Content.Headers.ContentLength, await length.Content.ReadAsStringAsync()));
        using HttpRequestMessage foreign = new(HttpMethod.Get, admin) { Headers = { Host = "evil.test" } };
        Assert.Equal(HttpStatusCode.MisdirectedRequest, (await _http.SendAsync(foreign)).StatusCode);
    }

    [Fact]
    public async Task Metrics_are_open_to_others_where_the_settings_say_so_and_the_rest_is_not()
    {
        using DnsdProcess dnsd = Start(("Dns__Admin__Listen", "0.0.0.0:0"), ("Dns__Admin__Open", "metrics"));
        await dnsd.WaitUntilLoadedAsync();
        Uri admin = new UriBuilder(await AddressOf(dnsd)) { Host = "127.0.0.1" }.Uri;
        Assert.Contains("dnsd_queries_total", await GetAsync(admin, "/metrics"));
        Assert.Equal("ok\n", await GetAsync(admin, "/health/live"));
        Assert.Equal("ready\n", await GetAsync(admin, "/health/ready"));
        using HttpRequestMessage service =
            new(HttpMethod.Get, new Uri(admin, "/metrics")) { Headers = { Host = "dnsd.cluster.local" } };
        Assert.Equal(HttpStatusCode.OK, (await _http.SendAsync(service)).StatusCode);
        foreach (string path in (string[])["/", "/api/status", "/api/why?name=example.com"])
            Assert.Equal(HttpStatusCode.Forbidden, (await _http.GetAsync(new Uri(admin, path))).StatusCode);
    }

    [Fact]
    public async Task With_a_token_nothing_is_shown_without_it()
    {
        using DnsdProcess dnsd = Start(("Dns__Admin__Token", Token));
        await dnsd.WaitUntilLoadedAsync();
        Uri admin = await AddressOf(dnsd);
        foreach (string path in (string[])["/", "/metrics", "/api/status", "/api/why?name=example.com"])
            Assert.Equal(HttpStatusCode.Unauthorized, (await _http.GetAsync(new Uri(admin, path))).StatusCode);
        Assert.Equal("ready\n", await GetAsync(admin, "/health/ready"));
        _http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", Token);
        Assert.Contains("dnsd_zones", await GetAsync(admin, "/metrics"));
        Assert.StartsWith("ready\nserving", await GetAsync(admin, "/health/ready"));
        // As a browser sends it.
        _http.DefaultRequestHeaders.Authorization = null;
        Assert.Equal("Basic", (await _http.GetAsync(admin)).Headers.WwwAuthenticate.Single().Scheme);
        _http.DefaultRequestHeaders.Authorization =
            new AuthenticationHeaderValue("Basic", Convert.ToBase64String(Encoding.ASCII.GetBytes("anybody:" + Token)));
        Assert.Contains("<section id=\"zones\">", await GetAsync(admin, "/"));
    }

    [Fact]
    public async Task The_page_and_the_interface_explain_an_answer_and_escape_what_they_were_asked()
    {
        using DnsdProcess dnsd = Start();
        IPEndPoint server = await dnsd.WaitUntilLoadedAsync();
        Uri admin = await AddressOf(dnsd);
        using JsonDocument why = JsonDocument.Parse(await GetAsync(admin, "/api/why?name=www.example.com&type=A"));
        Assert.Equal("www.example.com. A", why.RootElement.GetProperty("question").GetString());
        Assert.StartsWith("zone example.com. serial",
            why.RootElement.GetProperty("steps")[0].GetProperty("source").GetString());
        foreach (string bad in (string[])["", "?name=a..b", "?name=a&type=WRONG", "?name=a&client=b",
            "?name=" + new string('1', 1100)])
            Assert.Equal(HttpStatusCode.BadRequest,
                (await _http.GetAsync(new Uri(admin, "/api/why" + bad))).StatusCode);
        const string script = "<script>alert(1)</script>";
        // In the list of top names, as it came from the network; a query may be no sample.
        const string listed = @"<td>&lt;script&gt;alert\(1\)&lt;/script&gt;.example.com.</td>";
        for (int tries = 0; tries < 100 && !(await GetAsync(admin, "/")).Contains(listed); tries++)
            await Client.AskUdpAsync(server, script + ".example.com A");
        foreach (string path in (string[])[$"/?name={Uri.EscapeDataString(script)}",
            $"/?name=a&type={Uri.EscapeDataString(script)}",
            $"/?name=a&client={Uri.EscapeDataString(script)}", $"/?zones={Uri.EscapeDataString(script)}"])
        {
            string page = await GetAsync(admin, path);
            Assert.Contains("&lt;script&gt;alert(1)", page);
            Assert.DoesNotContain("<script>alert", page);
            Assert.Contains(listed, page);
        }
        Assert.Contains("<p><strong>www.example.com. A</strong>", await GetAsync(admin, "/?name=www.example.com"));
    }

    [Fact]
    public async Task Who_shows_no_token_keeps_no_connection_and_shuts_nobody_out()
    {
        using DnsdProcess dnsd = Start(("Dns__Admin__Token", Token));
        await dnsd.WaitUntilLoadedAsync();
        Uri admin = await AddressOf(dnsd);
        List<TcpClient> hoard = [];
        foreach (string path in (string[])["/metrics", "/health/live", "/", "/nothing"])
            for (int i = 0; i < 10; i++)
            {
                TcpClient client = new();
                hoard.Add(client);
                await client.ConnectAsync(IPAddress.Loopback, admin.Port);
                await client.GetStream()
                    .WriteAsync(Encoding.ASCII.GetBytes($"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"));
                // To its end: the connection is closed.
                using StreamReader answer = new(client.GetStream());
                Assert.StartsWith("HTTP/1.1 ", await answer.ReadToEndAsync().WaitAsync(TimeSpan.FromMinutes(3)));
            }
        _http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", Token);
        Assert.Contains("dnsd_zones", await GetAsync(admin, "/metrics"));
        hoard.ForEach(client => client.Dispose());
    }

    [Fact]
    public async Task Silent_connections_shut_nobody_out_of_the_admin_port()
    {
        using DnsdProcess dnsd = Start();
        await dnsd.WaitUntilLoadedAsync();
        Uri admin = await AddressOf(dnsd);
        List<Socket> silent = [];
        try
        {
            // Of our own address, and of as many others as it takes to have every connection there is.
            for (int i = 0; i < 80; i++)
            {
                Socket socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
                silent.Add(socket);
                socket.Bind(new IPEndPoint(new IPAddress([127, 0, 0, (byte)(1 + i % 5)]), 0));
                await socket.ConnectAsync(IPAddress.Loopback, admin.Port);
            }
            Assert.Equal("ok\n", await GetAsync(admin, "/health/live"));
            // Those that are left are closed without a request, too.
            foreach (Socket socket in silent)
                Assert.Equal(0, await ReadEndAsync(socket).WaitAsync(TimeSpan.FromSeconds(30)));
        }
        finally
        {
            silent.ForEach(socket => socket.Dispose());
        }
    }

    [Fact]
    public async Task Requests_of_clients_that_do_not_wait_hold_up_neither_DNS_over_TCP_nor_health()
    {
        using DnsdProcess dnsd = Start();
        IPEndPoint server = await dnsd.WaitUntilLoadedAsync();
        Uri admin = await AddressOf(dnsd);
        Task[] flood = [.. Enumerable.Range(0, 8).Select(_ => Task.Run(() => AskAndLeaveAsync(admin, times: 1500)))];
        Task all = Task.WhenAll(flood);
        while (!all.IsCompleted)
        {
            Assert.Equal("NOERROR aa", (await Client.AskTcpAsync(server, "www.example.com A")).Header);
            if (OperatingSystem.IsLinux()) Assert.InRange(Directory.GetFiles($"/proc/{dnsd.Id}/fd").Length, 1, 500);
        }
        await all;
        Assert.Equal("ok\n", await GetAsync(admin, "/health/live"));
    }

    /// <summary>Sends requests whose replies are never read.</summary>
    private static async Task AskAndLeaveAsync(Uri admin, int times)
    {
        for (int i = 0; i < times; i++)
        {
            using Socket socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
            socket.Bind(new IPEndPoint(new IPAddress([127, 0, 0, (byte)(2 + i % 20)]), 0));
            using CancellationTokenSource full = new(TimeSpan.FromSeconds(1));
            try
            {
                await socket.ConnectAsync(IPAddress.Loopback, admin.Port, full.Token);
                await socket.SendAsync("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"u8.ToArray());
            }
            catch (Exception error) when (error is OperationCanceledException or SocketException)
            {
                // The backlog is full.
            }
        }
    }

    private static async Task<int> ReadEndAsync(Socket socket)
    {
        try
        {
            return await socket.ReceiveAsync(new byte[1]);
        }
        catch (SocketException)
        {
            return 0;
        }
    }

    [Fact]
    public async Task A_port_in_use_is_a_warning_and_queries_are_answered()
    {
        using TcpListener holder = new(IPAddress.Loopback, 0);
        holder.Start();
        using DnsdProcess dnsd = DnsdProcess.Start(
            _folder, ["run", "--listen", AnyPort], ("Dns__Admin__Listen", holder.LocalEndpoint.ToString()!));
        IPEndPoint server = await dnsd.WaitUntilLoadedAsync();
        Assert.Contains(dnsd.Lines,
            line => line.EndsWith($"WRN D708 cannot listen on {holder.LocalEndpoint}, the admin port: "
            + "address in use by another program: this server has no status page and no metrics",
            StringComparison.Ordinal));
        Assert.Equal("NOERROR aa", (await Client.AskUdpAsync(server, "www.example.com A")).Header);
        await dnsd.TerminateAsync();
        Assert.Equal(0, await dnsd.WaitForExitAsync());
    }

    [Fact]
    public async Task A_scraper_that_hangs_holds_up_neither_queries_nor_others()
    {
        using DnsdProcess dnsd = Start();
        IPEndPoint server = await dnsd.WaitUntilLoadedAsync();
        Uri admin = await AddressOf(dnsd);
        List<TcpClient> hanging = [];
        for (int i = 0; i < 20; i++)
        {
            TcpClient client = new() { ReceiveBufferSize = 2048 };
            hanging.Add(client);
            await client.ConnectAsync(IPAddress.Loopback, admin.Port);
            // Half of them never finish their request, half ask again and again and read nothing.
            string request =
                i % 2 == 0 ? "GET /metrics HTTP/1.1\r\nHost: 127" : "GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
            for (int times = 0; times < (i % 2 == 0 ? 1 : 50); times++)
                await client.GetStream().WriteAsync(Encoding.ASCII.GetBytes(request));
        }
        Assert.Equal("NOERROR aa", (await Client.AskUdpAsync(server, "www.example.com A")).Header);
        Assert.Contains("dnsd_zones", await GetAsync(admin, "/metrics"));
        await dnsd.TerminateAsync();
        Assert.Equal(0, await dnsd.WaitForExitAsync());
        hanging.ForEach(client => client.Dispose());
    }
}
