using System.Net;
using System.Net.Sockets;
using Dns.Integration.Tests.Forwarding;
using Dns.Testing;
using Xunit;

namespace Dns.Integration.Tests;

/// <summary>The whole program in front of others: itself, Unbound, BIND, and one that never answers.</summary>
public sealed class ForwardingTests : IDisposable
{
    private const string Upstream = "up.example";

    private const string UpstreamZone = """
        $TTL 300
        @ SOA ns host 1 7200 3600 1209600 60
        @ NS ns
        ns A 192.0.2.1
        www A 192.0.2.80
        alias CNAME www

        """;

    private const string Local =
        "$TTL 60\n@ SOA ns h 1 2 3 4 5\n@ NS ns\nns A 192.0.2.1\nout CNAME alias.up.example.\n";

    private readonly string _folder = Directory.CreateTempSubdirectory("dnsd-forward-").FullName;
    private readonly List<IDisposable> _running = [];

    public ForwardingTests()
    {
        string many = string.Concat(Enumerable.Range(1, 90).Select(i => $"many A 192.0.2.{i}\n"));
        File.WriteAllText(Path.Combine(_folder, Upstream + ".zone"), UpstreamZone + many);
        File.WriteAllText(Path.Combine(_folder, "local.zone"), Local);
    }

    public void Dispose()
    {
        _running.ForEach(one => one.Dispose());
        Directory.Delete(_folder, recursive: true);
    }

    private PeerServer StartPeer(PeerKind kind)
    {
        PeerServer peer = new PeerServer(kind, _folder, [Upstream]);
        _running.Add(peer);
        return peer;
    }

    private DnsdProcess Start(int upstreamPort, string allowFrom = "127.0.0.0/8", string cacheFile = "kept.cache")
    {
        string settings = Path.Combine(_folder, "forward.json");
        File.WriteAllText(settings, $$"""
            { "Dns": { "Listen": ["127.0.0.1:0"], "Zones": [ { "Name": "local.example", "File": "local.zone" } ],
                "Forward": [ { "Zone": ".", "Upstreams": ["127.0.0.1:{{upstreamPort}}"] } ],
                "Recursion": { "AllowFrom": ["{{allowFrom}}"], "AnswerWithinMs": 4900 }, "Cache": { "File": "{{cacheFile}}" } } }
            """);
        DnsdProcess dnsd = DnsdProcess.Start(_folder, ["run", "--config", settings]);
        _running.Add(dnsd);
        return dnsd;
    }

    private static byte[] Query(string question, int id = 0x2A17) =>
        (QueryMessage.For(question) with { Id = (ushort)id, Flags = MessageHeader.RecursionDesired }).ToOctets();

    private static async Task<Reply> AskAsync(IPEndPoint server, string question)
    {
        using UdpClient client = new(server.AddressFamily);
        client.Connect(server);
        await client.SendAsync(Query(question));
        using CancellationTokenSource deadline = new(TimeSpan.FromMinutes(3));
        return Reply.Read((await client.ReceiveAsync(deadline.Token)).Buffer);
    }

    private static async Task<Reply> AskTcpAsync(IPEndPoint server, string question)
    {
        await using NetworkStream stream = await Client.ConnectAsync(server);
        byte[] query = Query(question);
        await stream.WriteAsync((byte[])[(byte)(query.Length >> 8), (byte)query.Length, .. query]);
        return await Client.ReceiveAsync(stream);
    }

    public static TheoryData<string> Upstreams => ["dnsd", "bind", "unbound"];

    [PeersTheory]
    [MemberData(nameof(Upstreams))]
    public async Task What_is_not_served_is_asked_of_others_and_remembered(string name)
    {
        PeerKind kind = new[] { PeerKind.Ours, PeerKind.Resolver }.Concat(PeerKind.All)
            .First(peer => peer.Name == name);
        PeerServer upstream = StartPeer(kind);
        IPEndPoint server = await Start(upstream.Port).WaitUntilLoadedAsync();

        Reply first = await AskAsync(server, "wWw.Up.example A");
        Assert.Equal("NOERROR rd ra", first.Header);
        Assert.Equal("192.0.2.80", Assert.Single(first.Answer).RdataText);
        Assert.Equal(Query("wWw.Up.example A")[12..], first.Question);
        Assert.Equal(["CNAME", "A"],
            (await AskAsync(server, "alias.up.example A")).Answer.Select(record => RRTypeText.Format(record.Type)));
        Assert.Equal(["CNAME", "CNAME", "A"],
            (await AskAsync(server, "out.local.example A")).Answer.Select(record => RRTypeText.Format(record.Type)));
        Reply missing = await AskAsync(server, "missing.up.example A");
        Assert.Equal(("NXDOMAIN rd ra", RRType.SOA), (missing.Header, Assert.Single(missing.Authority).Type));
        Assert.Equal("NOERROR tc rd ra", (await AskAsync(server, "many.up.example A")).Header);
        Assert.Equal(90, (await AskTcpAsync(server, "many.up.example A")).Answer.Count);

        // A repeated question is answered without its upstream.
        upstream.Dispose();
        Assert.Equal("192.0.2.80", Assert.Single((await AskAsync(server, "www.up.example A")).Answer).RdataText);
        Assert.Equal(Rcode.NXDomain, (await AskAsync(server, "missing.up.example A")).Rcode);
        Assert.Equal(90, (await AskTcpAsync(server, "many.up.example A")).Answer.Count);
    }

    [Fact]
    public async Task Upstreams_clients_and_local_names_change_with_a_reload()
    {
        await using LoopbackUpstream one = new(Answer(1)), two = new(Answer(2));
        DnsdProcess dnsd = Start(one.Address.Port);
        IPEndPoint server = await dnsd.WaitUntilLoadedAsync();
        Assert.Equal("192.0.2.1", Assert.Single((await AskAsync(server, "www.corp.example A")).Answer).RdataText);
        Assert.Equal("192.0.2.1", Assert.Single((await AskAsync(server, "www.example A")).Answer).RdataText);
        Assert.Equal(Rcode.NXDomain, (await AskAsync(server, "www.test A")).Rcode);

        await ReloadAsync($$"""
            "Forward": [ { "Zone": ".", "Upstreams": ["{{one.Address}}"] }, { "Zone": "corp.example", "Policy": "ordered",
                "Upstreams": ["{{two.Address}}", "{{one.Address}}"] },
                { "Zone": "test", "Upstreams": ["{{two.Address}}"] } ], "Recursion": { "AllowFrom": ["127.0.0.1"] }
            """);
        Assert.Contains(dnsd.Lines,
            line => line.EndsWith($"D401 Forwarding corp.example. to {two.Address} {one.Address} (ordered)"));
        Assert.Contains(dnsd.Lines, line => line.EndsWith($"D401 Forwarding test. to {two.Address} (fastest)"));
        Assert.Equal("192.0.2.2", Assert.Single((await AskAsync(server, "www.corp.example A")).Answer).RdataText);
        Assert.Equal("192.0.2.1", Assert.Single((await AskAsync(server, "www.example A")).Answer).RdataText);
        Assert.Equal("192.0.2.2", Assert.Single((await AskAsync(server, "www.test A")).Answer).RdataText);

        await ReloadAsync($$"""
            "Forward": [ { "Zone": ".", "Upstreams": ["{{two.Address}}"] } ], "Recursion": { "AllowFrom": ["192.0.2.0/24"] }
            """);
        Assert.Equal(Rcode.Refused, (await AskAsync(server, "www.example A")).Rcode);
        Assert.DoesNotContain(dnsd.Lines, line => line.Contains("D305"));

        async Task ReloadAsync(string forwarding)
        {
            int before = Reloads();
            await File.WriteAllTextAsync(Path.Combine(_folder, "forward.json"), $$"""
                { "Dns": { "Listen": ["127.0.0.1:0"], "Zones": [ { "Name": "local.example", "File": "local.zone" } ],
                    {{forwarding}}, "Cache": { "File": "kept.cache" } } }
                """);
            await dnsd.ReloadAsync();
            Assert.True(SpinWait.SpinUntil(() => Reloads() > before, TimeSpan.FromMinutes(3)));
        }

        int Reloads() => dnsd.Lines.Count(line => line.Contains("D302 "));
    }

    [LinuxFact]
    public async Task A_forwarded_zone_is_not_added_as_well_and_one_of_a_directory_is_served_with_a_warning()
    {
        string settings = Path.Combine(_folder, "both.json"), local = Path.Combine(_folder, "local.zone");
        Directory.CreateDirectory(Path.Combine(_folder, "zones"));
        Write("");
        DnsdProcess dnsd = DnsdProcess.Start(_folder,
            ["run", "--config", settings, $"--Dns:Control:Socket={Path.Combine(_folder, "s")}"]);
        _running.Add(dnsd);
        IPEndPoint server = await dnsd.WaitUntilLoadedAsync();
        Assert.Equal("1: dnsd: error: zone corp.example. is not added: it is forwarded by Dns:Forward, expected one of "
            + "them", await CommandAsync("zone", "add", "corp.example", local));
        Write($$"""{ "Name": "corp.example", "File": "{{local}}" }, """);
        foreach (string[] reload in (string[][])[["reload"], ["reload", "--dry-run"]])
            Assert.Contains($"Dns:Zones:0: zone corp.example. is served from {local}, and forwarded by Dns:Forward as "
                + "well: expected one of them", await CommandAsync(reload));
        Write("");
        string file = Path.Combine(_folder, "zones", "corp.example.zone");
        File.Copy(local, file);
        string warning = file + ": warning: zone corp.example. is served from this file, and not forwarded as "
            + "Dns:Forward has it";
        Assert.Contains(warning, await CommandAsync("reload"));
        Assert.Equal("192.0.2.1", Assert.Single((await AskAsync(server, "ns.corp.example A")).Answer).RdataText);
        await dnsd.WaitForLineAsync(" WRN D311 " + warning.Replace(" warning:", ""));

        void Write(string zone) => File.WriteAllText(settings, $$"""
            { "Dns": { "Listen": ["127.0.0.1:0"], "Zones": [ {{zone}}{ "Directory": "zones" } ],
                "Forward": [ { "Zone": "corp.example", "Upstreams": ["127.0.0.1:1"] } ],
                "Recursion": { "AllowFrom": ["127.0.0.1"] } } }
            """);

        async Task<string> CommandAsync(params string[] words)
        {
            using DnsdProcess command =
                DnsdProcess.Start(_folder, [.. words, "--socket", Path.Combine(_folder, "s")]);
            int code = await command.WaitForExitAsync();
            return code + ": " + string.Join('\n', command.Lines).Replace("stderr: ", "");
        }
    }

    /// <summary>Replies with the address 192.0.2.NUMBER.</summary>
    private static Func<byte[], bool, byte[]?> Answer(byte number) => (query, _) =>
    {
        byte[] reply = LoopbackUpstream.Answer(query);
        reply[^1] = number;
        return reply;
    };

    [Fact]
    public async Task A_cache_that_cannot_be_kept_is_told_at_the_start()
    {
        string file = Path.Combine(_folder, "notes");
        File.WriteAllText(file, "no cache");
        DnsdProcess dnsd = Start(1, cacheFile: file);
        await dnsd.WaitForLineAsync($"WRN D409 Cache: cannot be saved to {file}: ");
        await dnsd.WaitUntilLoadedAsync();
        Assert.Empty(Directory.GetFiles(_folder, ".notes*"));
        Assert.Equal("no cache", File.ReadAllText(file));
    }

    [Fact]
    public async Task What_is_remembered_outlives_a_restart()
    {
        PeerServer upstream = StartPeer(PeerKind.Ours);
        DnsdProcess first = Start(upstream.Port);
        await AskAsync(await first.WaitUntilLoadedAsync(), "www.up.example A");
        await first.TerminateAsync();
        Assert.Equal(0, await first.WaitForExitAsync());
        Assert.Contains(first.Lines, line => line.Contains("Cache: 1 answer saved to"));
        upstream.Dispose();
        // Over TCP: on a busy machine the answer may be stale and late, and late answers are not sent to unproven
        // addresses.
        DnsdProcess second = Start(upstream.Port);
        Assert.Equal("192.0.2.80", Assert
            .Single((await AskTcpAsync(await second.WaitUntilLoadedAsync(), "www.up.example A")).Answer).RdataText);

        await second.TerminateAsync();
        Assert.Equal(0, await second.WaitForExitAsync());
        byte[] kept = await File.ReadAllBytesAsync(Path.Combine(_folder, "kept.cache"));
        kept[kept.Length / 2] ^= 0x10;
        await File.WriteAllBytesAsync(Path.Combine(_folder, "kept.cache"), kept);
        DnsdProcess third = Start(upstream.Port);
        await third.WaitForLineAsync("kept.cache is not used:");
        Assert.Equal("SERVFAIL rd ra",
            (await AskTcpAsync(await third.WaitUntilLoadedAsync(), "www.up.example A")).Header);
    }

    [Fact]
    public async Task A_file_that_is_no_saved_cache_is_left_alone()
    {
        string file = Path.Combine(_folder, "kept.cache");
        await File.WriteAllTextAsync(file, "somebody's zone");
        DnsdProcess dnsd = Start(9);
        await dnsd.WaitUntilLoadedAsync();
        await dnsd.TerminateAsync();
        Assert.Equal(0, await dnsd.WaitForExitAsync());
        Assert.Contains(dnsd.Lines, line => line.Contains($"Cache: not saved to {file}: it is another kind of file"));
        Assert.Equal("somebody's zone", await File.ReadAllTextAsync(file));
    }

    [Fact]
    public async Task Clients_that_are_not_listed_are_refused()
    {
        IPEndPoint server = await Start(9, allowFrom: "::1/128").WaitUntilLoadedAsync();
        Assert.Equal("REFUSED rd", (await AskAsync(server, "www.up.example A")).Header);
        Assert.Equal("NOERROR aa rd", (await AskAsync(server, "ns.local.example A")).Header);
    }

    [Fact]
    public async Task Thousand_equal_queries_are_one_question_to_others()
    {
        const int queries = 1000, clients = 250;
        using UdpClient upstream = new(new IPEndPoint(IPAddress.Loopback, 0));
        IPEndPoint server = await Start(((IPEndPoint)upstream.Client.LocalEndPoint!).Port).WaitUntilLoadedAsync();
        // Four of each address: several that share a counter by chance do not reach the limit of a client and question
        // either.
        UdpClient[] all = [.. Enumerable.Range(1, clients)
            .Select(i => new UdpClient(new IPEndPoint(new IPAddress([127, 0, 1, (byte)i]), 0)))];
        long began = Environment.TickCount64;
        for (int i = 0; i < queries; i++) await all[i % clients].SendAsync(Query("www.up.example A", i), server);
        List<UdpReceiveResult> asked = [await upstream.ReceiveAsync().WaitAsync(TimeSpan.FromMinutes(3))];
        // All of them have come in, or the next one would not be answered behind them.
        await AskAsync(server, "ns.local.example A");
        byte[] reply = [.. asked[0].Buffer[..2], 0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0, .. QuestionOf(asked[0].Buffer),
            .. WireOctets.Record("www.up.example", RRType.A, 1, 60, [192, 0, 2, 80])];
        await upstream.SendAsync(reply, asked[0].RemoteEndPoint);
        HashSet<int> answered = [];
        for (int i = 0; i < queries; i++)
        {
            UdpReceiveResult received = await all[i % clients].ReceiveAsync().WaitAsync(TimeSpan.FromMinutes(3));
            Reply answer = Reply.Read(received.Buffer);
            Assert.Equal("NOERROR rd ra", answer.Header);
            Assert.Equal("192.0.2.80", Assert.Single(answer.Answer).RdataText);
            answered.Add(MessageHeader.Id(received.Buffer));
        }
        Assert.Equal(queries, answered.Count);
        // The one question is repeated where this took longer than the forwarder waits for an answer.
        int repeated = 0;
        for (; upstream.Available > 0; repeated++) await upstream.ReceiveAsync();
        Assert.InRange(repeated, 0, (Environment.TickCount64 - began) / 400);
        Array.ForEach(all, client => client.Dispose());
    }

    [Fact]
    public async Task Who_still_waits_at_a_stop_is_told_that_there_is_no_answer()
    {
        using UdpClient silent = new(new IPEndPoint(IPAddress.Loopback, 0));
        DnsdProcess dnsd = Start(((IPEndPoint)silent.Client.LocalEndPoint!).Port);
        IPEndPoint server = await dnsd.WaitUntilLoadedAsync();
        Task<Reply> udp = AskAsync(server, "www.up.example A"), tcp = AskTcpAsync(server, "www.up.example A");
        await silent.ReceiveAsync().WaitAsync(TimeSpan.FromMinutes(3));
        await dnsd.TerminateAsync();
        Assert.Equal("SERVFAIL rd ra", (await udp).Header);
        Assert.Equal("SERVFAIL rd ra", (await tcp).Header);
        Assert.Equal(0, await dnsd.WaitForExitAsync());
    }

    [Fact]
    public async Task An_upstream_that_never_answers_is_SERVFAIL()
    {
        using UdpClient silent = new(new IPEndPoint(IPAddress.Loopback, 0));
        IPEndPoint server = await Start(((IPEndPoint)silent.Client.LocalEndPoint!).Port).WaitUntilLoadedAsync();
        // Over TCP: on a busy machine the answer may be so late that it is not sent to an unproven address.
        Assert.Equal("SERVFAIL rd ra", (await AskTcpAsync(server, "www.up.example A")).Header);
    }

    private static byte[] QuestionOf(byte[] query) => query[MessageHeader.LengthOctets..WireOctets.QuestionEnd(query)];
}
