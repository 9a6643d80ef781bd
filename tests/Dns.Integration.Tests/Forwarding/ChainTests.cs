using System.Globalization;
using System.Net;
using System.Net.Sockets;
using Dns.Testing;
using Xunit;

namespace Dns.Integration.Tests.Forwarding;

/// <summary>
/// The whole program with aliases from one forwarded zone to another, to a served zone, and in loops.
/// </summary>
public sealed class ChainTests : IAsyncLifetime
{
    private readonly string _folder = Directory.CreateTempSubdirectory("dnsd-chain-").FullName;
    private readonly LoopbackUpstream _corp = new((query, _) => Answer(query, "corp", IsSlow(query) ? "slow" : "cdn"));
    private readonly LoopbackUpstream _root = new((query, _) => AnswerForAll(query));
    private readonly LoopbackUpstream _cdn = new((query, _) => Answer(query, "cdn", "corp"));
    private readonly LoopbackUpstream _slow;
    private int _asked;
    private DnsdProcess _dnsd = null!;
    private IPEndPoint _server = null!;

    public ChainTests() => _slow = new((query, isStream) => AnswerSlowly(query, isStream));

    public async ValueTask InitializeAsync()
    {
        await File.WriteAllTextAsync(Path.Combine(_folder, "local.zone"),
            "$TTL 60\n@ SOA ns h 1 2 3 4 5\n@ NS ns\nns A 192.0.2.1\nwww A 192.0.2.10\nout CNAME far.corp.example.\n");
        string settings = Path.Combine(_folder, "chain.json");
        await File.WriteAllTextAsync(settings, $$"""
            { "Dns": { "Listen": ["127.0.0.1:0"], "Zones": [ { "Name": "local.example", "File": "local.zone" } ],
                "Forward": [ { "Zone": "corp.example", "Upstreams": ["{{_corp.Address}}"] },
                             { "Zone": ".", "Upstreams": ["{{_root.Address}}"] },
                             { "Zone": "slow.example", "Upstreams": ["{{_slow.Address}}"] },
                             { "Zone": "cdn.example", "Upstreams": ["{{_cdn.Address}}"] } ],
                "Recursion": { "AllowFrom": ["127.0.0.0/8"] } } }
            """);
        _dnsd = DnsdProcess.Start(_folder, ["run", "--config", settings]);
        _server = await _dnsd.WaitUntilLoadedAsync();
    }

    public async ValueTask DisposeAsync()
    {
        _dnsd.Dispose();
        await _corp.DisposeAsync();
        await _cdn.DisposeAsync();
        await _root.DisposeAsync();
        await _slow.DisposeAsync();
        Directory.Delete(_folder, recursive: true);
    }

    [Theory]
    [InlineData("far.corp.example", "far.corp.example. 0 CNAME www.cdn.example.", "www.cdn.example. 256 A 192.0.2.1")]
    [InlineData("near.corp.example", "near.corp.example. 0 CNAME www.local.example.",
        "www.local.example. 60 A 192.0.2.10")]
    [InlineData("out.local.example", "out.local.example. 60 CNAME far.corp.example.",
        "far.corp.example. 0 CNAME www.cdn.example.", "www.cdn.example. 256 A 192.0.2.1")]
    public async Task An_alias_is_followed_to_whoever_answers_for_its_target(string question, params string[] answer)
    {
        Reply reply = await AskAsync(question);
        Assert.Equal(Rcode.NoError, reply.Rcode);
        AssertAged(answer, reply);
    }

    [Theory]
    [InlineData("round.corp.example", Rcode.NoError)]
    [InlineData("n0.corp.example", Rcode.ServFail)]
    public async Task Chains_that_nobody_can_keep_and_that_never_end_do_end(string question, Rcode rcode)
    {
        int before = _corp.Sources.Count + _cdn.Sources.Count;
        Assert.Equal(rcode, (await AskAsync(question)).Rcode);
        Assert.InRange(_corp.Sources.Count + _cdn.Sources.Count - before, 2, 8);
    }

    [Theory]
    [InlineData("served.all.example", "served.all.example. 300 CNAME www.local.example.",
        "www.local.example. 60 A 192.0.2.10")]
    [InlineData("absent.all.example", "absent.all.example. 300 CNAME www.local.example.",
        "www.local.example. 60 A 192.0.2.10")]
    [InlineData("forwarded.all.example", "forwarded.all.example. 300 CNAME www.cdn.example.",
        "www.cdn.example. 256 A 192.0.2.1")]
    [InlineData("www.redirected.all.example", "redirected.all.example. 300 DNAME local.example.",
        "www.redirected.all.example. 300 CNAME www.local.example.", "www.local.example. 60 A 192.0.2.10")]
    public async Task An_alias_of_the_upstream_of_all_into_a_zone_served_or_forwarded_is_followed_there(string question,
        params string[] answer)
    {
        for (int i = 0; i < 2; i++)
        {
            Reply reply = await AskAsync(question);
            Assert.Equal(Rcode.NoError, reply.Rcode);
            AssertAged(answer, reply);
        }
        Assert.Single(_root.Sources);
    }

    /// <summary>The records, at whatever age: the server's clock runs on beside a load.</summary>
    private static void AssertAged(string[] expected, Reply reply)
    {
        Assert.Equal(expected.Select(Parts).Select(parts => (parts.Owner, parts.Data)),
            reply.Answer.Select(record => Parts(record.ToString())).Select(parts => (parts.Owner, parts.Data)));
        foreach (var (record, actual) in expected.Zip(reply.Answer.Select(record => record.ToString())))
            Assert.InRange(Parts(actual).Ttl, Parts(record).Ttl == 0 ? 0 : 1, Parts(record).Ttl);
    }

    private static (string Owner, int Ttl, string Data) Parts(string record)
    {
        string[] words = record.Split(' ', 3);
        return (words[0], int.Parse(words[1], CultureInfo.InvariantCulture), words[2]);
    }

    /// <summary>
    /// Each name costs two queries, the second over TCP, and leads on to the next, in this zone by way of another.
    /// </summary>
    [Fact]
    public async Task A_query_makes_ten_queries_to_upstreams_at_most()
    {
        Assert.Equal(Rcode.ServFail, (await AskAsync("s0.slow.example")).Rcode);
        Assert.InRange(_asked + _corp.Sources.Count, 8, 10);
    }

    /// <summary>Truncated over UDP; over TCP an alias to the other zone, and from there back.</summary>
    private byte[] AnswerSlowly(byte[] query, bool isStream)
    {
        Interlocked.Increment(ref _asked);
        if (isStream) return Answer(query, "slow", "corp");
        byte[] reply = [.. query];
        MessageHeader.SetFlags(reply, 0x8380);
        return reply;
    }

    private static bool IsSlow(byte[] query) => (query[13] | 0x20) == 's' && char.IsAsciiDigit((char)query[14]);

    /// <summary>Aliases into other zones, with records outside of this upstream's zone.</summary>
    private static byte[] AnswerForAll(byte[] query)
    {
        int end = WireOctets.QuestionEnd(query);
        string name = NameText.ToText(query[12..(end - 4)]).ToLowerInvariant();
        string target = name == "forwarded.all.example." ? "www.cdn.example." : "www.local.example.";
        byte[] alias = name == "www.redirected.all.example."
            ? WireOctets.Record("redirected.all.example.", RRType.DNAME, 1, 300, WireOctets.Name("local.example."))
            : WireOctets.Record(name, RRType.CNAME, 1, 300, WireOctets.Name(target));
        bool isAbsent = name == "absent.all.example.";
        byte[] reply = [.. query[..end], .. alias,
            .. isAbsent ? [] : WireOctets.Record(target, RRType.A, 1, 3600, [203, 0, 113, 66])];
        MessageHeader.SetFlags(reply, (ushort)(isAbsent ? 0x8183 : 0x8180));
        MessageHeader.SetCount(reply, 1, (ushort)(isAbsent ? 1 : 2));
        MessageHeader.SetCount(reply, 3, 0);
        return reply;
    }

    /// <summary>Aliases with a TTL of 0, each with an address that this server has no right to give.</summary>
    private static byte[] Answer(byte[] query, string zone, string other)
    {
        int end = WireOctets.QuestionEnd(query);
        string name = NameText.ToText(query[12..(end - 4)]).ToLowerInvariant(),
            label = name[..name.IndexOf('.', StringComparison.Ordinal)];
        if (name == "www.cdn.example.") return LoopbackUpstream.Answer(query);
        string target = label switch
        {
            "far" => "www.cdn.example.",
            "near" => "www.local.example.",
            _ when label[0] == 's' =>
                $"s{int.Parse(label[1..], System.Globalization.CultureInfo.InvariantCulture) + 1}.{other}.example.",
            "round" => $"round.{other}.example.",
            _ => $"n{int.Parse(label[1..], System.Globalization.CultureInfo.InvariantCulture) + 1}.{other}.example.",
        };
        Assert.EndsWith($".{zone}.example.", name, StringComparison.Ordinal);
        byte[] reply =
        [
            .. query[..end], .. WireOctets.Record(name, RRType.CNAME, 1, 0, WireOctets.Name(target)),
            .. WireOctets.Record(target, RRType.A, 1, 3600, [203, 0, 113, 66]),
        ];
        MessageHeader.SetFlags(reply, 0x8180);
        MessageHeader.SetCount(reply, 1, 2);
        MessageHeader.SetCount(reply, 3, 0);
        return reply;
    }

    private async Task<Reply> AskAsync(string question)
    {
        using UdpClient client = new(AddressFamily.InterNetwork);
        client.Connect(_server);
        await client.SendAsync((QueryMessage.For(question) with { Flags = MessageHeader.RecursionDesired }).ToOctets());
        return Reply.Read((await client.ReceiveAsync().WaitAsync(TimeSpan.FromMinutes(3))).Buffer);
    }
}
